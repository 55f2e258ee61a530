import type { Grid } from '@corpuscle/core';
import type { PairAdaptations } from '../../src/plan/adapt/adaptPairs.js';
import type { PairWeight } from '../../src/plan/adapt/pairWeights.js';
import type { AnyPairs } from './adaptFunctors.js';
import { bruteForcePairs } from './bruteForce.js';

type Row = Record<string, number>;

interface FoundPair {
  readonly j: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly r2: number;
  readonly weight: number;
}

/** What must come out, by calling the user's function for what a search over all pairs finds. */
export function expectedPairs(
  grid: Grid,
  functor: AnyPairs,
  options: PairAdaptations,
  list: readonly PairWeight[],
  rcut: number,
) {
  const { spec } = functor;
  if (spec.kind !== 'pair' && spec.kind !== 'neighborhood') throw new Error('no pairs');
  const { particleFilter: particle, cellFilter: cells, xform } = options;
  const fields = new Map<string, Float64Array>();
  const value = (name: string, row: number) => {
    const known = fields.get(name) ?? grid.values(name);
    fields.set(name, known);
    return known[row]!;
  };
  const passes = (s: { field: string; bits: number } | undefined, row: number) =>
    !s || (value(s.field, row) & s.bits) !== 0;
  const inCell = (row: number) => {
    if (!cells) return true;
    const at = grid.domain.toFractional(value('rx', row), value('ry', row), value('rz', row));
    const [x, y, z] = at.map((s, k) => Math.floor((s - Math.floor(s)) * cells.cells[k]!));
    return cells.mask[x! + cells.cells[0] * (y! + cells.cells[1] * z!)] !== 0;
  };
  const weights = new Map<string, number>();
  for (const { ids, weight } of [...list].reverse())
    for (const [a, b] of [ids, [ids[1], ids[0]]]) weights.set(`${a} ${b}`, weight);
  const weightOf = (i: number, j: number) =>
    weights.get(`${value('id', i)} ${value('id', j)}`) ?? 1;
  const ownWeight = functor.traits.needsPairWeights;
  const names = Object.keys(functor.outputs);
  const result = new Map(names.map((name) => [name, new Float64Array(grid.count)]));
  const pick = (schema: object, row: number): Row =>
    Object.fromEntries(Object.keys(schema).map((name) => [name, value(name, row)]));
  const zero = (schema: object): Row => Object.fromEntries(Object.keys(schema).map((n) => [n, 0]));
  const found = Array.from({ length: grid.count }, (): FoundPair[] => []);
  const m = xform ?? [1, 0, 0, 0, 1, 0, 0, 0, 1];
  for (const { i, j, d } of bruteForcePairs(grid, 2.8)) {
    const x = m[0]! * d[0] + m[1]! * d[1] + m[2]! * d[2];
    const y = m[3]! * d[0] + m[4]! * d[1] + m[5]! * d[2];
    const z = m[6]! * d[0] + m[7]! * d[1] + m[8]! * d[2];
    const r2 = x * x + y * y + z * z;
    if (r2 < rcut * rcut) found[i]!.push({ j, x, y, z, r2, weight: weightOf(i, j) });
  }
  for (let i = 0; i < grid.count; i++) {
    if (!passes(particle?.central, i) || !inCell(i)) continue;
    const near = found[i]!.filter(
      (pair) => passes(particle?.neighbor, pair.j) && (ownWeight || pair.weight !== 0),
    );
    if (spec.kind === 'pair' && spec.context) {
      const central = { ...pick(spec.read, i), ...zero(spec.central) };
      const x = zero(spec.context);
      const rest = [x, central, { k: 0.75 }, { ...spec.helpers }] as never[];
      spec.contextStart?.(...rest);
      for (const pair of near)
        functor.invoke(central, pick(spec.neighbor, pair.j), pair, { k: 0.75 }, x);
      spec.contextStop?.(...rest);
      for (const name of names) result.get(name)![i]! += central[name]!;
      continue;
    }
    if (spec.kind === 'pair') {
      for (const pair of near) {
        const central = { ...pick(spec.read, i), ...zero(spec.central) };
        functor.invoke(central, pick(spec.neighbor, pair.j), pair, { k: 0.75 });
        for (const name of names)
          result.get(name)![i]! += central[name]! * (ownWeight ? 1 : pair.weight);
      }
      continue;
    }
    const central = { ...pick(spec.read, i), ...zero(spec.central) };
    const barrier = () => {};
    const b: Record<string, number | number[] | (() => void)> = {
      count: near.length,
      lane: 0,
      lanes: 1,
      barrier,
    };
    for (const [name, key] of Object.entries({
      dx: 'x',
      dy: 'y',
      dz: 'z',
      r2: 'r2',
      weight: 'weight',
    }))
      b[name] = near.map((pair) => pair[key as 'x']);
    for (const name of Object.keys(spec.neighbor)) b[name] = near.map((p) => value(name, p.j));
    for (const name of Object.keys({ ...spec.scatter, ...spec.work })) b[name] = near.map(() => 0);
    functor.invoke(central, b, { k: 0.75 });
    for (const name of Object.keys(spec.central)) result.get(name)![i]! += central[name]!;
    for (const name of Object.keys(spec.scatter))
      near.forEach((pair, k) => {
        result.get(name)![pair.j]! += (b[name] as number[])[k]!;
      });
  }
  return result;
}
