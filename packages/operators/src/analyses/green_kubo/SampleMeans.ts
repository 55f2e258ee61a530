/** What a checkpoint holds of the samples. */
export type SavedMeans = {
  readonly times: readonly number[];
  readonly sums: readonly number[];
};

/** What the formulas of Green and Kubo take from the samples of a run beside the correlation. */
export class SampleMeans {
  /** Times of the first two samples, and sums over all: temperature, volume, how many. */
  #times: number[] = [];
  #sums = [0, 0, 0];

  add(time: number, temperature: number, volume: number): void {
    if (this.#times.length < 2) this.#times.push(time);
    this.#sums = this.#sums.map((sum, k) => sum + [temperature, volume, 1][k]!);
  }

  get samples(): number {
    return this.#sums[2]!;
  }

  get temperature(): number {
    return this.#sums[0]! / this.samples;
  }

  get volume(): number {
    return this.#sums[1]! / this.samples;
  }

  /** Time from one sample to the next. */
  get spacing(): number {
    return (this.#times[1] ?? 0) - (this.#times[0] ?? 0);
  }

  save(): SavedMeans {
    return { times: this.#times, sums: this.#sums };
  }

  restore({ times, sums }: SavedMeans): void {
    this.#times = [...times];
    this.#sums = [...sums];
  }
}
