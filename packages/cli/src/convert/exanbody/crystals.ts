import { dimensions } from '@corpuscle/core';
import type { Value } from '../Draft.js';
import type { Input } from './Input.js';
import type { Msp } from './readMsp.js';
import { regionExpression } from './regions.js';

/** Sites of the structures, in their order there. */
const SITES: Readonly<Record<string, readonly (readonly number[])[]>> = {
  SC: [[0.5, 0.5, 0.5]],
  BCC: [
    [0, 0, 0],
    [0.5, 0.5, 0.5],
  ],
  FCC: [
    [0, 0, 0],
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ],
};

/** `lattice`, and `bulk_lattice`, which brings its box. */
export function addLattice(input: Input, name: string, node: Msp): void {
  const slots = input.slotsOf(name, node);
  const structure = String(slots.get('structure')?.scalar ?? '');
  const sites = structure === 'CUSTOM' ? positionsOf(input, slots) : SITES[structure];
  const types = (slots.get('types')?.items ?? []).map(({ scalar }) => String(scalar));
  const size = slots.get('size');
  const unknown = types.filter((type) => !input.types.has(type));
  if (!sites || types.length !== sites.length || size?.items?.length !== 3) {
    input.skip(node, `${name} ${structure}`, 'the structure has no counterpart');
    return;
  }
  if (unknown.length > 0) {
    input.skip(node, `${name} ${structure}`, `there is no type ${unknown[0]}`);
    return;
  }
  const edges = input.lengths(size);
  if (name === 'bulk_lattice') {
    const repeat = (slots.get('repeat')?.items ?? []).map(({ scalar }) => Number(scalar));
    input.setup.add('domain', { upper: edges.map((edge, k) => edge * (repeat[k] ?? 1)) });
    input.hasBox = true;
  }
  if (!input.hasBox) {
    input.skip(node, name, 'there is no box before it');
    return;
  }
  const region = slots.get('region');
  const where = region && regionExpression(input, String(region.scalar));
  if (region && !where) {
    input.skip(node, `${name} in ${String(region.scalar)}`, 'there is no such region');
    return;
  }
  const [a] = edges;
  const isCube = edges.every((edge) => edge === a);
  const vectors = edges.map((edge, k) => [0, 1, 2].map((c) => (c === k ? edge / a! : 0)));
  for (const type of new Set(types)) {
    const basis = sites.filter((_, k) => types[k] === type);
    const constant = isCube ? input.quantity(size.items[0])! : a!;
    input.setup.add('create_particles', {
      type,
      lattice: { basis: basis as Value, lattice_constant: constant, ...(!isCube && { vectors }) },
      ...(where && { region: where }),
    });
  }
  skipSlots(
    input,
    node,
    slots,
    /^(structure|types|size|region|positions|repeat|np|verbose|deterministic_noise|seed)$/,
  );
}

function positionsOf(input: Input, slots: ReadonlyMap<string, Msp>): number[][] | undefined {
  return slots
    .get('positions')
    ?.items?.map((item) => (item.items ?? []).map((x) => input.number(x, {})));
}

/** Slots that have no counterpart. */
export function skipSlots(
  input: Input,
  node: Msp,
  slots: ReadonlyMap<string, Msp>,
  known: RegExp,
): void {
  for (const [key, value] of slots)
    if (!known.test(key))
      input.skip(node, `${key}: ${String(value.scalar ?? '…')}`, 'the slot has no counterpart');
}

/** `domain`: bounds, or cells and their size. */
export function addDomain(input: Input, node: Msp): void {
  const slots = input.slotsOf('domain', node);
  const [lower, upper] = (slots.get('bounds')?.items ?? []).map((corner) =>
    input.quantities(corner),
  );
  const cells = (slots.get('grid_dims')?.items ?? []).map(({ scalar }) => Number(scalar));
  const cell = slots.get('cell_size');
  const periodic = (slots.get('periodic')?.items ?? []).map(({ scalar }) => scalar === true);
  const isWhole = (corner: readonly Value[] | undefined) => corner?.length === 3;
  const size = cell && isWhole(cells) ? input.number(cell, dimensions.length) : null;
  const corner = isWhole(upper) ? upper : size === null ? undefined : cells.map((n) => n * size);
  if (!corner) return; // What reads or makes particles brings the box.
  if (input.hasBox) {
    input.skip(node, 'domain', 'there is a box already');
    return;
  }
  const isAtZero =
    !isWhole(lower) || input.lengths(slots.get('bounds')!.items![0]!).every((x) => x === 0);
  input.setup.add('domain', {
    ...(!isAtZero && { lower: lower! }),
    upper: corner,
    ...(periodic.includes(false) && { periodic }),
  });
  input.hasBox = true;
  const xform = (slots.get('xform')?.items ?? []).flatMap(({ items = [] }) =>
    items.map(({ scalar }) => Number(scalar)),
  );
  if (xform.some((x, k) => x !== (k % 4 === 0 ? 1 : 0)))
    input.skip(node, 'domain: xform', 'use change_box for a box that leans');
}
