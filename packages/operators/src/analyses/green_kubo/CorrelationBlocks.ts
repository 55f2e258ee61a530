import { BlockMeans, type SavedBlocks } from '../averages/BlockMeans.js';

/** What a checkpoint holds of a correlation with its blocks. */
export type SavedCorrelationBlocks = {
  readonly samples: number;
  readonly recent: readonly (readonly number[])[];
  readonly blocks: SavedBlocks;
};

/**
 * The autocorrelation of a vector, averaged over its components, with errors from blocks of time. Every sample that has `lags`
 * samples before it is multiplied with each of them, so that all lags have as many origins.
 */
export class CorrelationBlocks {
  readonly #lags: number;
  /** The last samples, the newest at `samples % (lags + 1)`. */
  readonly #recent: (readonly number[])[] = [];
  readonly #blocks: BlockMeans;
  #samples = 0;

  /** @param lags the longest lag, in samples */
  constructor(lags: number) {
    this.#lags = lags;
    this.#blocks = new BlockMeans(lags + 1);
  }

  /** Adds a sample of each component. */
  add(values: readonly number[]): void {
    const room = this.#lags + 1;
    const now = this.#samples++;
    this.#recent[now % room] = values;
    if (now < this.#lags) return;
    const products = new Float64Array(room);
    for (let lag = 0; lag < room; lag++) {
      const then = this.#recent[(now - lag) % room]!;
      for (let k = 0; k < values.length; k++) products[lag]! += values[k]! * then[k]!;
      products[lag]! /= values.length;
    }
    this.#blocks.add(products);
  }

  /** Origins of each lag. */
  get origins(): number {
    return this.#blocks.samples;
  }

  /** The autocorrelation at each lag, and its integral up to it by trapezoids, with their standard errors. */
  points(spacing: number): CorrelationPoint[] {
    if (this.origins === 0) return [];
    const lags = Array.from({ length: this.#lags + 1 }, (_, lag) => lag);
    const means = integrated(
      lags.map((lag) => this.#blocks.mean(lag)),
      spacing,
    );
    const columns = lags.map((lag) => this.#blocks.blockMeans(lag));
    const blocks = columns[0]!.map((_, n) =>
      integrated(
        columns.map((column) => column[n]!),
        spacing,
      ),
    );
    return lags.map((lag) => ({
      value: this.#blocks.mean(lag),
      error: this.#blocks.error(lag),
      integral: means[lag]!,
      integralError: standardError(blocks.map((integral) => integral[lag]!)),
    }));
  }

  save(): SavedCorrelationBlocks {
    return { samples: this.#samples, recent: this.#recent, blocks: this.#blocks.save() };
  }

  restore({ samples, recent, blocks }: SavedCorrelationBlocks): void {
    this.#samples = samples;
    recent.forEach((values, k) => {
      this.#recent[k] = [...values];
    });
    this.#blocks.restore(blocks);
  }
}

/** One lag. */
export interface CorrelationPoint {
  readonly value: number;
  readonly error: number;
  readonly integral: number;
  readonly integralError: number;
}

/** The integral up to each point, by trapezoids of this width. */
export function integrated(curve: readonly number[], width: number): number[] {
  let sum = 0;
  return curve.map((value, k) => {
    if (k > 0) sum += ((value + curve[k - 1]!) / 2) * width;
    return sum;
  });
}

/** Standard error of the mean of independent numbers; NaN with less than two. */
export function standardError(values: readonly number[]): number {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return n > 1 ? Math.sqrt(squares / (n - 1) / n) : Number.NaN;
}
