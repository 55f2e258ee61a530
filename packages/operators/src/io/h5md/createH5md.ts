import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { partialOf } from '@corpuscle/core';
import type { File, Group } from 'h5wasm/node';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { type Element, groupName } from './elements.js';
import type { H5mdOptions } from './H5mdAppender.js';
import type { H5wasm } from './loadH5wasm.js';

/** Steps and times that are written together. */
const STEPS = 1024;
/** Particles of a part of a large frame. */
const ROWS = 1 << 20;

/**
 * Makes an H5MD file without frames, with a place for all that the first one has. It gets its name when it is complete.
 *
 *   /h5md                              version 1.1, author, creator
 *   /parameters/species                names of types, by their numbers
 *   /particles/trajectory/box          dimension, boundary, edges, offset
 *   /particles/trajectory/position     step, time, value [frame][particle][3]
 *   /particles/trajectory/velocity …   the same step and time, value
 *   /connectivity/bonds                pairs of ids
 */
export function createH5md(
  h5: H5wasm,
  target: string,
  frame: ParticleFrame,
  elements: readonly Element[],
  { precision }: H5mdOptions,
): void {
  const temporary = partialOf(target);
  try {
    const file = new h5.File(temporary, 'w', { libver: 'v110' });
    try {
      fill(file, frame, elements, precision === 'single' ? '<f' : '<d');
    } finally {
      file.close();
    }
    const descriptor = openSync(temporary, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function fill(file: File, frame: ParticleFrame, elements: readonly Element[], real: string): void {
  const h5md = file.create_group('h5md');
  h5md.create_attribute('version', Int32Array.of(1, 1));
  h5md.create_group('author').create_attribute('name', 'unknown');
  const creator = h5md.create_group('creator');
  creator.create_attribute('name', 'Corpuscle');
  creator.create_attribute('version', '0.1');
  const parameters = file.create_group('parameters');
  parameters.create_dataset({ name: 'species', data: [...frame.species] });
  const particles = file.create_group('particles').create_group(groupName);
  const box = particles.create_group('box');
  box.create_attribute('dimension', Int32Array.of(3));
  const boundary = frame.periodic.map((isPeriodic) => (isPeriodic ? 'periodic' : 'none'));
  box.create_attribute('boundary', boundary);
  for (const [k, element] of elements.entries()) {
    const { name, width } = element;
    const parent = particles.create_group(name);
    if (k === 0) steps(parent, frame);
    else shareSteps(parent, frame);
    const rows = Math.min(Math.max(1, frame.count), ROWS);
    const tail = width === 1 ? [] : [width];
    grow(parent, [frame.count, ...tail], [null, ...tail], [rows, ...tail], {
      type: element.kind === 'real' ? real : wholeType(element),
      isPacked: element.isPacked,
    });
  }
  for (const [name, shape] of [
    ['edges', [3, 3]],
    ['offset', [3]],
  ] as const) {
    const parent = box.create_group(name);
    shareSteps(parent, frame);
    grow(parent, shape, shape, shape, { type: '<d', isPacked: false });
  }
  addBonds(file, frame);
}

/** Values of a quantity, in frames that are to come. */
function grow(
  parent: Group,
  shape: readonly number[],
  most: readonly (number | null)[],
  chunk: readonly number[],
  { type, isPacked }: { readonly type: string; readonly isPacked: boolean },
): void {
  parent.create_dataset({
    name: 'value',
    data: new Uint8Array(0) as never,
    shape: [0, ...shape],
    maxshape: [null, ...most],
    chunks: [1, ...chunk],
    dtype: type,
    ...(isPacked && { compression: 'gzip', compression_opts: 1 }),
  });
}

const stepsPath = `/particles/${groupName}/position`;

function steps(parent: Group, { time }: ParticleFrame): void {
  const place = { shape: [0], maxshape: [null], chunks: [STEPS] };
  parent.create_dataset({ name: 'step', data: new BigInt64Array(0), dtype: '<q', ...place });
  if (time === undefined) return;
  parent.create_dataset({ name: 'time', data: new Float64Array(0), dtype: '<d', ...place });
}

/** All quantities are those of the same steps. */
function shareSteps(parent: Group, { time }: ParticleFrame): void {
  parent.create_hard_link(`${stepsPath}/step`, 'step');
  if (time !== undefined) parent.create_hard_link(`${stepsPath}/time`, 'time');
}

/** Half of what 32 bits hold is left for particles that come later. */
const wholeType = ({ values }: Element): string => {
  for (let k = 0; k < values.length; k++) if (Math.abs(values[k]!) >= 2 ** 30) return '<q';
  return '<i';
};

/** Bonds of the first frame. */
function addBonds(file: File, { bonds }: ParticleFrame): void {
  if (!bonds || bonds.length === 0) return;
  const connectivity = file.create_group('connectivity');
  const pairs = bonds.flatMap(({ ids }) => [...ids]);
  const data = pairs.every((id) => id < 2 ** 31)
    ? Int32Array.from(pairs)
    : BigInt64Array.from(pairs, BigInt);
  const shape = [bonds.length, 2];
  const made = connectivity.create_dataset({ name: 'bonds', data, shape });
  const group = file.get(`/particles/${groupName}`) as Group;
  made.create_attribute('particles_group', group.create_reference());
  const kinds = Int32Array.from(bonds, ({ kind = 0 }) => kind);
  if (kinds.some((kind) => kind !== 0))
    connectivity.create_dataset({ name: 'bonds_kind', data: kinds });
}
