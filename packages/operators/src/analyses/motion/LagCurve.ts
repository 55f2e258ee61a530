/** Means over particles and origins, by lag. */
export interface LagPoint {
  /** Steps and time since the origin. */
  readonly step: number;
  readonly time: number;
  /** x, y, z, and their sum. */
  readonly axes: readonly [number, number, number];
  readonly value: number;
  /** Standard error of the sum, from the spread among origins; NaN with one origin. */
  readonly error: number;
  readonly origins: number;
}

/** What a checkpoint holds of a curve. */
export type SavedCurve = { readonly values: Float64Array };

/** origins, step, time, Σx, Σy, Σz, Σ(x + y + z)² */
const WIDTH = 7;

/** A function of lag that origins add points to. */
export class LagCurve {
  readonly #rows: number[][] = [];

  /** Adds what an origin gives at a lag. */
  add(
    lag: number,
    at: { readonly step: number; readonly time: number },
    axes: readonly [number, number, number],
  ): void {
    while (this.#rows.length <= lag) this.#rows.push(new Array<number>(WIDTH).fill(0));
    const row = this.#rows[lag]!;
    const sum = axes[0] + axes[1] + axes[2];
    row[0]!++;
    row[1] = at.step;
    row[2] = at.time;
    for (let k = 0; k < 3; k++) row[3 + k]! += axes[k]!;
    row[6]! += sum * sum;
  }

  points(): LagPoint[] {
    return this.#rows
      .filter(([origins]) => origins! > 0)
      .map((row) => {
        const [n, step, time, x, y, z, squares] = row as [
          number,
          number,
          number,
          number,
          number,
          number,
          number,
        ];
        const value = (x + y + z) / n;
        const variance = Math.max(0, squares / n - value * value) / (n - 1);
        return {
          step,
          time,
          axes: [x / n, y / n, z / n],
          value,
          error: n > 1 ? Math.sqrt(variance) : Number.NaN,
          origins: n,
        };
      });
  }

  save(): SavedCurve {
    return { values: Float64Array.from(this.#rows.flat()) };
  }

  restore({ values }: SavedCurve): void {
    this.#rows.length = 0;
    for (let at = 0; at < values.length; at += WIDTH)
      this.#rows.push([...values.subarray(at, at + WIDTH)]);
  }
}
