/** What a checkpoint holds of block means. */
export type SavedBlocks = {
  readonly length: number;
  readonly filled: number;
  readonly open: Float64Array;
  readonly blocks: readonly Float64Array[];
};

/** Blocks are joined in pairs when there are so many. */
const MOST = 64;

/**
 * Means of several quantities, and their standard errors from the means of blocks that follow each other (Flyvbjerg and Petersen,
 * J. Chem. Phys. 91, 461 (1989)). Samples that are correlated within a block do not make the error too small.
 *
 *   samples   s s s s │ s s s s │ s s …        a block has `length` samples
 *   blocks       Σ         Σ      (open)       at 64 blocks pairs become one, and blocks twice as long
 */
export class BlockMeans {
  readonly #width: number;
  #length = 1;
  #filled = 0;
  #open: Float64Array;
  #blocks: Float64Array[] = [];

  /** @param width number of quantities */
  constructor(width: number) {
    this.#width = width;
    this.#open = new Float64Array(width);
  }

  /** Adds a sample of each quantity. */
  add(values: ArrayLike<number>): void {
    for (let k = 0; k < this.#width; k++) this.#open[k]! += values[k]!;
    if (++this.#filled < this.#length) return;
    this.#blocks.push(this.#open);
    this.#open = new Float64Array(this.#width);
    this.#filled = 0;
    if (this.#blocks.length < MOST) return;
    const pairs: Float64Array[] = [];
    for (let n = 0; n < MOST; n += 2)
      pairs.push(this.#blocks[n]!.map((sum, k) => sum + this.#blocks[n + 1]![k]!));
    this.#blocks = pairs;
    this.#length *= 2;
  }

  /** Gives quantities that are sums of these the place of these, in the samples so far. */
  mapSums(map: (sums: Float64Array) => Float64Array): void {
    this.#open = map(this.#open);
    this.#blocks = this.#blocks.map(map);
  }

  /** Samples so far. */
  get samples(): number {
    return this.#blocks.length * this.#length + this.#filled;
  }

  /** The mean of a quantity over all samples. */
  mean(k: number): number {
    return this.#blocks.reduce((sum, block) => sum + block[k]!, this.#open[k]!) / this.samples;
  }

  /** The standard error of that mean: of full blocks, 32 or more once there are so many samples; NaN with less than two. */
  error(k: number): number {
    const means = this.blockMeans(k);
    const n = means.length;
    const mean = means.reduce((sum, value) => sum + value, 0) / n;
    const squares = means.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return n > 1 ? Math.sqrt(squares / (n - 1) / n) : Number.NaN;
  }

  /** Means of the full blocks, and how many samples each has. */
  blockMeans(k: number): number[] {
    return this.#blocks.map((block) => block[k]! / this.#length);
  }
  get blockLength(): number {
    return this.#length;
  }

  /** What a checkpoint holds. */
  save(): SavedBlocks {
    return { length: this.#length, filled: this.#filled, open: this.#open, blocks: this.#blocks };
  }

  /** Goes on from what `save` gave. */
  restore({ length, filled, open, blocks }: SavedBlocks): void {
    this.#length = length;
    this.#filled = filled;
    this.#open = Float64Array.from(open);
    this.#blocks = blocks.map((block) => Float64Array.from(block));
  }
}
