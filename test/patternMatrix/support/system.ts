import { Domain, Grid, type SharedHeap } from '@corpuscle/core';
import { type ExecutionContext, newestOnHost, updateNeighbors } from '@corpuscle/patterns';

/** Boxes of all kinds; rcut 2 fits in each. */
export const boxes: Readonly<Record<string, () => Domain>> = {
  cube: () => Domain.orthorhombic([6, 6, 6]),
  slab: () => Domain.orthorhombic([5, 9, 6], { periodic: [true, false, true] }),
  triclinic: () => Domain.triclinic([7, 0, 0, 2, 6, 0, -1.5, 2, 5.5], { origin: [-3, 1, 2] }),
  open: () => Domain.open({ lower: [0, 0, 0], upper: [5, 5, 5] }),
};

/** A reproducible sequence in [0, 1). */
function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const names = [
  'rx',
  'ry',
  'rz',
  'vx',
  'vy',
  'vz',
  'fx',
  'fy',
  'fz',
  'ep',
  'mass',
  'type',
  'id',
  'q',
  'group',
  'n',
] as const;
export type FieldName = (typeof names)[number];
export type Fields = Readonly<Record<FieldName, Float64Array>>;

/**
 * Particles on a jittered lattice (no two closer than a third of its spacing), with numbers of few bits in every field, so
 * that all precisions start from the same.
 */
export function system(heap: SharedHeap, domain: Domain, count: number, seed = 1): Grid {
  const grid = new Grid(heap, domain);
  grid.addBlock({ name: 'charge2', type: 'f64', width: 1, members: ['q'] });
  grid.addBlock({ name: 'group', type: 'u32', width: 1, members: ['group'] });
  grid.addBlock({ name: 'number', type: 'i32', width: 1, members: ['n'] });
  grid.resize(count);
  const next = sequence(seed);
  const perSide = Math.ceil(Math.cbrt(count));
  const places = Array.from({ length: count }, (_, k) => {
    const cell = [k % perSide, Math.floor(k / perSide) % perSide, Math.floor(k / perSide ** 2)];
    const s = cell.map((c) => (c + 0.5 + 0.6 * (next() - 0.5)) / perSide);
    return domain.toCartesian(s[0]!, s[1]!, s[2]!);
  });
  const fill = (name: string, value: (k: number) => number) =>
    grid.setValues(
      name,
      Float64Array.from({ length: count }, (_, k) => value(k)),
    );
  (['rx', 'ry', 'rz'] as const).forEach((name, axis) => {
    fill(name, (k) => Math.round(places[k]![axis]! * 2 ** 12) / 2 ** 12);
  });
  for (const name of ['vx', 'vy', 'vz', 'fx', 'fy', 'fz', 'q'])
    fill(name, () => Math.round(512 * (2 * next() - 1)) / 64);
  fill('mass', () => 1 + Math.floor(3 * next()));
  fill('type', () => Math.floor(2 * next()));
  fill('group', () => Math.floor(4 * next()));
  fill('n', () => Math.floor(9 * next()) - 4);
  fill('id', (k) => ((k * 7) % count) + 1);
  return grid;
}

/** All fields, as they are on the host. */
export function fieldsOf(grid: Grid): Fields {
  return Object.fromEntries(names.map((name) => [name, grid.values(name)])) as unknown as Fields;
}

/** Sorts the particles by cell and makes the host's copy current. */
export async function sorted(grid: Grid, ctx: ExecutionContext, rcut = 1.4): Promise<void> {
  await updateNeighbors(grid, ctx, { rcut, skin: 0.2 });
  await newestOnHost(grid, ctx);
}
