import type { Domain, Grid } from '@corpuscle/core';
import type { PairFunctor } from '@corpuscle/functor';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { bruteForcePairs } from './bruteForce.js';
import { gridOf } from './grids.js';
import { sequence } from './oracle.js';

// biome-ignore lint/suspicious/noExplicitAny: functors of all shapes share these systems
export type AnyPair = PairFunctor<any, any>;

const placed = new Map<string, readonly (readonly [number, number, number])[]>();

/** Places at least 0.85 apart (so that forces stay tame), in numbers exact in single precision; found once. */
function placesIn(domain: Domain, count: number, seed: number) {
  const key = JSON.stringify([domain.matrix, domain.origin, domain.periodic, count, seed]);
  const known = placed.get(key);
  if (known) return known;
  const next = sequence(seed);
  const positions: [number, number, number][] = [];
  for (let attempt = 0; positions.length < count && attempt < 20000; attempt++) {
    const place = domain
      .toCartesian(next(), next(), next())
      .map((x) => Math.round(x * 2 ** 16) / 2 ** 16) as [number, number, number];
    const free = positions.every((other) => {
      const d = domain.minimumImage(place[0] - other[0], place[1] - other[1], place[2] - other[2]);
      return Math.hypot(...d) > 0.85;
    });
    if (free) positions.push(place);
  }
  placed.set(key, positions);
  return positions;
}

/** Particles of two types there, with something in every field that the functors use. */
export function particles(
  ctx: ExecutionContext,
  domain: Domain,
  count: number,
  seed: number,
): Grid {
  const next = sequence(seed + 1000);
  const positions = placesIn(domain, count, seed);
  const grid = gridOf(
    ctx.heap,
    domain,
    positions,
    positions.map(() => Math.floor(2 * next())),
  );
  grid.addBlock({ name: 'cn', type: 'f64', width: 1, members: ['cn'] });
  grid.addBlock({ name: 'hard', type: 'u32', width: 1, members: ['hard'] });
  grid.addBlock({ name: 'far', type: 'f64', width: 1, members: ['far'] });
  grid.addBlock({ name: 'virial', type: 'f64', width: 4, members: ['vxx', 'vyy', 'vzz', null] });
  grid.addBlock({ name: 'shear', type: 'f64', width: 4, members: ['vxy', 'vxz', null, 'vyz'] });
  const fill = (name: string, value: () => number) => grid.setValues(name, positions.map(value));
  for (const name of ['vx', 'vy', 'vz', 'charge'])
    fill(name, () => Math.round(512 * next()) / 256 - 1);
  for (const name of ['fx', 'fy', 'fz', 'ep', 'cn', 'vxx'])
    fill(name, () => Math.round(64 * next()) / 64);
  fill('mass', () => 1 + Math.round(4 * next()) / 4);
  return grid;
}

/** What the outputs must be, by calling the user's function on every pair of a brute-force search. */
export function oracle(grid: Grid, functor: AnyPair, params: object, rcut: number) {
  const { spec } = functor;
  if (spec.kind !== 'pair') throw new Error('not a pair functor');
  const names = [...Object.keys({ ...spec.central, ...spec.read, ...spec.neighbor })];
  const fields = new Map(names.map((name) => [name, grid.values(name)]));
  // A table of one number stands for every index; the direct call gets it written out.
  const written = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value) && value.length === 1 ? new Array(16).fill(value[0]) : value,
    ]),
  );
  const outputs = Object.keys(spec.central);
  const sums = Object.fromEntries(outputs.map((name) => [name, 0]));
  const reader = (schema: object) => {
    const columns = Object.keys(schema).map((name) => [name, fields.get(name)!] as const);
    return (row: number) => {
      const particle: Record<string, number> = {};
      for (const [name, values] of columns) particle[name] = values[row]!;
      return particle;
    };
  };
  const readCentral = reader({ ...spec.central, ...spec.read });
  const readNeighbor = reader(spec.neighbor);
  for (const { i, j, d, r2 } of bruteForcePairs(grid, rcut)) {
    const central = readCentral(i);
    functor.invoke(central, readNeighbor(j), { x: d[0], y: d[1], z: d[2], r2 }, written);
    for (const name of outputs) {
      const field = fields.get(name)!;
      sums[name]! += central[name]! - field[i]!;
      field[i] = central[name]!;
    }
  }
  return { fields, sums };
}
