import { CorpuscleError, dimensions } from '@corpuscle/core';
import type { Batch, Value } from '../Draft.js';
import { addDomain, addLattice, skipSlots } from './crystals.js';
import { addForce, isForce } from './forces.js';
import type { Input } from './Input.js';
import type { Msp } from './readMsp.js';
import { addRegions, regionExpression } from './regions.js';
import { unnecessary } from './unnecessary.js';

type Handler = (input: Input, node: Msp, batch: Batch, name: string) => void;

/** `{ value: [x, y, z], region }`, or the list alone. */
function vectorAndRegion(input: Input, name: string, node: Msp) {
  const slots = input.slotsOf(name, node);
  const value = node.items ? node : slots.get('value');
  const text = slots.get('region')?.scalar;
  const region = text === undefined ? undefined : regionExpression(input, String(text));
  return { value: input.quantities(value), region, text };
}

/** A region as it is, or why there is none. */
const regional =
  (
    make: (
      value: Value[],
      region: Value | undefined,
      input: Input,
      node: Msp,
      batch: Batch,
    ) => void,
  ): Handler =>
  (input, node, batch, name) => {
    const { value, region, text } = vectorAndRegion(input, name, node);
    if (region === null) {
      input.skip(node, name, `there is no region ${String(text)}`, batch);
      return;
    }
    make(value, region, input, node, batch);
  };

const noise =
  (of: 'positions' | 'velocities'): Handler =>
  (input, node, batch, name) => {
    const slots = input.slotsOf(name, node);
    const text = slots.get('region')?.scalar;
    const region = text === undefined ? undefined : regionExpression(input, String(text));
    if (region === null) {
      input.skip(node, name, `there is no region ${String(text)}`, batch);
      return;
    }
    const sigma = slots.get('sigma');
    const dimension = of === 'positions' ? dimensions.length : dimensions.velocity;
    const group = region === undefined ? {} : { group: input.groupOf(region, batch) };
    batch.add('gaussian_noise', {
      sigma: sigma ? input.number(sigma, dimension) : 1,
      ...(of === 'velocities' && { of }),
      ...group,
    });
    if (of === 'velocities') input.hasVelocities = true;
    skipSlots(input, node, slots, /^(sigma|region|deterministic_noise|seed|dt)$/);
  };

function setVelocity(
  value: Value[],
  region: Value | undefined,
  input: Input,
  _: Msp,
  batch: Batch,
): void {
  input.hasVelocities = true;
  batch.add('set', { velocity: value, region });
}

const handlers: Readonly<Record<string, Handler>> = {
  domain: addDomain,
  lattice: (input, node, _, name) => addLattice(input, name, node),
  bulk_lattice: (input, node, _, name) => addLattice(input, name, node),
  particle_regions: addRegions,
  particle_types: (input, node) => {
    const slots = input.slotsOf('particle_types', node);
    const names = [...(slots.get('particle_type_map')?.entries ?? [])];
    const byIndex = names.sort(([, a], [, b]) => Number(a.scalar) - Number(b.scalar));
    for (const [name] of byIndex) input.types.set(name, input.types.get(name) ?? { mass: 1 });
    addProperties(input, slots.get('particle_type_properties')?.entries);
  },
  particle_type_add_properties: (input, node) => {
    addProperties(input, node.entries?.get('properties')?.entries ?? node.entries);
  },
  species: (input, node) => addSpecies(input, node.entries?.get('species') ?? node),
  gaussian_noise_r: noise('positions'),
  gaussian_noise_v: noise('velocities'),
  uniform_noise_r: (input, node, batch, name) => {
    const slots = input.slotsOf(name, node);
    const width = input.quantity(slots.get('sigma'));
    if (width === undefined) {
      input.skip(node, name, 'it has no sigma', batch);
      return;
    }
    batch.add('displace_particles', { random: [width, width, width] });
    skipSlots(input, node, slots, /^(sigma|deterministic_noise|seed)$/);
  },
  init_temperature: (input, node, batch) => {
    const temperature = input.quantity(input.slotsOf('init_temperature', node).get('T'));
    if (temperature === undefined) {
      input.skip(node, 'init_temperature', 'it has no T', batch);
      return;
    }
    batch.add('init_temperature', { temperature });
    input.hasVelocities = true;
  },
  set_velocity: regional(setVelocity),
  shift_v: regional((value, region, input, node, batch) => {
    if (input.hasVelocities)
      input.skip(node, 'shift_v', 'nothing adds to velocities; set replaces them', batch);
    else setVelocity(value, region, input, node, batch);
  }),
  shift_r: regional((move, region, input, _, batch) => {
    batch.add('displace_particles', {
      move,
      ...(region !== undefined && { group: input.groupOf(region, batch) }),
    });
  }),
  set_force: regional(([x, y, z], region, input, _, batch) => {
    batch.add('set_force', {
      x,
      y,
      z,
      ...(region !== undefined && { group: input.groupOf(region, input.setup) }),
    });
  }),
  set_particle_type: (input, node, batch, name) => {
    const { region } = vectorAndRegion(input, name, node);
    const type = String(input.slotsOf(name, node).get('type')?.scalar);
    if (region === null || !input.types.has(type)) {
      input.skip(node, name, 'there is no such type or region', batch);
      return;
    }
    batch.add('set', { type, region });
  },
  remove_particles: regional((_, region, __, ___, batch) =>
    batch.add('delete_particles', { region }),
  ),
  remove_close_particles: (input, node, batch, name) => {
    const slots = input.slotsOf(name, node);
    const overlap = input.quantity(
      slots.get('min_distance') ??
        slots.get('distance') ??
        slots.get('rcut') ??
        slots.get('radius'),
    );
    if (overlap === undefined) {
      input.skip(node, name, 'it has no distance', batch);
      return;
    }
    batch.add('delete_particles', { overlap });
  },
  replicate_domain: (input, node, batch) => {
    const repeat = node.items ?? input.slotsOf('replicate_domain', node).get('repeat')?.items ?? [];
    const counts = repeat.map(({ scalar }) => Number(scalar));
    if (counts.length === 3 && counts.some((n) => n !== 1))
      batch.add('replicate', { repeat: counts });
  },
  track_region_particles_multiple: (input, node, batch, name) => {
    const slots = input.slotsOf(name, node);
    const names = (slots.get('names')?.items ?? []).map(({ scalar }) => String(scalar));
    (slots.get('exprs')?.items ?? []).forEach(({ scalar }, k) => {
      const region = regionExpression(input, String(scalar));
      if (region === null || !names[k]) {
        input.skip(node, name, `there is no region ${String(scalar)}`, batch);
        return;
      }
      batch.add('group', { name: names[k], region });
      batch.add('region', { name: names[k], shape: { group: names[k] } });
      input.regions.add(names[k]);
    });
  },
  message: (input, node, batch) => {
    const text = node.scalar ?? node.entries?.get('mesg')?.scalar;
    if (typeof text === 'string' && text.trim() !== '' && text.length < 200)
      batch.add('message', { text: text.replace(/[{}]/g, '') });
    else if (text === undefined) input.skip(node, 'message', 'it has no text', batch);
  },
};
handlersOfFiles(handlers as Record<string, Handler>);

function handlersOfFiles(all: Record<string, Handler>): void {
  for (const name of ['read_xyz', 'read_xyz_file', 'read_xyz_file_with_xform'])
    all[name] = (input, node, batch) => {
      const slots = input.slotsOf(name, node);
      const file = slots.get('file') ?? slots.get('filename');
      if (!file) {
        input.skip(node, name, 'it has no file', batch);
        return;
      }
      batch.add('read_extended_xyz', { file: String(file.scalar) });
      input.hasBox = true;
      skipSlots(input, node, slots, /^(file|filename|bounds_mode)$/);
    };
}

function addProperties(input: Input, types: ReadonlyMap<string, Msp> | undefined): void {
  for (const [name, { entries }] of types ?? []) {
    if (!entries) continue;
    const type = input.types.get(name) ?? { mass: 1 };
    for (const [key, value] of entries) {
      if (key === 'mass' || key === 'charge') type[key] = input.quantity(value) ?? 1;
      else if (!/^(z|radius)$/.test(key))
        input.skip(
          value,
          `${key} of type ${name}`,
          'types have mass and charge: use particle_properties',
        );
    }
    input.types.set(name, type);
  }
}

function addSpecies(input: Input, node: Msp): void {
  for (const { entries } of node.items ?? [])
    for (const [name, value] of entries ?? []) {
      input.types.set(name, { mass: 1 });
      addProperties(input, new Map([[name, value]]));
    }
}

const FORCE: Handler = (input, node, batch, name) => addForce(input, name, node, batch);

/** Batches inside batches. */
const DEEPEST = 12;

/** Puts what a list of operators says into a batch: batches of the input by name are opened. */
export function addOperators(input: Input, node: Msp, batch: Batch, depth = 0): void {
  if (depth > DEEPEST) {
    input.skip(node, 'a batch', 'batches lead too deep', batch);
    return;
  }
  const items = node.items ?? (node.scalar === undefined || node.scalar === '' ? [] : [node]);
  if (node.entries?.has('body')) {
    if (node.entries.has('loop') || node.entries.has('condition'))
      input.skip(node, 'a condition or loop', 'its operators stand here without it', batch);
    addOperators(input, node.entries.get('body')!, batch, depth + 1);
    return;
  }
  for (const item of items)
    for (const [name, slots] of item.entries ?? [
      [String(item.scalar), { ...item, scalar: undefined }] as const,
    ])
      addOperator(input, name, slots, batch, depth);
}

function addOperator(input: Input, name: string, node: Msp, batch: Batch, depth: number): void {
  const own = input.root.get(name);
  const isBatch = (value: Msp | undefined) =>
    value?.items !== undefined || value?.entries?.has('body');
  const handler = Object.hasOwn(handlers, name)
    ? handlers[name]
    : isForce(name)
      ? FORCE
      : undefined;
  if (handler) {
    try {
      handler(input, node, batch, name);
    } catch (error) {
      // Units that exaNBody takes for others of its own.
      if (!(error instanceof CorpuscleError)) throw error;
      input.skip(node, name, error.message, batch);
    }
    return;
  }
  if (unnecessary.has(name)) return;
  if (node.entries?.has('body') || (node.items && !own)) {
    addOperators(input, node, batch, depth + 1);
    return;
  }
  if (own && (isBatch(own) || own.scalar !== undefined)) {
    addOperators(input, own, batch, depth + 1);
    return;
  }
  input.skip(node, name, 'there is no counterpart', batch);
}
