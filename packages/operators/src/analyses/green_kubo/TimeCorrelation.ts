/** What a checkpoint holds of a correlation. */
export type SavedCorrelation = {
  readonly samples: number;
  readonly recent: readonly (readonly number[])[];
  readonly sums: readonly Float64Array[];
  readonly counts: Float64Array;
};

/**
 * Autocorrelation functions of a few series that are sampled one by one: every sample is an origin, and is multiplied with the
 * `lags` samples before it.
 */
export class TimeCorrelation {
  readonly #lags: number;
  /** The last samples, the newest at `samples % (lags + 1)`. */
  readonly #recent: (readonly number[])[] = [];
  readonly #sums: readonly Float64Array[];
  readonly #counts: Float64Array;
  #samples = 0;

  /** @param width number of series @param lags the longest lag, in samples */
  constructor(width: number, lags: number) {
    this.#lags = lags;
    this.#sums = Array.from({ length: width }, () => new Float64Array(lags + 1));
    this.#counts = new Float64Array(lags + 1);
  }

  /** Adds a sample of each series. */
  add(values: readonly number[]): void {
    const room = this.#lags + 1;
    const now = this.#samples++;
    this.#recent[now % room] = values;
    const most = Math.min(now, this.#lags);
    for (let lag = 0; lag <= most; lag++) {
      const then = this.#recent[(now - lag) % room]!;
      this.#counts[lag]!++;
      for (let k = 0; k < values.length; k++) this.#sums[k]![lag]! += values[k]! * then[k]!;
    }
  }

  /** Origins of each lag; 0 for lags that were not reached. */
  get counts(): Float64Array {
    return this.#counts;
  }

  /** The autocorrelation of a series, by lag. */
  of(k: number): number[] {
    const sums = this.#sums[k]!;
    return Array.from(this.#counts, (count, lag) => (count > 0 ? sums[lag]! / count : 0));
  }

  save(): SavedCorrelation {
    const { counts } = this;
    return { samples: this.#samples, recent: this.#recent, sums: this.#sums, counts };
  }

  restore({ samples, recent, sums, counts }: SavedCorrelation): void {
    this.#samples = samples;
    recent.forEach((values, k) => {
      this.#recent[k] = [...values];
    });
    sums.forEach((of, k) => {
      this.#sums[k]!.set(of);
    });
    this.#counts.set(counts);
  }
}
