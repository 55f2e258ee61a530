import type { Grid } from '@corpuscle/core';
import { blockParallelFor, type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { KeptArrays } from '../define/KeptArrays.js';
import { WAVE_LANES, waveSums } from './waveSums.js';

/** ρ(q) of each wave vector and type, and how many particles the types have. */
export interface Waves {
  /** Number of vector · types + type. */
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly numbers: readonly number[];
}

/** Amplitudes of density waves, computed where the context computes. */
export class DensityWaves {
  readonly #ctx: ExecutionContext;
  readonly #types: number;
  readonly #arrays: KeptArrays;

  constructor(ctx: ExecutionContext, types: number) {
    this.#ctx = ctx;
    this.#arrays = new KeptArrays(ctx);
    this.#types = types;
  }

  /**
   * @param n wave vectors in multiples of the reciprocal lattice. Positions and types must be on the host.
   * @param rows particles that count.
   */
  async of(grid: Grid, n: Float64Array, rows: Uint32Array): Promise<Waves> {
    const { x, y, z, start } = this.#sorted(grid, rows);
    const vectors = n.length / 3;
    const room = new Float64Array(vectors * this.#types);
    const arrays = {
      re: this.#arrays.write('re', 'real', room),
      im: this.#arrays.write('im', 'real', room),
      x: this.#arrays.write('x', 'real', x),
      y: this.#arrays.write('y', 'real', y),
      z: this.#arrays.write('z', 'real', z),
      n: this.#arrays.write('n', 'real', n),
      start: this.#arrays.write('start', 'u32', start),
    };
    const params = { types: this.#types };
    const sums = blockParallelFor(vectors, waveSums, this.#ctx, {
      arrays,
      params,
      blockSize: WAVE_LANES,
    });
    // Whether all was written arrives with what was written.
    await Promise.all([
      newestOnHost(arrays.re, this.#ctx),
      newestOnHost(arrays.im, this.#ctx),
      sums,
    ]);
    return {
      re: Float64Array.from(arrays.re.values.subarray(0, room.length)),
      im: Float64Array.from(arrays.im.values.subarray(0, room.length)),
      numbers: Array.from({ length: this.#types }, (_, t) => start[t + 1]! - start[t]!),
    };
  }

  /** Lattice coordinates from 0 to 1, type after type. */
  #sorted(grid: Grid, rows: Uint32Array) {
    const { domain } = grid;
    const type = grid.block('type').array as Uint32Array;
    const position = grid.block('position').array as Float64Array;
    const start = new Uint32Array(this.#types + 1);
    for (const row of rows) start[type[row]! + 1]!++;
    for (let t = 0; t < this.#types; t++) start[t + 1]! += start[t]!;
    const next = start.slice();
    const [x, y, z] = [0, 1, 2].map(() => new Float64Array(rows.length)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    for (const row of rows) {
      const at = next[type[row]!]!++;
      const s = domain.toFractional(
        position[4 * row]!,
        position[4 * row + 1]!,
        position[4 * row + 2]!,
      );
      x[at] = s[0] - Math.floor(s[0]);
      y[at] = s[1] - Math.floor(s[1]);
      z[at] = s[2] - Math.floor(s[2]);
    }
    return { x, y, z, start };
  }

  /** Gives the memory of all arrays back. */
  close(): void {
    this.#arrays.close();
  }
}
