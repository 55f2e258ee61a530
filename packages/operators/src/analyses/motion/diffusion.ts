import type { LagPoint } from './LagCurve.js';

/** A diffusion coefficient, and its standard error from the three axes. */
export interface Diffusion {
  readonly value: number;
  readonly error: number;
}

/** Einstein: half the slope of each axis' mean square displacement, over the second half of the lags; null for fewer than three. */
export function diffusionOfDisplacement(points: readonly LagPoint[]): Diffusion | null {
  const last = points.at(-1)?.time ?? 0;
  const late = points.filter(({ time }) => time >= last / 2);
  if (late.length < 3) return null;
  const mean = (of: (point: LagPoint) => number) =>
    late.reduce((sum, point) => sum + of(point), 0) / late.length;
  const t = mean(({ time }) => time);
  const spread = mean(({ time }) => (time - t) ** 2);
  return ofAxes(
    [0, 1, 2].map((k) => mean((point) => (point.time - t) * point.axes[k]!) / spread / 2),
  );
}

/** Green and Kubo: for each lag the integral of the axes' velocity autocorrelation up to it, by trapezoids. */
export function diffusionOfVelocities(points: readonly LagPoint[]): Diffusion[] {
  const sums = [0, 0, 0];
  return points.map((point, n) => {
    const before = points[n - 1];
    if (before)
      for (let k = 0; k < 3; k++)
        sums[k]! += ((point.axes[k]! + before.axes[k]!) / 2) * (point.time - before.time);
    return ofAxes(sums);
  });
}

function ofAxes(axes: readonly number[]): Diffusion {
  const value = axes.reduce((sum, d) => sum + d, 0) / 3;
  const squares = axes.reduce((sum, d) => sum + (d - value) ** 2, 0);
  return { value, error: Math.sqrt(squares / 6) };
}
