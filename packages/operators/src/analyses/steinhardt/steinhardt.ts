import { CorpuscleError, type Grid } from '@corpuscle/core';
import {
  cellFunctor,
  computeCellParticlePairs,
  computeCellParticles,
  type ExecutionContext,
  neighborhoodFunctor,
  newestOnHost,
  type ParticleSelection,
  reduceCellParticles,
  reduceFunctor,
  updateNeighbors,
} from '@corpuscle/patterns';
import { quotient } from '../define/quotient.js';

/** Fields of a particle: its bond-order parameters, and the number of neighbors they are taken over. */
export const steinhardtBlock = {
  name: 'steinhardt',
  type: 'f64',
  width: 4,
  members: ['q4', 'q6', 'qn'],
} as const;

/** Legendre polynomials of degrees 4 and 6 at c, from c². */
function legendre4(c2: number): number {
  return 0.125 * ((35 * c2 - 30) * c2 + 3);
}
function legendre6(c2: number): number {
  return 0.0625 * (((231 * c2 - 315) * c2 + 105) * c2 - 5);
}

/**
 * q_l² = Σ_jk P_l(cos γ_jk)/n² over pairs of the n neighbors: the addition theorem makes the sum over m of |q_lm|² a sum
 * over angles between bonds (Steinhardt, Nelson and Ronchetti, Phys. Rev. B 28, 784 (1983), in this form). With `nearest`
 * only so many neighbors count, the closest ones; particles with fewer get 0, as in compute orientorder/atom of LAMMPS.
 */
export const bondOrder = neighborhoodFunctor(
  {
    name: 'steinhardt',
    central: { q4: 'real', q6: 'real', qn: 'real' },
    work: { taken: 'real', inverse: 'real' },
    params: { nearest: 'u32' },
    helpers: { legendre4, legendre6 },
  },
  (i, b, p, h) => {
    const chosen = p.nearest === 0 ? b.count : Math.min(p.nearest, b.count);
    for (let k = 0; k < b.count; k++) {
      b.taken[k] = p.nearest === 0 ? 1 : 0;
      b.inverse[k] = b.r2[k]! > 0 ? 1 / Math.sqrt(b.r2[k]!) : 0;
    }
    if (p.nearest !== 0) {
      for (let n = 0; n < chosen; n++) {
        let best = 0;
        let least = 1e30;
        for (let k = 0; k < b.count; k++) {
          if (b.taken[k]! === 0 && b.r2[k]! < least) {
            least = b.r2[k]!;
            best = k;
          }
        }
        b.taken[best] = 1;
      }
    }
    let s4 = 0;
    let s6 = 0;
    for (let k = 0; k < b.count; k++) {
      if (b.taken[k]! !== 0) {
        s4 += 0.5;
        s6 += 0.5;
        for (let l = 0; l < k; l++) {
          if (b.taken[l]! !== 0) {
            const dot = b.dx[k]! * b.dx[l]! + b.dy[k]! * b.dy[l]! + b.dz[k]! * b.dz[l]!;
            const c = dot * b.inverse[k]! * b.inverse[l]!;
            s4 += h.legendre4(c * c);
            s6 += h.legendre6(c * c);
          }
        }
      }
    }
    const n = h.real(chosen);
    const scale = chosen > 0 && chosen >= p.nearest ? 2 / (n * n) : 0;
    i.q4 += Math.sqrt(Math.max(0, s4 * scale));
    i.q6 += Math.sqrt(Math.max(0, s6 * scale));
    i.qn += n;
  },
);

const clear = cellFunctor(
  { name: 'zero_steinhardt', fields: { q4: 'real', q6: 'real', qn: 'real' } },
  (i) => {
    i.q4 = 0;
    i.q6 = 0;
    i.qn = 0;
  },
);

const fewest = reduceFunctor(
  {
    name: 'steinhardt_neighbors',
    result: { least: 'min', q4: 'sum', q6: 'sum', count: 'sum' },
    read: { qn: 'real', q4: 'real', q6: 'real' },
  },
  (acc, i) => {
    acc.least = Math.min(acc.least, i.qn);
    acc.count += 1;
    acc.q4 += i.q4;
    acc.q6 += i.q6;
  },
);

/** Which neighbors count: all within `rcut`, or the nearest ones among them. */
export interface SteinhardtOptions {
  /** How far neighbors are looked for. Default, with `nearest`: as far as the density says that they are. */
  readonly rcut?: number;
  /** How many neighbors, for instance 12; default: all within `rcut`. */
  readonly nearest?: number;
  /** Gives a grid of the same particles whose lists reach a cutoff. Default: the lists of the grid itself are rebuilt. */
  readonly neighbors?: (rcut: number) => Promise<Grid>;
  /** The particles that are looked at, with neighbors of any kind; default all. Others get 0. */
  readonly among?: ParticleSelection | undefined;
}

/** Means over the particles that are looked at, from 0 to 1. */
export interface SteinhardtMeans {
  readonly q4: number;
  readonly q6: number;
  /** How far neighbors were looked for. */
  readonly rcut: number;
  /** The fewest neighbors that any of them has; below `nearest`, its parameters are 0. Infinity of no particles. */
  readonly least: number;
}

/**
 * Bond-order parameters q4 and q6 of every particle, left in the grid's fields `q4` and `q6`; `qn` is the number of
 * neighbors. Returns their means.
 *
 * Ideal crystals, 12 or 14 neighbors: fcc 0.1909, 0.5745; hcp 0.0972, 0.4848; bcc 0.0364, 0.5107.
 *
 * @throws CorpuscleError MISSING_VALUE without `rcut` and `nearest`; BOX_TOO_THIN
 * @example
 * const { q6 } = await steinhardt(grid, ctx, { nearest: 12 });
 */
export async function steinhardt(
  grid: Grid,
  ctx: ExecutionContext,
  { rcut, nearest, neighbors, among }: SteinhardtOptions,
): Promise<SteinhardtMeans> {
  if (rcut === undefined && nearest === undefined)
    throw new CorpuscleError('MISSING_VALUE', 'steinhardt needs rcut, or nearest: give one');
  const half =
    Math.min(
      ...grid.domain.heights.filter((_, k) => grid.domain.periodic[k]),
      Number.POSITIVE_INFINITY,
    ) / 2;
  const listed =
    neighbors ??
    (async (reach: number) => {
      await updateNeighbors(grid, ctx, { rcut: reach, skin: 0 });
      return grid;
    });
  let reach = rcut ?? Math.min(half, guess(grid, nearest!));
  for (;;) {
    const chosen = { rcut: reach, nearest: nearest ?? 0, among };
    const sums = await evaluate(await listed(reach), ctx, chosen);
    const { count, least } = sums;
    const [q4, q6] = [quotient(sums.q4, count), quotient(sums.q6, count)];
    const means = { q4, q6, rcut: reach, least: count === 0 ? Infinity : least };
    if (nearest === undefined || least >= nearest || count === 0) return means;
    const farther = Math.min(half, 1.3 * reach);
    if (rcut !== undefined || farther <= reach || reach > 1e3 * guess(grid, nearest)) return means;
    reach = farther;
  }
}

async function evaluate(
  grid: Grid,
  ctx: ExecutionContext,
  { rcut, nearest, among }: { rcut: number; nearest: number; among: ParticleSelection | undefined },
): Promise<{ least: number; q4: number; q6: number; count: number }> {
  grid.addBlock(steinhardtBlock);
  computeCellParticles(grid, clear, ctx);
  const some = among ? { particleFilter: { central: among } } : {};
  const params = { nearest };
  const done = computeCellParticlePairs(grid, bondOrder, ctx, { rcut, params, ...some });
  const sums = await reduceCellParticles(grid, fewest, {}, ctx, some);
  await done;
  return sums;
}

/** A distance within which twice as many neighbors lie as are wanted, where particles fill the box evenly. */
function guess(grid: Grid, nearest: number): number {
  const volume = grid.domain.volume * 2 * (nearest + 1);
  return ((3 * volume) / (4 * Math.PI * Math.max(1, grid.count))) ** (1 / 3);
}

/** q4, q6 and the number of neighbors of every particle, in the order of ids. */
export async function steinhardtById(
  grid: Grid,
  ctx: ExecutionContext,
): Promise<{ q4: Float64Array; q6: Float64Array; neighbors: Float64Array }> {
  await newestOnHost(grid, ctx, ['q4', 'id']);
  const values = grid.block('steinhardt').array;
  const [q4, q6, neighbors] = [0, 1, 2].map(() => new Float64Array(grid.count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  grid.rowsById().forEach((row, k) => {
    q4[k] = Number(values[4 * row]);
    q6[k] = Number(values[4 * row + 1]);
    neighbors[k] = Number(values[4 * row + 2]);
  });
  return { q4, q6, neighbors };
}
