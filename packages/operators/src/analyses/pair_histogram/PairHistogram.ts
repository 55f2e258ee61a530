import type { Domain, Grid } from '@corpuscle/core';
import {
  blockParallelFor,
  type ExecutionContext,
  newestOnHost,
  type SharedArray,
} from '@corpuscle/patterns';
import { KeptArrays } from '../define/KeptArrays.js';
import { countPairs } from './countPairs.js';
import { type Cells, cellsOf, partnersOf } from './partners.js';
import { type Extent, extentOf, sortParticles } from './SortedParticles.js';

/** Which pairs are counted, and in which bins. */
export interface PairHistogramOptions {
  /** Number of particle types, or of other labels. */
  readonly types: number;
  /** Labels of the particles by row, from 0; default their types. `field` is current on the host when it is asked. */
  readonly labels?:
    | { readonly fields: readonly string[]; of(grid: Grid): ArrayLike<number> }
    | undefined;
  /** Which histogram a pair of types counts for, `kinds[a * types + b]`, the same for b and a; −1 for none. */
  readonly kinds: readonly number[];
  /** Bins of equal width from 0 to the cutoff. */
  readonly bins: number;
}

/** Cells for a box, and how many runs of particles of one type they have. */
interface Stencil {
  readonly domain: Domain;
  readonly rcut: number;
  readonly cells: Cells;
  readonly extent: Extent;
  readonly runs: number;
}

/** Particles of a cell, and blocks with bins of their own: a lane that is alone does best with small cells. */
const SHAPES = { cpu: { perCell: 16, blocks: 16 }, webgpu: { perCell: 64, blocks: 256 } } as const;

/**
 * Counts how many pairs of particles are at which distance, on the threads of the CPU or on the device. Needs no neighbor lists,
 * and leaves those of the grid alone. On a device positions are fetched to be sorted.
 *
 * @example
 * const histogram = new PairHistogram(ctx, { types: 1, kinds: [0], bins: 100 });
 * const [counts] = await histogram.count(grid, 2.5); // each pair once
 */
export class PairHistogram {
  readonly #ctx: ExecutionContext;
  readonly #options: PairHistogramOptions;
  readonly #arrays: KeptArrays;
  #stencil: Stencil | undefined;

  constructor(ctx: ExecutionContext, options: PairHistogramOptions) {
    this.#ctx = ctx;
    this.#arrays = new KeptArrays(ctx);
    this.#options = options;
  }

  /**
   * The pairs closer than `rcut`, each once, by kind and bin.
   * @param rcut where it exceeds half a periodic width, pairs count at each of their images
   * @throws CorpuscleError BOX_TOO_THIN
   */
  async count(grid: Grid, rcut: number): Promise<Float64Array[]> {
    const ctx = this.#ctx;
    const { types, kinds, bins, labels } = this.#options;
    grid.domain.checkReach(rcut);
    await newestOnHost(grid, ctx, ['rx', ...(labels?.fields ?? ['type'])]);
    const { cells, extent, runs } = this.#stencilOf(grid, rcut);
    const label = labels ? labels.of(grid) : (grid.block('type').array as Uint32Array);
    const { x, y, z, start, bounds } = sortParticles(grid, cells, extent, { types, label });
    const { blocks } = this.#shape;
    const histograms = Math.max(-1, ...kinds) + 1;
    const width = histograms * (bins + 1);
    const counts = this.#arrays.write('counts', 'u32', new Uint32Array(blocks * width));
    const kept = ['first', 'partner', 'image', 'shift', 'kind'] as const;
    const arrays = {
      ...(Object.fromEntries(kept.map((name) => [name, this.#arrays.get(name)])) as Record<
        (typeof kept)[number],
        SharedArray
      >),
      counts,
      x: this.#arrays.write('x', 'real', x),
      y: this.#arrays.write('y', 'real', y),
      z: this.#arrays.write('z', 'real', z),
      start: this.#arrays.write('start', 'u32', start),
      bounds: this.#arrays.write('bounds', 'real', bounds),
    };
    const params = { blocks, runs, bins, width, scale: bins / rcut, rcut2: rcut * rcut };
    const counting = blockParallelFor(blocks, countPairs, ctx, { arrays, params, blockSize: 64 });
    // Whether all was written arrives with what was written.
    await Promise.all([newestOnHost(counts, ctx), counting]);
    return summed(counts.values.subarray(0, blocks * width), histograms, bins);
  }

  /** Gives the memory of all arrays back. */
  close(): void {
    this.#arrays.close();
    this.#stencil = undefined;
  }

  get #shape(): (typeof SHAPES)[keyof typeof SHAPES] {
    return SHAPES[this.#ctx.backend === 'webgpu' ? 'webgpu' : 'cpu'];
  }

  /** Which runs meet which: that changes with the box only. */
  #stencilOf(grid: Grid, rcut: number): Stencil {
    const { domain, count } = grid;
    const now = extentOf({ count, domain, block: grid.block('position') });
    const known = this.#stencil;
    if (known?.domain === domain && known.rcut === rcut && isWithin(now, known.extent))
      return known;
    const { types, kinds } = this.#options;
    const spread = [0, 1, 2].map((k) => now.upper[k]! - now.lower[k]!) as [number, number, number];
    const cells = cellsOf(domain, spread, count, this.#shape.perCell);
    const near = partnersOf(cells, rcut);
    const number = near.first.length - 1;
    const first = new Uint32Array(number * types + 1);
    const [partner, image, kind]: [number[], number[], number[]] = [[], [], []];
    for (let cell = 0; cell < number; cell++)
      for (let a = 0; a < types; a++) {
        for (let s = near.first[cell]!; s < near.first[cell + 1]!; s++) {
          const other = near.partner[s]!;
          const isSelf = other === cell && near.image[s] === 0;
          for (let b = isSelf ? a : 0; b < types; b++) {
            if (kinds[a * types + b]! < 0) continue;
            partner.push(other * types + b);
            image.push(near.image[s]!);
            kind.push(kinds[a * types + b]!);
          }
        }
        first[cell * types + a + 1] = partner.length;
      }
    this.#arrays.write('first', 'u32', first);
    this.#arrays.write('partner', 'u32', partner);
    this.#arrays.write('image', 'u32', image);
    this.#arrays.write('kind', 'u32', kind);
    this.#arrays.write('shift', 'real', near.shift);
    this.#stencil = { domain, rcut, cells, extent: now, runs: number * types };
    return this.#stencil;
  }
}

const isWithin = (one: Extent, other: Extent): boolean =>
  [0, 1, 2].every((k) => other.lower[k]! <= one.lower[k]! && one.upper[k]! <= other.upper[k]!);

/** What all blocks counted together; the last number of every histogram is of pairs beyond the cutoff. */
function summed(counts: ArrayLike<number>, histograms: number, bins: number): Float64Array[] {
  const width = histograms * (bins + 1);
  const sums = Array.from({ length: histograms }, () => new Float64Array(bins));
  for (let at = 0; width > 0 && at < counts.length; at += width)
    sums.forEach((sum, k) => {
      for (let bin = 0; bin < bins; bin++) sum[bin]! += counts[at + k * (bins + 1) + bin]!;
    });
  return sums;
}
