import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { ExecutionContext } from '@corpuscle/patterns';
import { knowBox } from '../../box/presentBox.js';
import { BlockMeans, type SavedBlocks } from '../averages/BlockMeans.js';
import { PairHistogram } from '../pair_histogram/PairHistogram.js';
import { TilePairs } from '../pair_histogram/TilePairs.js';
import { type ParticleSets, SetPairs } from './SetPairs.js';

/** Which pairs are counted, and in which bins; lengths are in the units of the grid. */
export interface RadialDistributionOptions {
  /** Names of the particle types, in the order of their indices. */
  readonly types: readonly string[];
  /** Sets of particles in place of types: a label for each particle, and which labels belong to which set. */
  readonly sets?: ParticleSets | undefined;
  /** Pairs of types, or of sets; default: all. */
  readonly pairs?: readonly (readonly [string, string])[];
  /** Where the histogram ends; default: half the box of the first frame. */
  readonly rMax?: number;
  /** Default 100. */
  readonly bins?: number;
}

/** g(r) of one pair of types. */
export interface RadialPair {
  readonly types: readonly [string, string];
  /** For every bin: the density of the second type around the first, over that of an ideal gas. */
  readonly g: readonly number[];
  /** Standard errors of g from blocks of frames; NaN with one frame. */
  readonly error: readonly number[];
  /** Particles of the second type up to the end of the bin, around one of the first. */
  readonly coordination: readonly number[];
}

/** g(r) of all pairs of types, averaged over frames. */
export interface RadialDistributionResult {
  readonly frames: number;
  /** Middle of every bin. */
  readonly r: readonly number[];
  readonly pairs: readonly RadialPair[];
}

/** What a checkpoint holds of a distribution: sums over frames, by pair of types. */
export type SavedDistribution = {
  readonly frames: number;
  readonly rMax: number | null;
  readonly counts: readonly Float64Array[];
  readonly ideal: readonly number[];
  readonly centers: readonly number[];
  readonly blocks: SavedBlocks;
};

interface Histogram {
  readonly types: readonly [string, string];
  readonly counts: Float64Array;
  /** Σ over frames of (N_a N_b − N_ab)/V, N_ab particles being in both: the pairs that an ideal gas has in a unit of volume. */
  ideal: number;
  /** Σ over frames of N_a. */
  centers: number;
}

/**
 * Radial distribution functions per pair of types, averaged over frames. Distances are to all images in any box. An
 * ideal gas has g = 1: around a particle there are N − 1 others of its type.
 *
 * Pairs are counted where the context computes. On a GPU positions are fetched for each frame, to be sorted, unless `addSorted`
 * leaves them there.
 *
 * @throws CorpuscleError UNKNOWN_TYPE, INVALID_VALUE, BOX_TOO_THIN
 * @example
 * const g = new RadialDistribution(ctx, { types: ['A'], rMax: 3 });
 * await g.add(grid);
 * g.result().pairs[0]!.g;
 */
export class RadialDistribution {
  readonly #bins: number;
  readonly #sets: ParticleSets | undefined;
  readonly #pairs: SetPairs;
  readonly #histograms: readonly Histogram[];
  readonly #counting: PairHistogram;
  /** Where pairs are counted on a device that keeps the counts; null elsewhere. */
  readonly #tiles: TilePairs | null;
  /** g of all pairs of types and bins, frame by frame. */
  readonly #frameMeans: BlockMeans;
  #rMax: number | undefined;
  #frames = 0;

  constructor(ctx: ExecutionContext, options: RadialDistributionOptions) {
    const { sets, bins = 100, rMax } = options;
    this.#bins = bins;
    this.#rMax = rMax;
    this.#sets = sets;
    if (!(Number.isInteger(bins) && bins > 0))
      throw new CorpuscleError('INVALID_VALUE', `bins is ${bins}: give a whole number from 1`);
    if (rMax !== undefined && !(rMax > 0 && Number.isFinite(rMax)))
      throw new CorpuscleError('INVALID_VALUE', `r_max is ${rMax}: give a positive length`);
    this.#pairs = new SetPairs(options);
    this.#histograms = this.#pairs.names.map((types) => ({
      types,
      counts: new Float64Array(bins),
      ideal: 0,
      centers: 0,
    }));
    this.#frameMeans = new BlockMeans(this.#histograms.length * bins);
    const which = { types: this.#pairs.labels, kinds: this.#pairs.kinds, bins };
    this.#counting = new PairHistogram(ctx, { ...which, labels: sets });
    const isOnDevice =
      ctx.precision === 'f32' && (ctx.operatorBackend ?? ctx.backend) === 'webgpu' && !sets;
    this.#tiles = isOnDevice ? new TilePairs(ctx, which) : null;
  }

  /**
   * Adds a frame. The grid itself is left as it is, lists and order included.
   * @throws CorpuscleError MISSING_VALUE for an open box without `rMax`; BOX_TOO_THIN when `rMax` exceeds 15 times the box.
   */
  async add(grid: Grid): Promise<void> {
    const rcut = this.#cutoff(grid);
    await this.settle();
    const counts = await this.#counting.count(grid, rcut);
    const numbers = new Float64Array(this.#pairs.labels);
    const label = this.#sets ? this.#sets.of(grid) : grid.block('type').array;
    for (let row = 0; row < grid.count; row++) numbers[Number(label[row])]!++;
    this.#addCounts(counts, numbers, grid.domain.volume);
  }

  /**
   * Adds a frame whose particles are sorted, as they are after lists were built. Where a device can count them the counts stay there, and
   * `settle` or a later frame fetches them; the grid gets the block `lattice_place`. Elsewhere it is the same as `add`.
   * @throws as `add`
   */
  async addSorted(grid: Grid): Promise<void> {
    const tiles = this.#tiles;
    if (!tiles || grid.count === 0 || grid.domain.periodic.includes(false)) return this.add(grid);
    await knowBox(grid);
    const rcut = this.#cutoff(grid);
    grid.domain.checkReach(rcut);
    if (tiles.isFull) await this.settle();
    await tiles.add(grid, rcut);
  }

  /** Fetches the counts of all frames so far: results are those of all frames afterwards. */
  async settle(): Promise<void> {
    if (!this.#tiles || this.#tiles.frames === 0) return;
    for (const { counts, numbers, volume } of await this.#tiles.take())
      this.#addCounts(counts, numbers, volume);
  }

  /** Where the histogram ends: known from the first frame on. */
  #cutoff(grid: Grid): number {
    this.#rMax ??= halfBox(grid);
    if (!Number.isFinite(this.#rMax))
      throw new CorpuscleError('MISSING_VALUE', 'an open box has no half: give r_max');
    return this.#rMax;
  }

  /** @param counts by kind and bin. @param numbers of particles by label */
  #addCounts(
    counts: readonly ArrayLike<number>[],
    numbers: ArrayLike<number>,
    volume: number,
  ): void {
    const { kinds, labels } = this.#pairs;
    const bins = this.#bins;
    const frame = new Float64Array(this.#histograms.length * bins);
    this.#histograms.forEach((histogram, n) => {
      const { counts: sums } = histogram;
      const { first, second, both } = this.#pairs.sizes(n, numbers);
      const ideal = Math.max(0, first * second - both) / volume;
      histogram.ideal += ideal;
      histogram.centers += first;
      for (let one = 0; one < labels; one++)
        for (let other = one; other < labels; other++) {
          const weight = this.#pairs.weight(n, one, other);
          if (weight === 0) continue;
          const found = counts[kinds[one * labels + other]!]!;
          for (let bin = 0; bin < bins; bin++) {
            sums[bin]! += weight * found[bin]!;
            frame[n * bins + bin]! +=
              ideal > 0 ? (weight * found[bin]!) / (ideal * this.#shell(bin)) : 0;
          }
        }
    });
    this.#frameMeans.add(frame);
    this.#frames++;
  }

  /** Gives the memory of the counting back. */
  close(): void {
    this.#counting.close();
    this.#tiles?.close();
  }

  /** The volume of a bin. */
  #shell(k: number): number {
    const width = (this.#rMax ?? 0) / this.#bins;
    return (4 / 3) * Math.PI * ((k + 1) ** 3 - k ** 3) * width ** 3;
  }

  /** The functions of all frames so far. */
  result(): RadialDistributionResult {
    const bins = this.#bins;
    const width = (this.#rMax ?? 0) / bins;
    return {
      frames: this.#frames,
      r: Array.from({ length: bins }, (_, k) => (k + 0.5) * width),
      pairs: this.#histograms.map(({ types, counts, ideal, centers }, n) => {
        let inside = 0;
        return {
          types,
          g: Array.from(counts, (count, k) => (ideal > 0 ? count / (ideal * this.#shell(k)) : 0)),
          error: Array.from(counts, (_, k) => this.#frameMeans.error(n * bins + k)),
          coordination: Array.from(counts, (count) => {
            inside += count;
            return centers > 0 ? inside / centers : 0;
          }),
        };
      }),
    };
  }

  /** The sums of all frames so far, for a checkpoint. */
  save(): SavedDistribution {
    return {
      frames: this.#frames,
      rMax: this.#rMax ?? null,
      counts: this.#histograms.map(({ counts }) => counts),
      ideal: this.#histograms.map(({ ideal }) => ideal),
      centers: this.#histograms.map(({ centers }) => centers),
      blocks: this.#frameMeans.save(),
    };
  }

  /** Goes on with what `save` gave. @throws CorpuscleError CHECKPOINT_MISMATCH for other bins or pairs. */
  restore(saved: SavedDistribution): void {
    const isSame =
      saved.counts.length === this.#histograms.length &&
      saved.counts.every((counts) => counts.length === this.#bins);
    if (!isSame)
      throw new CorpuscleError(
        'CHECKPOINT_MISMATCH',
        `the checkpoint has other pairs or bins than ${this.#histograms.length} pairs with ${this.#bins} bins`,
      );
    this.#frames = saved.frames;
    this.#frameMeans.restore(saved.blocks);
    this.#rMax = saved.rMax ?? undefined;
    this.#histograms.forEach((histogram, k) => {
      histogram.counts.set(saved.counts[k]!);
      histogram.ideal = saved.ideal[k]!;
      histogram.centers = saved.centers[k]!;
    });
  }
}

/** Half the narrowest periodic width; Infinity in an open box. */
const halfBox = ({ domain }: Grid): number =>
  Math.min(Number.POSITIVE_INFINITY, ...domain.heights.filter((_, k) => domain.periodic[k])) / 2;
