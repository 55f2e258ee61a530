import type { Domain } from './Domain.js';

type Vector = readonly [number, number, number];

/**
 * What a kernel needs to find the nearest image of a difference in any box.
 *
 * `basis` is the reduced lattice of the periodic directions (rows; missing ones are 0) and `dual` its dual: with
 * k = round(d · dual), d − k · basis is the nearest image if it is no longer than √inner2, half the shortest lattice
 * vector. Otherwise it is one of its sums with the 26 `shifts`: in a Minkowski-reduced lattice rounding errs by one
 * at most (Nguyen and Stehlé, "Low-dimensional lattice basis reduction revisited", 2009).
 *
 * Differences shorter than √rounded2, half the smallest height of the reduced cell, are found by rounding alone: their
 * coefficients are below 1/2.
 */
export interface NearestImages {
  readonly kind: 'open' | 'orthorhombic' | 'triclinic';
  readonly basis: readonly number[];
  /** Columns: d · dual gives the three coefficients. */
  readonly dual: readonly number[];
  readonly shifts: readonly number[];
  readonly inner2: number;
  readonly rounded2: number;
}

const zeros = (n: number): number[] => new Array<number>(n).fill(0);
const open: NearestImages = {
  kind: 'open',
  basis: zeros(9),
  dual: zeros(9),
  shifts: [0, 0, 0],
  inner2: 1e30,
  rounded2: Number.POSITIVE_INFINITY,
};

/** Images of a domain; without `periodic` there are none. */
export function nearestImages(domain: Domain, periodic = true): NearestImages {
  const vectors = [0, 1, 2]
    .filter((k) => periodic && domain.periodic[k])
    .map(
      (k): Vector => [domain.matrix[3 * k]!, domain.matrix[3 * k + 1]!, domain.matrix[3 * k + 2]!],
    );
  if (vectors.length === 0) return open;
  if (domain.isOrthorhombic) {
    const basis = domain.matrix.map((value, k) => (domain.periodic[Math.floor(k / 3)] ? value : 0));
    const dual = basis.map((value) => (value === 0 ? 0 : 1 / value));
    return { ...open, kind: 'orthorhombic', basis, dual };
  }
  const reduced = reduce(vectors);
  const basis = zeros(9);
  const dual = zeros(9);
  const duals = dualOf(reduced);
  reduced.forEach((v, k) => {
    for (let axis = 0; axis < 3; axis++) {
      basis[3 * k + axis] = v[axis]!;
      dual[3 * axis + k] = duals[k]![axis]!;
    }
  });
  const shortest2 = Math.min(...reduced.map((v) => dot(v, v)));
  const height2 = Math.min(...duals.map((v) => 1 / dot(v, v)));
  return {
    kind: 'triclinic',
    basis,
    dual,
    shifts: shiftsOf(reduced),
    inner2: shortest2 / 4,
    rounded2: height2 / 4,
  };
}

/** Position moved into the reduced cell: differences are then at most one cell long, and exact in single precision. */
export function wrapInto({ basis, dual }: NearestImages, r: [number, number, number]): void {
  const [x, y, z] = r;
  for (let k = 0; k < 3; k++) {
    const n = Math.floor(x * dual[k]! + y * dual[3 + k]! + z * dual[6 + k]!);
    if (n === 0) continue;
    for (let axis = 0; axis < 3; axis++) r[axis] = r[axis]! - n * basis[3 * k + axis]!;
  }
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const add = (a: Vector, b: Vector, k: number): Vector => [
  a[0] + k * b[0],
  a[1] + k * b[1],
  a[2] + k * b[2],
];

/** A Minkowski-reduced basis of the lattice that one to three vectors span. */
function reduce(vectors: readonly Vector[]): Vector[] {
  const b = [...vectors];
  const steps = [-1, 0, 1];
  for (let moved = true; moved; ) {
    moved = false;
    for (let k = 0; k < b.length; k++) {
      const others = b.filter((_, l) => l !== k);
      let best = b[k]!;
      for (const other of others)
        best = add(best, other, -Math.round(dot(best, other) / dot(other, other)));
      const [first, second] = others;
      if (first && second)
        for (const i of steps)
          for (const j of steps) {
            const candidate = add(add(best, first, i), second, j);
            if (dot(candidate, candidate) < dot(best, best) * (1 - 1e-12)) best = candidate;
          }
      if (dot(best, best) >= dot(b[k]!, b[k]!) * (1 - 1e-12)) continue;
      b[k] = best;
      moved = true;
    }
  }
  return b;
}

/** Vectors of the span of `b` with dual_i · b_j = δ_ij. */
function dualOf(b: readonly Vector[]): Vector[] {
  const n = b.length;
  // Gauss–Jordan on [Gram matrix | identity].
  const rows = b.map((v, i) => [...b.map((w) => dot(v, w)), ...b.map((_, j) => (i === j ? 1 : 0))]);
  for (let i = 0; i < n; i++) {
    const pivot = rows[i]![i]!;
    rows[i] = rows[i]!.map((value) => value / pivot);
    for (let k = 0; k < n; k++) {
      if (k === i) continue;
      const factor = rows[k]![i]!;
      rows[k] = rows[k]!.map((value, column) => value - factor * rows[i]![column]!);
    }
  }
  return rows.map((row) => b.reduce<Vector>((sum, v, j) => add(sum, v, row[n + j]!), [0, 0, 0]));
}

function shiftsOf(b: readonly Vector[]): number[] {
  const shifts: number[] = [];
  for (let code = 0; code < 3 ** b.length; code++) {
    let v: Vector = [0, 0, 0];
    b.forEach((w, k) => {
      v = add(v, w, (Math.floor(code / 3 ** k) % 3) - 1);
    });
    if (dot(v, v) > 0) shifts.push(...v);
  }
  return shifts;
}
