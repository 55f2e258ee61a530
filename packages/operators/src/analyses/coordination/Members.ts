import { CorpuscleError, type Grid } from '@corpuscle/core';
import { type Group, groupRows } from './Group.js';

/** The groups of a collective variable. */
export interface Groups {
  readonly groupA: Group;
  readonly groupB?: Group;
  /** Slot k of A with slot k of B only. */
  readonly pair?: boolean;
}

/** Distinct particles of a group and how often each occurs. */
export interface Multiset {
  readonly rows: Uint32Array;
  readonly weights: Float64Array;
}

/** Groups as rows of the grid at its present order. */
export interface Members {
  readonly mode: 'self' | 'two' | 'pair';
  /** Every particle once, in one group. */
  readonly everything: boolean;
  readonly slotsA: Uint32Array;
  readonly slotsB: Uint32Array;
  readonly a: Multiset;
  readonly b: Multiset;
}

/**
 * Finds the rows of groups. Host ids and types must be current.
 *
 * @throws CorpuscleError INVALID_VALUE: an unknown id, `pair` without a second group or with one of another size
 */
export function membersOf(
  { groupA, groupB, pair = false }: Groups,
  grid: Grid,
  types: readonly string[],
): Members {
  if (pair && groupB === undefined)
    throw new CorpuscleError(
      'INVALID_VALUE',
      'pair needs two groups: give group_b, or remove pair',
    );
  let rowOf: Map<number, number> | undefined;
  const rows = () => {
    rowOf ??= idToRow(grid);
    return rowOf;
  };
  const slotsA = groupRows(groupA, grid, types, rows);
  const slotsB = groupB === undefined ? new Uint32Array(0) : groupRows(groupB, grid, types, rows);
  if (pair && slotsA.length !== slotsB.length)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `pair needs groups of equal size: group_a has ${slotsA.length} particles, group_b ${slotsB.length}`,
    );
  return {
    mode: pair ? 'pair' : groupB === undefined ? 'self' : 'two',
    everything: groupA === 'all' && groupB === undefined,
    slotsA,
    slotsB,
    a: multiset(slotsA, grid.count),
    b: multiset(slotsB, grid.count),
  };
}

function idToRow(grid: Grid): Map<number, number> {
  const ids = grid.block('id').array as BigUint64Array;
  const rowOf = new Map<number, number>();
  for (let row = 0; row < grid.count; row++) rowOf.set(Number(ids[row]), row);
  return rowOf;
}

function multiset(slots: Uint32Array, count: number): Multiset {
  const times = new Uint32Array(count);
  for (const row of slots) times[row]!++;
  const rows = Uint32Array.from(new Set(slots));
  return { rows, weights: Float64Array.from(rows, (row) => times[row]!) };
}
