import { BlockMeans, type SavedBlocks } from '../averages/BlockMeans.js';

/** What a checkpoint holds of bins. */
export type SavedBins = {
  readonly low: number;
  readonly high: number;
  readonly even: number;
  readonly value: number;
  readonly means: SavedBlocks;
};

/** Values that differ by less than this part of them are one, such as densities of a perfect crystal. */
const EQUAL = 1e-9;

/**
 * How values are distributed over bins, averaged over frames. A bound that is not given is that of the values: where some lie beyond it
 * later, bins become twice as wide, so that none is lost. Frames of one and the same value wait until others show a range.
 *
 *   [ bins | below | above ]
 */
export class ValueBins {
  readonly #bins: number;
  readonly #given: { readonly low: number | undefined; readonly high: number | undefined };
  #low: number;
  #high: number;
  /** Frames that wait, and their value. */
  #even = 0;
  #value = Number.NaN;
  #means: BlockMeans;

  constructor(bins: number, low: number | undefined, high: number | undefined) {
    this.#bins = bins;
    this.#given = { low, high };
    this.#low = low ?? Number.NaN;
    this.#high = high ?? Number.NaN;
    this.#means = new BlockMeans(bins + 2);
  }

  /** Adds the values of a frame. */
  add(values: Float64Array): void {
    const least = values.reduce((a, b) => Math.min(a, b), Infinity);
    const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!this.#hasRange) this.#begin(least, most);
    if (!this.#hasRange) {
      this.#even++;
      this.#value = least;
      return;
    }
    if (this.#given.low === undefined) while (least < this.#low) this.#widen('low');
    if (this.#given.high === undefined) while (most > this.#high) this.#widen('high');
    const frame = new Float64Array(this.#bins + 2);
    for (const value of values) frame[this.#binOf(value)]! += 1 / values.length;
    this.#means.add(frame);
  }

  /** Where the bins are, and the probability of each with its error, and of what lies beyond; null without frames. */
  result() {
    if (!this.#hasRange && this.#even > 0) this.#fix(this.#value, this.#value);
    const [bins, low, means] = [this.#bins, this.#low, this.#means];
    if (means.samples === 0) return null;
    const width = (this.#high - low) / bins;
    const points = Array.from({ length: bins }, (_, k) => ({
      value: low + (k + 0.5) * width,
      probability: means.mean(k) / width,
      error: means.error(k) / width,
    }));
    const [below, above] = [means.mean(bins), means.mean(bins + 1)];
    return { frames: means.samples, below, above, width, points };
  }

  /** What a checkpoint holds. */
  save(): SavedBins {
    const [low, high, even, value] = [this.#low, this.#high, this.#even, this.#value];
    return { low, high, even, value, means: this.#means.save() };
  }

  /** Goes on from what `save` gave. */
  restore({ low, high, even, value, means }: SavedBins): void {
    this.#low = low;
    this.#high = high;
    this.#even = even;
    this.#value = value;
    this.#means.restore(means);
  }

  get #hasRange(): boolean {
    return this.#high > this.#low;
  }

  /** Takes the range of the first frame that has one, in which those that wait are put too. */
  #begin(least: number, most: number): void {
    const { low = this.#least(least), high = this.#most(most) } = this.#given;
    const isOne = high - low <= EQUAL * Math.max(Math.abs(low), Math.abs(high));
    if (!isOne) this.#fix(low, high);
  }

  #least = (value: number) => (this.#even > 0 ? Math.min(value, this.#value) : value);
  #most = (value: number) => (this.#even > 0 ? Math.max(value, this.#value) : value);

  #fix(low: number, high: number): void {
    const room = high > low ? 0 : Math.abs(low) * EQUAL || EQUAL;
    this.#low = this.#given.low ?? low - room;
    this.#high = this.#given.high ?? high + room;
    const frame = new Float64Array(this.#bins + 2);
    if (this.#even > 0) frame[this.#binOf(this.#value)] = 1;
    for (; this.#even > 0; this.#even--) this.#means.add(frame);
  }

  #binOf(value: number): number {
    const bins = this.#bins;
    const at = Math.floor(((value - this.#low) / (this.#high - this.#low)) * bins);
    const bin = value === this.#high ? bins - 1 : at; // the last bin has its upper end
    return bin < 0 ? bins : bin >= bins ? bins + 1 : bin;
  }

  /** Makes bins twice as wide: pairs of them, counted from the bound that stays, are one. */
  #widen(side: 'low' | 'high'): void {
    const bins = this.#bins;
    const length = 2 * (this.#high - this.#low);
    if (side === 'low') this.#low = this.#high - length;
    else this.#high = this.#low + length;
    this.#means.mapSums((sums) => {
      const wide = new Float64Array(bins + 2);
      for (let k = 0; k < bins; k++)
        wide[side === 'high' ? k >> 1 : bins - 1 - ((bins - 1 - k) >> 1)]! += sums[k]!;
      wide[bins] = sums[bins]!;
      wide[bins + 1] = sums[bins + 1]!;
      return wide;
    });
  }
}
