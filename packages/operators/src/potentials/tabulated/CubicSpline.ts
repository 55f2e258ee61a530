/**
 * The cubic spline through points (x_k, y_k), x ascending, with given slopes at both ends ("clamped"). Its second
 * derivatives m_k at the points solve, with h_k = x_{k+1} − x_k and s_k the slope of the chord,
 *
 *   2 h_0 m_0 + h_0 m_1                                   = 6 (s_0 − y′_first)
 *   h_{k−1} m_{k−1} + 2 (h_{k−1} + h_k) m_k + h_k m_{k+1} = 6 (s_k − s_{k−1})
 *   h_{n−2} m_{n−2} + 2 h_{n−2} m_{n−1}                   = 6 (y′_last − s_{n−2})
 */
export class CubicSpline {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Second derivatives at the points. */
  readonly curvature: Float64Array;

  constructor(x: ArrayLike<number>, y: ArrayLike<number>, slopes: readonly [number, number]) {
    this.x = x;
    this.y = y;
    const n = x.length;
    const h = (k: number) => x[k + 1]! - x[k]!;
    const chord = (k: number) =>
      k < 0 ? slopes[0] : k > n - 2 ? slopes[1] : (y[k + 1]! - y[k]!) / h(k);
    // Elimination downward: m_k = right_k − upper_k m_{k+1}.
    const upper = new Float64Array(n);
    const right = new Float64Array(n);
    for (let k = 0; k < n; k++) {
      const [before, after] = [k > 0 ? h(k - 1) : 0, k < n - 1 ? h(k) : 0];
      const pivot = 2 * (before + after) - (k > 0 ? before * upper[k - 1]! : 0);
      upper[k] = after / pivot;
      right[k] = (6 * (chord(k) - chord(k - 1)) - (k > 0 ? before * right[k - 1]! : 0)) / pivot;
    }
    for (let k = n - 2; k >= 0; k--) right[k] = right[k]! - upper[k]! * right[k + 1]!;
    this.curvature = right;
  }

  /** The value at t; beyond the ends, of the first or last cubic. */
  at(t: number): number {
    const { y, curvature } = this;
    const { low, h, a, b } = this.#place(t);
    const bend = (a * a * a - a) * curvature[low]! + (b * b * b - b) * curvature[low + 1]!;
    return a * y[low]! + b * y[low + 1]! + (bend * h * h) / 6;
  }

  /** The slope at t, likewise. */
  slope(t: number): number {
    const { y, curvature } = this;
    const { low, h, a, b } = this.#place(t);
    const bend = (3 * b * b - 1) * curvature[low + 1]! - (3 * a * a - 1) * curvature[low]!;
    return (y[low + 1]! - y[low]!) / h + (bend * h) / 6;
  }

  /** The interval of t, its width, and the shares of its two ends. */
  #place(t: number) {
    const { x } = this;
    let low = 0;
    let high = x.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (x[middle]! > t) high = middle;
      else low = middle;
    }
    const h = x[high]! - x[low]!;
    return { low, h, a: (x[high]! - t) / h, b: (t - x[low]!) / h };
  }
}
