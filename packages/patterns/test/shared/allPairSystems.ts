import { Domain, Grid } from '@corpuscle/core';
import { type ExecutionContext, pairFunctor } from '@corpuscle/patterns';
import { expect } from 'vitest';

export const outputs = {
  fx: 'particles',
  fy: 'particles',
  fz: 'particles',
  ep: 'both',
  w: 'total',
} as const;
const spec = {
  central: { fx: 'real', fy: 'real', fz: 'real', ep: 'real', w: 'real' },
  read: { charge: 'real' },
  neighbor: { charge: 'real' },
  params: { k: 'real' },
} as const;

/** A smooth force between charges. */
export const mutual = pairFunctor(
  { name: 'mutual', ...spec, traits: { newton3: true } },
  (i, j, d, p) => {
    const g = p.k * i.charge * j.charge * Math.exp(-d.r2);
    i.fx += g * d.x;
    i.fy += g * d.y;
    i.fz += g * d.z;
    i.ep += g;
    i.w += g * d.r2;
  },
);
/** The same, but only what the central particle receives. */
export const oneSided = pairFunctor({ name: 'one_sided', ...spec }, (i, j, d, p) => {
  const g = p.k * i.charge * j.charge * Math.exp(-d.r2);
  i.fx += g * d.x;
  i.fy += g * d.y;
  i.fz += g * d.z;
  i.ep += g;
  i.w += g * d.r2;
});

export const boxes = {
  orthorhombic: Domain.orthorhombic([3, 3.5, 4], { origin: [-1, 2, 0.5] }),
  slab: Domain.orthorhombic([3, 3.5, 4], { periodic: [true, true, false] }),
  'far from reduced': Domain.triclinic([3, 0, 0, 5.7, 2.6, 0, -4.1, 7.7, 2.4]),
  'truncated octahedron': Domain.triclinic([3, 0, 0, 1, 2.83, 0, -1, 1.41, 2.45]),
  'skewed, open along b': Domain.triclinic([3, 0, 0, 1, 3, 0, 0.5, 1, 3.2], {
    periodic: [true, false, true],
  }),
  open: Domain.open({ lower: [0, 0, 0], upper: [3, 3, 3] }),
} as const;

/** Particles in and near a domain, in no order, with charges. */
export function particles(ctx: ExecutionContext, domain: Domain, count: number): Grid {
  const grid = new Grid(ctx.heap, domain);
  grid.resize(count);
  const r = grid.block('position').array as Float64Array;
  const q = grid.block('charge').array as Float64Array;
  const id = grid.block('id').array as BigUint64Array;
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  for (let k = 0; k < count; k++) {
    // Some lie outside the box, two at one place.
    const s = [random(), random(), random()].map((x) => x * 1.2 - 0.1);
    const at = k === 5 ? Array.from(r.subarray(16, 19)) : domain.toCartesian(s[0]!, s[1]!, s[2]!);
    r.set(at, 4 * k);
    q[k] = 0.5 + random();
    id[k] = BigInt(k);
  }
  for (const name of ['position', 'charge', 'id']) grid.block(name).hostWritten();
  return grid;
}

/** What each of `rows` gets from `others`, or from those of them that `starts` lists for it. */
interface Sets {
  readonly images?: boolean;
  readonly rows: readonly number[];
  readonly others: readonly number[];
  readonly starts?: readonly number[];
}

const vectors = new Map<string, Float64Array>();

/** From each particle to each other, to nearest images or not: found once for many cutoffs, functors and machines. */
function vectorsOf({ domain, count }: Grid, r: Float64Array, images: boolean): Float64Array {
  const key = [domain.matrix, domain.periodic, images, r.join()].join(' ');
  let known = vectors.get(key);
  if (known) return known;
  known = new Float64Array(3 * count * count);
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) {
      const d = [0, 1, 2].map((axis) => r[4 * i + axis]! - r[4 * j + axis]!);
      known.set(images ? domain.minimumImage(d[0]!, d[1]!, d[2]!) : d, 3 * (count * i + j));
    }
  vectors.set(key, known);
  return known;
}

/** Sums over pairs by the definition. */
export function bruteForce(grid: Grid, rcut: number, sets: Sets) {
  const { images = true, rows, others, starts } = sets;
  const r = grid.block('position').array as Float64Array;
  const q = grid.block('charge').array as Float64Array;
  const vector = vectorsOf(grid, r, images);
  const field = new Float64Array(4 * grid.count);
  let [ep, w] = [0, 0];
  rows.forEach((i, k) => {
    for (const j of starts ? others.slice(starts[k], starts[k + 1]) : others) {
      if (i === j) continue;
      const at = 3 * (grid.count * i + j);
      const r2 = vector[at]! ** 2 + vector[at + 1]! ** 2 + vector[at + 2]! ** 2;
      if (!(r2 < rcut * rcut)) continue;
      const g = 0.3 * q[i]! * q[j]! * Math.exp(-r2);
      for (let axis = 0; axis < 3; axis++) field[4 * i + axis]! += g * vector[at + axis]!;
      field[4 * i + 3]! += g;
      ep += g;
      w += g * r2;
    }
  });
  return { field, ep, w };
}

/** Compares fields and totals with sums by the definition. */
export function agrees(
  tolerance: number,
  grid: Grid,
  totals: { ep: number; w: number },
  expected: ReturnType<typeof bruteForce>,
): void {
  const found = grid.block('force').array as Float64Array;
  const scale = Math.max(...expected.field.map(Math.abs));
  for (let k = 0; k < 4 * grid.count; k++) {
    const off = Math.abs(found[k]! - expected.field[k]!) / scale;
    if (!(off < tolerance)) expect(off, `number ${k}`).toBeLessThan(tolerance);
  }
  expect(Math.abs(totals.ep / expected.ep - 1)).toBeLessThan(tolerance);
  expect(Math.abs(totals.w / expected.w - 1)).toBeLessThan(tolerance);
}
