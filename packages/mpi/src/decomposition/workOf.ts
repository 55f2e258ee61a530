import type { Grid } from '@corpuscle/core';
import type { HostEngine } from '@corpuscle/patterns';
import type { Communicator } from '../communicator/Communicator.js';
import type { Halo } from '../halo/Halo.js';

/** What a particle costs beside its pairs, in pairs: it is moved, sorted and summed up. */
const PER_PARTICLE = 8;
/** Particles that are looked at to divide the box: enough for shares that are right to a percent. */
export const MOST_SAMPLES = 2 ** 20;

/** What the particles of a rank cost, by row: pairs are listed, so that all runs of one kind are divided alike. */
export function workOf(engine: HostEngine, grid: Grid, halo: Halo, rcut: number): Float64Array {
  const work = new Float64Array(grid.count).fill(PER_PARTICLE);
  engine.neighborList(grid, 'half', rcut).forEachPair((i, j) => {
    work[i]! += 0.5;
    work[j]! += 0.5;
  });
  // Pairs across a border are computed on both sides.
  halo.forEachBorderPair(rcut, (row) => {
    work[row]! += 0.5;
  });
  return work;
}

/** The largest work of a rank over the mean of all. */
export function imbalanceOf(communicator: Communicator, work: Float64Array): number {
  const all = communicator.gather(Float64Array.of(work.reduce((sum, one) => sum + one, 0)));
  return (Math.max(...all) * all.length) / all.reduce((sum, one) => sum + one, 0);
}

/** Particles of all ranks, of many some: where they are, and what they stand for. */
export function sampleWork(
  communicator: Communicator,
  points: Float64Array,
  work: Float64Array,
  total: number,
): { readonly points: Float64Array; readonly weights: Float64Array } {
  const stride = Math.ceil(total / MOST_SAMPLES);
  const count = Math.floor(work.length / stride);
  const own = new Float64Array(4 * count);
  for (let k = 0; k < count; k++) {
    const row = k * stride;
    own.set(points.subarray(3 * row, 3 * row + 3), 4 * k);
    own[4 * k + 3] = work[row]!;
  }
  const bytes = new Uint8Array(own.buffer);
  const parts = communicator.exchange(Array.from({ length: communicator.size }, () => bytes));
  const all = parts.flatMap(({ buffer }) => [new Float64Array(buffer as ArrayBuffer)]);
  const rows = all.reduce((sum, { length }) => sum + length / 4, 0);
  const [at, weights] = [new Float64Array(3 * rows), new Float64Array(rows)];
  let row = 0;
  for (const part of all)
    for (let k = 0; k < part.length; k += 4, row++) {
      at.set(part.subarray(k, k + 3), 3 * row);
      weights[row] = part[k + 3]!;
    }
  return { points: at, weights };
}
