import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { Expr, Stmt, Variable } from '@corpuscle/functor/ir';
import type { Adaptation } from './Adaptation.js';
import {
  add,
  compare,
  declare,
  field,
  item,
  leaveIf,
  read,
  real,
  sum,
  times,
  variable,
  whole,
} from './build.js';

/** Cells whose particles receive: the box divided evenly, whatever cells the engines sort by. */
export interface CellFilter {
  /** Number of cells along each edge of the box. */
  readonly cells: readonly [number, number, number];
  /** One number for each cell, x fastest; particles in cells with 0 are passed over. */
  readonly mask: ArrayLike<number>;
}

/** @throws CorpuscleError INVALID_VALUE */
export function cellFilter({ cells, mask }: CellFilter, { domain }: Grid): Adaptation {
  const total = cells.reduce((a, b) => a * b, 1);
  if (!cells.every((n) => Number.isInteger(n) && n > 0) || mask.length !== total)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the mask of ${cells.join(' × ')} cells has ${mask.length} numbers: give whole numbers of cells, and one number for each`,
    );
  const { inverse, origin, periodic } = domain;
  const values: Record<string, number | number[]> = { opt_mask: Array.from(mask) };
  // One cell alone would make the table a scalar, which has no index.
  if (total === 1) values.opt_mask = [mask[0]!, mask[0]!];
  cells.forEach((n, k) => {
    values[`opt_n${k}`] = n;
    for (let axis = 0; axis < 3; axis++) values[`opt_s${axis}${k}`] = inverse[3 * axis + k]! * n;
    values[`opt_o${k}`] = -n * origin.reduce((s, o, axis) => s + o * inverse[3 * axis + k]!, 0);
  });
  const params = Object.fromEntries(
    Object.keys(values).map((name) => [
      name,
      name === 'opt_mask' ? 'u32[]' : name.startsWith('opt_n') ? 'u32' : 'real',
    ]),
  ) as Adaptation['params'];
  return {
    key: `cells ${periodic.join()}`,
    central: { rx: 'real', ry: 'real', rz: 'real' },
    params,
    values,
    symmetric: false,
    statements: () => ({ particle: statementsFor(periodic) }),
  };
}

/** Cell of the central particle along each axis: wrapped where the box is periodic, else the nearest one. */
function statementsFor(periodic: readonly boolean[]): Stmt[] {
  const before: Stmt[] = [];
  const name = (v: Variable, value: Expr): Expr => {
    before.push(declare(v, value));
    return read(v);
  };
  const axes = [0, 1, 2].map((k) => {
    const terms = ['rx', 'ry', 'rz'].map((r, axis) =>
      times(field('i', r), field('p', `opt_s${axis}${k}`)),
    );
    const at = name(variable('At', 'real'), sum([...terms, field('p', `opt_o${k}`)]));
    const n: Expr = { kind: 'cast', type: 'real', operand: field('p', `opt_n${k}`, 'u32') };
    const boxes: Expr = { kind: 'math', type: 'real', name: 'floor', args: [add(at, n, '/')] };
    const wrapped = periodic[k] ? add(at, times(boxes, n), '-') : at;
    const inside = name(variable('Cell', 'real'), {
      kind: 'math',
      type: 'real',
      name: 'max',
      args: [
        real(0),
        { kind: 'math', type: 'real', name: 'min', args: [wrapped, add(n, real(0.5), '-')] },
      ],
    });
    const cell: Expr = { kind: 'cast', type: 'u32', operand: inside };
    return cell;
  });
  const [x, y, z] = axes as [Expr, Expr, Expr];
  const n = (k: number) => field('p', `opt_n${k}`, 'u32');
  const index = add(x, times(n(0), add(y, times(n(1), z))));
  before.push(leaveIf(compare('==', item('opt_mask', index, 'u32'), whole(0))));
  return before;
}
