import { type BlockSpec, Domain, Grid, type SharedHeap } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { expect } from 'vitest';

/** Extra blocks that cover every storage type and width. */
const extraBlocks: readonly BlockSpec[] = [
  { name: 'single', type: 'f32', width: 1, members: ['s'] },
  { name: 'singles', type: 'f32', width: 4, members: ['sx', 'sy', 'sz', null] },
  { name: 'flag', type: 'i32', width: 1, members: ['flag'] },
  { name: 'counters', type: 'u32', width: 4, members: ['ca', 'cb', 'cc', null] },
  { name: 'plain', type: 'f64', width: 1, members: ['q'] },
];

/** A reproducible pseudo-random sequence in [0, 1). */
export function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A grid of `count` particles with something in every field. */
export function filledGrid(heap: SharedHeap, count: number, seed = 1): Grid {
  const grid = new Grid(heap, Domain.orthorhombic([10, 10, 10]));
  for (const spec of extraBlocks) grid.addBlock(spec);
  grid.resize(count);
  const next = sequence(seed);
  const fill = (name: string, value: (k: number) => number) =>
    grid.setValues(
      name,
      Float64Array.from({ length: count }, (_, k) => value(k)),
    );
  for (const name of ['rx', 'ry', 'rz']) fill(name, () => Math.fround(10 * next()));
  // Numbers with few bits: exact in f32 too, so that every backend starts from the same.
  for (const name of ['vx', 'vy', 'vz', 'fx', 'fy', 'fz', 's', 'sx', 'sy', 'sz', 'q']) {
    fill(name, () => Math.round(4096 * (2 * next() - 1)) / 256);
  }
  fill('mass', () => 1 + Math.floor(4 * next()));
  fill('type', () => Math.floor(3 * next()));
  fill('flag', () => Math.floor(11 * next()) - 5);
  fill('ca', () => Math.floor(100 * next()));
  fill('id', (k) => count - k);
  return grid;
}

/** Values of all fields, by name. */
export function snapshot(grid: Grid): Map<string, Float64Array> {
  const names = [...grid.blocks.values()].flatMap((block) =>
    block.spec.members.filter((name) => name !== null),
  );
  return new Map(names.map((name) => [name, grid.values(name)]));
}

/** What a cell functor must do, by calling the user's function particle by particle on copies of the fields. */
export function cellOracle(
  functor: Functor,
  fields: Map<string, Float64Array>,
  params: object,
): void {
  const { spec } = functor;
  if (spec.kind !== 'cell') throw new Error('not a cell functor');
  const names = Object.keys({ ...spec.fields, ...spec.read });
  const count = fields.get('rx')!.length;
  for (let row = 0; row < count; row++) {
    const particle = Object.fromEntries(names.map((name) => [name, fields.get(name)![row]!]));
    functor.invoke(particle, params);
    for (const name of Object.keys(spec.fields)) fields.get(name)![row] = particle[name]!;
  }
}

/** What a reduction must give. */
export function reduceOracle(functor: Functor, fields: Map<string, Float64Array>, params: object) {
  const { spec } = functor;
  if (spec.kind !== 'reduce') throw new Error('not a reduce functor');
  const start = { sum: 0, max: Number.NEGATIVE_INFINITY, min: Number.POSITIVE_INFINITY };
  const acc = Object.fromEntries(
    Object.entries(spec.result).map(([name, op]) => [name, start[op as 'sum' | 'max' | 'min']]),
  );
  const names = Object.keys(spec.read);
  const count = fields.get('rx')!.length;
  for (let row = 0; row < count; row++) {
    functor.invoke(
      acc,
      Object.fromEntries(names.map((name) => [name, fields.get(name)![row]!])),
      params,
    );
  }
  return acc;
}

/** Equal within `tolerance` times the largest magnitude; bit for bit (but for the sign of zero) when it is 0. */
export function expectClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
): void {
  expect(actual.length).toBe(expected.length);
  let scale = 1;
  for (let k = 0; k < expected.length; k++)
    if (Number.isFinite(expected[k])) scale = Math.max(scale, Math.abs(expected[k]!));
  for (let k = 0; k < expected.length; k++) {
    const [a, b] = [actual[k]!, expected[k]!];
    if (a === b || (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= tolerance * scale)
      continue;
    expect({ k, value: a }).toEqual({ k, value: b });
  }
}
