import type { ParameterValues } from '../../plan/calls.js';
import type { PairParameter } from './PairPlan.js';

/** Where a table lies that shares memory with others of its length, row by row: `a0 b0 c0 · a1 b1 c1 · …` */
export interface Packed {
  /** The first table of the group, whose name stands for all. */
  readonly group: string;
  readonly column: number;
  /** log2 of the numbers in a row. */
  readonly shift: number;
}

/** Tables of more rows are copied as they are: gathering is not what costs there. */
const MOST_ROWS = 256;
const MOST_COLUMNS = 8;

/** The length of a table as far as packing depends on it. */
export const packedLength = (length: number): number => (length <= MOST_ROWS ? length : Infinity);

/**
 * Puts real tables of the same length — those over pairs of types, as a rule — side by side, so that one row has
 * what one pair needs: a functor that reads ε and σ at the same index then computes one address and loads both.
 */
export function packTables(
  parameters: readonly PairParameter[],
  params: ParameterValues,
): PairParameter[] {
  const lengthOf = ({ name, type, table }: PairParameter): number => {
    const value = params[name];
    if (!table || type !== 'real' || typeof value !== 'object') return Infinity;
    return packedLength(value.length);
  };
  const groups = new Map<number, PairParameter[]>();
  for (const parameter of parameters) {
    const length = lengthOf(parameter);
    groups.set(length, [...(groups.get(length) ?? []), parameter]);
  }
  const places = new Map<string, Packed>();
  for (const [length, all] of groups) {
    for (let first = 0; length < Infinity && first < all.length; first += MOST_COLUMNS) {
      const group = all.slice(first, first + MOST_COLUMNS);
      if (group.length < 2) continue;
      const shift = Math.ceil(Math.log2(group.length));
      group.forEach(({ name }, column) => {
        places.set(name, { group: group[0]!.name, column, shift });
      });
    }
  }
  return parameters.map((parameter) => {
    const packed = places.get(parameter.name);
    return packed ? { ...parameter, packed } : parameter;
  });
}
