/** Mean of numbers. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, x) => sum + x, 0) / values.length;

/** Variance of numbers. */
export function variance(values: readonly number[]): number {
  const center = mean(values);
  return values.reduce((sum, x) => sum + (x - center) ** 2, 0) / (values.length - 1);
}

/** Statistical inefficiency g = 1 + 2 Σ ρ(t), summed until the autocorrelation is lost in noise. */
export function inefficiency(values: readonly number[]): number {
  const center = mean(values);
  const width = variance(values);
  let g = 1;
  for (let lag = 1; lag < values.length / 4; lag++) {
    let sum = 0;
    for (let k = 0; k + lag < values.length; k++)
      sum += (values[k]! - center) * (values[k + lag]! - center);
    const correlation = sum / ((values.length - lag) * width);
    if (correlation < 0.05) break;
    g += 2 * correlation;
  }
  return g;
}

/**
 * The same, or by means of blocks where that is more: the most that any size of block gives (Flyvbjerg and Petersen, J. Chem. Phys. 91, 461 (1989)): it finds
 * slow changes also beneath fast ones, by which the autocorrelation is negative at first and the sum above ends too early. So it is
 * with the volume of a crystal that swings in its barostat and now and then takes another form. At least 32 blocks tell.
 */
export function slowInefficiency(values: readonly number[]): number {
  const all = variance(values);
  let most = inefficiency(values);
  let blocks: readonly number[] = values;
  for (let size = 2; blocks.length >= 64; size *= 2) {
    const finer = blocks;
    blocks = Array.from(
      { length: Math.floor(finer.length / 2) },
      (_, k) => (finer[2 * k]! + finer[2 * k + 1]!) / 2,
    );
    most = Math.max(most, (size * variance(blocks)) / all);
  }
  return most;
}

/** Samples as far apart as they are independent. */
export function decorrelated(values: readonly number[]): number[] {
  const stride = Math.ceil(inefficiency(values));
  return values.filter((_, k) => k % stride === 0);
}

/** ln Γ(a), Lanczos. */
function logGamma(a: number): number {
  const c = [
    76.18009172947146, -86.5053203294168, 24.01409824083091, -1.231739572450155,
    0.1208650973866179e-2, -0.5395239384953e-5,
  ];
  let sum = 1.000000000190015;
  for (const [k, value] of c.entries()) sum += value / (a + 1 + k);
  return (a + 0.5) * Math.log(a + 5.5) - (a + 5.5) + Math.log((2.5066282746310007 * sum) / a);
}

/** Regularized lower incomplete gamma function P(a, x): series, or continued fraction. */
export function gammaCdf(a: number, x: number): number {
  if (x <= 0) return 0;
  const front = Math.exp(-x + a * Math.log(x) - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < 2000 && term > 1e-16 * sum; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return front * sum;
  }
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let n = 1; n < 2000; n++) {
    const an = -n * (n - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return 1 - front * h;
}

/** p of the Kolmogorov–Smirnov test of samples against a distribution. */
export function kolmogorovSmirnov(samples: readonly number[], cdf: (x: number) => number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const n = sorted.length;
  let most = 0;
  for (const [k, x] of sorted.entries())
    most = Math.max(most, Math.abs(cdf(x) - k / n), Math.abs(cdf(x) - (k + 1) / n));
  const t = (Math.sqrt(n) + 0.12 + 0.11 / Math.sqrt(n)) * most;
  let p = 0;
  for (let k = 1; k < 100; k++) p += 2 * (-1) ** (k - 1) * Math.exp(-2 * k * k * t * t);
  return Math.min(1, Math.max(0, p));
}

/** A slope and its standard error. */
export interface Slope {
  readonly slope: number;
  readonly error: number;
}

/**
 * Slope of ln(P₂(E)/P₁(E)) by maximum likelihood (Shirts, J. Chem. Theory Comput. 9, 909 (2013)): logistic regression of which run a
 * sample is from, by Newton's method. In the canonical ensemble it is β₁ − β₂. All samples count: to leave out those that depend on
 * each other would cost precision, and those that stay still do a little. The error allows for it.
 */
export function logRatioSlope(first: readonly number[], second: readonly number[]): Slope {
  const all = [...first.map((x) => [x, 0] as const), ...second.map((x) => [x, 1] as const)];
  const center = mean(all.map(([x]) => x));
  let a = 0;
  let b = 0;
  let information = [1, 0, 1] as [number, number, number];
  for (let round = 0; round < 50; round++) {
    let [ga, gb, haa, hab, hbb] = [0, 0, 0, 0, 0];
    for (const [x, label] of all) {
      const y = x - center;
      const p = 1 / (1 + Math.exp(-(a + b * y)));
      const w = p * (1 - p);
      ga += label - p;
      gb += (label - p) * y;
      haa += w;
      hab += w * y;
      hbb += w * y * y;
    }
    const determinant = haa * hbb - hab * hab;
    const [da, db] = [(hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant];
    a += da;
    b += db;
    information = [haa, hab, hbb];
    if (Math.abs(db) < 1e-12 * Math.abs(b)) break;
  }
  const [haa, hab, hbb] = information;
  const g = Math.max(slowInefficiency(first), slowInefficiency(second));
  return { slope: b, error: Math.sqrt((g * haa) / (haa * hbb - hab * hab)) };
}
