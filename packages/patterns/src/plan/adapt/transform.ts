import { CorpuscleError } from '@corpuscle/core';
import type { Adaptation } from './Adaptation.js';
import { compare, declare, field, leaveIf, not, read, sum, times, variable } from './build.js';

/** A linear map of displacements, d′ = X d: nine numbers, row by row. */
export type Transform = readonly number[];

/** Positions in a deformed box: d is X d, and rcut counts there. */
export function transform(matrix: Transform, rcut: number): Adaptation {
  const values: Record<string, number> = { opt_rcut2: rcut * rcut };
  matrix.forEach((x, k) => {
    values[`opt_x${k}`] = x;
  });
  return {
    key: 'transform',
    params: Object.fromEntries(Object.keys(values).map((name) => [name, 'real'])),
    values,
    symmetric: true,
    statements() {
      const d = ['x', 'y', 'z'] as const;
      const moved = d.map((axis, row) => {
        const terms = d.map((c, k) => times(field('p', `opt_x${3 * row + k}`), field('d', c)));
        return { v: variable(`D${axis}`, 'real'), value: sum(terms) };
      });
      const r2 = variable('R2', 'real');
      const [x, y, z] = moved.map(({ v }) => read(v));
      return {
        before: [
          ...moved.map(({ v, value }) => declare(v, value)),
          declare(r2, sum([x!, y!, z!].map((c) => times(c, c)))),
          leaveIf(not(compare('<', read(r2), field('p', 'opt_rcut2')))),
        ],
        displacement: { x: x!, y: y!, z: z!, r2: read(r2) },
      };
    },
  };
}

/**
 * How far apart particles within rcut of the transformed space can be before: rcut over the least stretch of X.
 * @throws CorpuscleError INVALID_VALUE when X is not nine numbers, or flattens space.
 */
export function reachBefore(matrix: Transform, rcut: number): number {
  if (matrix.length !== 9 || !matrix.every(Number.isFinite))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `xform has ${matrix.length} numbers: give nine, row by row`,
    );
  const least = leastStretch(matrix);
  if (least > 1e-6) return (rcut / least) * (1 + 1e-9);
  throw new CorpuscleError(
    'INVALID_VALUE',
    'xform flattens space: give a matrix that can be inverted',
  );
}

/** The smallest singular value, by Jacobi rotations of XᵀX. */
function leastStretch(m: Transform): number {
  const a = [0, 1, 2].map((r) =>
    [0, 1, 2].map((c) => [0, 1, 2].reduce((s, k) => s + m[3 * k + r]! * m[3 * k + c]!, 0)),
  );
  for (let sweep = 0; sweep < 30; sweep++) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      if (a[p]![q] === 0) continue;
      const angle = 0.5 * Math.atan2(2 * a[p]![q]!, a[q]![q]! - a[p]![p]!);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let k = 0; k < 3; k++) {
        const [x, y] = [a[k]![p]!, a[k]![q]!];
        [a[k]![p], a[k]![q]] = [c * x - s * y, s * x + c * y];
      }
      for (let k = 0; k < 3; k++) {
        const [x, y] = [a[p]![k]!, a[q]![k]!];
        [a[p]![k], a[q]![k]] = [c * x - s * y, s * x + c * y];
      }
    }
  }
  return Math.sqrt(Math.max(0, Math.min(a[0]![0]!, a[1]![1]!, a[2]![2]!)));
}
