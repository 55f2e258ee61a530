import { CorpuscleError, type Domain } from '@corpuscle/core';

/** Wave vectors of a box, q = 2π H⁻¹ n with H the matrix of its rows, in multiples n of the reciprocal lattice. */
export interface WaveVectors {
  /** nx ny nz of each vector. */
  readonly n: Float64Array;
  /** The bin of each vector. */
  readonly bin: Uint32Array;
}

/** Vectors that are listed one by one at most; beyond, directions are taken from a sphere. */
const MOST_LISTED = 100_000;

/** |q| of a vector in a box. */
export function lengthOf(domain: Domain, nx: number, ny: number, nz: number): number {
  // Rows of the matrix are the edges a, b, c; columns of its inverse those of the reciprocal lattice.
  const r = domain.inverse;
  const part = (k: number) => r[3 * k]! * nx + r[3 * k + 1]! * ny + r[3 * k + 2]! * nz;
  return 2 * Math.PI * Math.hypot(part(0), part(1), part(2));
}

/**
 * Chooses wave vectors up to `qMax`, one of each n and −n, in bins of equal width. A bin with more than `most` takes so many of
 * them, evenly spread in the order of their lengths; of bins with very many, directions are spread over a sphere.
 * @throws CorpuscleError INVALID_VALUE where the first bin has too many to be listed
 */
export function chooseWaveVectors(
  domain: Domain,
  { qMax, bins, most }: { readonly qMax: number; readonly bins: number; readonly most: number },
): WaveVectors {
  const width = qMax / bins;
  // Half of the reciprocal lattice within q has V q³ / 12π² points.
  const listed = Math.cbrt((MOST_LISTED * 12 * Math.PI ** 2) / domain.volume);
  const firstOnSphere = listed >= qMax ? bins : Math.max(1, Math.floor(listed / width));
  // The first bin is listed whole, however many it has.
  const inFirst = (domain.volume * width ** 3) / (12 * Math.PI ** 2);
  if (inFirst > 10 * MOST_LISTED)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `q_max with ${bins} bins puts some ${inFirst.toPrecision(1)} wave vectors of this box into the first, more than ${10 * MOST_LISTED}: lower q_max, or give more bins`,
    );
  const found: number[][][] = Array.from({ length: bins }, () => []);
  for (const n of listVectors(domain, Math.min(qMax, firstOnSphere * width))) {
    const bin = Math.floor(n[3]! / width);
    if (bin < Math.min(bins, firstOnSphere)) found[bin]!.push(n);
  }
  for (let bin = firstOnSphere; bin < bins; bin++)
    found[bin] = onSphere(domain, bin * width, (bin + 1) * width, most);
  const n: number[] = [];
  const bin: number[] = [];
  found.forEach((vectors, k) => {
    vectors.sort((a, b) => a[3]! - b[3]! || a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);
    const count = Math.min(most, vectors.length);
    for (let j = 0; j < count; j++) {
      n.push(...vectors[Math.floor((j * vectors.length) / count)]!.slice(0, 3));
      bin.push(k);
    }
  });
  return { n: Float64Array.from(n), bin: Uint32Array.from(bin) };
}

/** Half of the vectors shorter than q, each with its length. */
function* listVectors(domain: Domain, q: number): Generator<number[]> {
  // |q| ≥ 2π |n_k| / |edge k|
  const most = [0, 1, 2].map((k) => {
    const edge = Math.hypot(...[0, 1, 2].map((c) => domain.matrix[3 * k + c]!));
    return Math.floor((q * edge) / (2 * Math.PI));
  });
  for (let x = 0; x <= most[0]!; x++)
    for (let y = x === 0 ? 0 : -most[1]!; y <= most[1]!; y++)
      for (let z = x === 0 && y === 0 ? 1 : -most[2]!; z <= most[2]!; z++) {
        const length = lengthOf(domain, x, y, z);
        if (length < q) yield [x, y, z, length];
      }
}

/** Vectors of a shell in directions that are spread evenly over half a sphere (a Fibonacci lattice). */
function onSphere(domain: Domain, from: number, to: number, most: number): number[][] {
  const golden = (Math.sqrt(5) - 1) / 2;
  const seen = new Map<string, number[]>();
  const tries = 4 * most;
  for (let j = 0; j < tries && seen.size < most; j++) {
    const u = (j * golden) % 1;
    const q = from + (to - from) * ((j * Math.SQRT2) % 1);
    const z = (j + 0.5) / tries;
    const ring = Math.sqrt(1 - z * z);
    const direction = [ring * Math.cos(2 * Math.PI * u), ring * Math.sin(2 * Math.PI * u), z];
    const n = [0, 1, 2].map((k) => {
      const along = direction.reduce((sum, d, c) => sum + d * domain.matrix[3 * k + c]!, 0);
      return Math.round((along * q) / (2 * Math.PI));
    }) as [number, number, number];
    const length = lengthOf(domain, ...n);
    if (length >= from && length < to) seen.set(n.join(), [...n, length]);
  }
  return [...seen.values()];
}
