import { CorpuscleError, type Grid } from '@corpuscle/core';
import { type ExecutionContext, reduceCellParticles, reduceFunctor } from '@corpuscle/patterns';

/** The bins of a histogram, in the units of the values; numbers outside are counted as below or above. */
export interface HistogramOptions {
  /** Where the first bin begins. Default 0. */
  readonly min?: number;
  /** Where the last bin ends. */
  readonly max: number;
  /** Default 50; at most 1024. */
  readonly bins?: number;
}

/** How often per-particle numbers fall into each bin, over all frames so far. */
export interface HistogramResult {
  readonly frames: number;
  /** Middle of every bin. */
  readonly centers: readonly number[];
  /** Particles in every bin, a frame on average. */
  readonly counts: readonly number[];
  /** Particles below the first bin and above the last, a frame on average. */
  readonly below: number;
  readonly above: number;
  readonly mean: number;
  readonly standardDeviation: number;
}

/** What a checkpoint holds of a histogram: sums over frames. */
export type SavedHistogram = {
  readonly frames: number;
  readonly counts: Float64Array;
  readonly sums: {
    readonly below: number;
    readonly above: number;
    readonly number: number;
    readonly total: number;
    readonly squares: number;
  };
};

const MOST_BINS = 1024;

/** Counts of a frame; particles of a group count as often as they occur in it. */
const makeCounting = (bins: number) =>
  reduceFunctor(
    {
      name: `coordination_histogram_${bins}`,
      result: {
        counts: `sum[${bins}]` as `sum[${number}]`,
        below: 'sum',
        above: 'sum',
        number: 'sum',
        total: 'sum',
        squares: 'sum',
      },
      read: { cn: 'real', cngroupa: 'real' },
      defaults: { cngroupa: 1 },
      params: { min: 'real', scale: 'real', center: 'real', grouped: 'u32' },
      constants: { bins },
    },
    (acc, i, p, h, c) => {
      const weight = p.grouped !== 0 ? i.cngroupa : 1;
      if (weight > 0) {
        const at = Math.floor((i.cn - p.min) * p.scale);
        acc.number += weight;
        acc.total += weight * (i.cn - p.center);
        acc.squares += weight * (i.cn - p.center) * (i.cn - p.center);
        if (at < 0) acc.below += weight;
        if (at >= c.bins) acc.above += weight;
        if (at >= 0 && at < c.bins) acc.counts[h.i32(at)]! += weight;
      }
    },
  );
const functors = new Map<number, ReturnType<typeof makeCounting>>();

/** @throws CorpuscleError INVALID_VALUE for bins that are not possible. */
export function checkHistogram({ min = 0, max, bins = 50 }: HistogramOptions): void {
  if (!(Number.isInteger(bins) && bins > 0 && bins <= MOST_BINS))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `bins is ${bins}: give a whole number from 1 to ${MOST_BINS}`,
    );
  if (!(max > min && Number.isFinite(max - min)))
    throw new CorpuscleError('INVALID_VALUE', `max ${max} does not exceed min ${min}: raise it`);
}

/**
 * The distribution of per-particle coordination numbers, averaged over frames: that of all particles, or of a first group.
 *
 * @throws CorpuscleError INVALID_VALUE
 * @example
 * const histogram = new CoordinationHistogram(ctx, { max: 20, bins: 40 });
 * await number.evaluate(grid);
 * await histogram.add(grid, await number.groupsOf(grid));
 * histogram.result().counts;
 */
export class CoordinationHistogram {
  readonly #ctx: ExecutionContext;
  readonly #min: number;
  readonly #max: number;
  readonly #bins: number;
  readonly #counts: Float64Array;
  #frames = 0;
  #sums = { below: 0, above: 0, number: 0, total: 0, squares: 0 };

  constructor(ctx: ExecutionContext, options: HistogramOptions) {
    checkHistogram(options);
    const { min = 0, max, bins = 50 } = options;
    this.#ctx = ctx;
    this.#min = min;
    this.#max = max;
    this.#bins = bins;
    this.#counts = new Float64Array(bins);
  }

  /** Adds what the last evaluation has left in a grid; returns the counts of this frame. */
  async add(grid: Grid, group: 'all' | 'group_a' = 'all'): Promise<Float64Array> {
    const [bins, width] = [this.#bins, this.#max - this.#min];
    let functor = functors.get(bins);
    if (!functor) {
      functor = makeCounting(bins);
      functors.set(bins, functor);
    }
    const center = (this.#min + this.#max) / 2;
    const params = {
      min: this.#min,
      scale: bins / width,
      center,
      grouped: group === 'group_a' ? 1 : 0,
    };
    const { counts, below, above, number, total, squares } = await reduceCellParticles(
      grid,
      functor,
      {},
      this.#ctx,
      { params },
    );
    for (let k = 0; k < bins; k++) this.#counts[k]! += counts[k]!;
    const sums = this.#sums;
    sums.below += below;
    sums.above += above;
    sums.number += number;
    sums.total += total;
    sums.squares += squares;
    this.#frames++;
    return counts;
  }

  /** The sums of all frames so far, for a checkpoint. */
  save(): SavedHistogram {
    return { frames: this.#frames, counts: this.#counts, sums: { ...this.#sums } };
  }

  /** Goes on with what `save` gave. @throws CorpuscleError CHECKPOINT_MISMATCH for another number of bins. */
  restore({ frames, counts, sums }: SavedHistogram): void {
    if (counts.length !== this.#bins)
      throw new CorpuscleError(
        'CHECKPOINT_MISMATCH',
        `the checkpoint has ${counts.length} bins, and the histogram ${this.#bins}`,
      );
    this.#frames = frames;
    this.#counts.set(counts);
    this.#sums = { ...sums };
  }

  /** What has been counted so far, averaged over frames. Zeros when there was no frame. */
  result(): HistogramResult {
    const frames = Math.max(1, this.#frames);
    const { below, above, number, total, squares } = this.#sums;
    const width = (this.#max - this.#min) / this.#bins;
    const shift = number > 0 ? total / number : 0;
    const variance = number > 0 ? squares / number - shift * shift : 0;
    return {
      frames: this.#frames,
      centers: Array.from({ length: this.#bins }, (_, k) => this.#min + (k + 0.5) * width),
      counts: Array.from(this.#counts, (count) => count / frames),
      below: below / frames,
      above: above / frames,
      mean: (this.#min + this.#max) / 2 + shift,
      standardDeviation: Math.sqrt(Math.max(0, variance)),
    };
  }
}
