/** Vectors and 3×3 matrices of the domain; matrices are nine numbers by rows. */
export type Vector = [number, number, number];
export type ReadonlyVector = readonly [number, number, number];

export const dot = (a: ReadonlyVector, b: ReadonlyVector): number =>
  a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const cross = (a: ReadonlyVector, b: ReadonlyVector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Row `k` of a matrix. */
export const row = (matrix: readonly number[], k: number): Vector => [
  matrix[3 * k]!,
  matrix[3 * k + 1]!,
  matrix[3 * k + 2]!,
];

const sum = (a: ReadonlyVector, b: ReadonlyVector): Vector => [
  a[0] + b[0],
  a[1] + b[1],
  a[2] + b[2],
];
const negative = (a: ReadonlyVector): Vector => [-a[0], -a[1], -a[2]];

/**
 * Every vector that can bound the Voronoi cell of the lattice spanned by one to three vectors, one of each ± pair.
 *
 * Selling's reduction makes a superbase (the vectors and minus their sum) with no acute angle; the sums of its
 * subsets then hold all Voronoi vectors (Conway and Sloane, "Low-dimensional lattices VI", 1992, theorem 3).
 * A point no further from 0 than from any of these has 0 as its nearest lattice point, however skewed the cell was.
 */
export function voronoiVectors(vectors: readonly ReadonlyVector[]): Vector[] {
  const n = vectors.length;
  if (n === 0) return [];
  const superbase: Vector[] = vectors.map((v) => [...v] as Vector);
  superbase.push(negative(superbase.reduce(sum)));
  sellingReduce(superbase);
  const result: Vector[] = [];
  // Subsets without the last member: the complement of a subset sums to its negative.
  for (let subset = 1; subset < 1 << n; subset++) {
    let v: Vector = [0, 0, 0];
    for (let k = 0; k < n; k++) if (subset & (1 << k)) v = sum(v, superbase[k]!);
    result.push(v);
  }
  return result;
}

function sellingReduce(superbase: Vector[]): void {
  const n = superbase.length;
  // Each step lowers the sum of squares by a finite amount; the tolerance keeps rounding from undoing a step.
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < n && !changed; i++) {
      for (let j = i + 1; j < n && !changed; j++) {
        const a = superbase[i]!;
        const b = superbase[j]!;
        const product = dot(a, b);
        if (product <= 1e-13 * Math.sqrt(dot(a, a) * dot(b, b))) continue;
        // Four members: (a, b, c, d) → (−a, b, c + a, d + a), three: (a, b, c) → (−a, b, a − b); the sum stays 0.
        const others = [...superbase.keys()].filter((k) => k !== i && k !== j);
        if (others.length === 1) {
          superbase[others[0]!] = sum(a, negative(b));
        } else {
          for (const k of others) superbase[k] = sum(superbase[k]!, a);
        }
        superbase[i] = negative(a);
        changed = true;
      }
    }
  }
}
