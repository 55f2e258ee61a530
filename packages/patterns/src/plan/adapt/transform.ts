import { CorpuscleError } from '@corpuscle/core';
import { leastStretch } from '../leastStretch.js';
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
