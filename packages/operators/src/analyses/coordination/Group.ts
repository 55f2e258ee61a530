import { CorpuscleError, didYouMean } from '@corpuscle/core';
import type { ParticleSource } from '../../io/frames/ParticleSource.js';

/** Ids first, first + stride, … up to last. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
  readonly stride?: number;
}

/** Which particles: `all`, the name of a type, a list of ids (order and duplicates are kept), or a range of ids. */
export type Group = string | readonly number[] | IdRange;

/** What is wrong with a group as it is written; null when nothing is. */
export function checkGroup(group: Group): string | null {
  if (typeof group === 'string') return null;
  if (isList(group)) {
    if (group.length === 0) return 'the group is empty: give at least one id';
    const wrong = group.find((id) => !(Number.isSafeInteger(id) && id >= 0));
    return wrong === undefined ? null : `${wrong} is no id: ids are whole numbers ≥ 0`;
  }
  const { first, last, stride = 1 } = group;
  for (const [name, value] of [
    ['first', first],
    ['last', last],
  ] as const)
    if (!(Number.isSafeInteger(value) && value >= 0))
      return `${name} is ${value}: ids are whole numbers ≥ 0`;
  if (last < first) return `last ${last} is below first ${first}: the group would be empty`;
  if (!(Number.isSafeInteger(stride) && stride > 0))
    return `stride is ${stride}: give a whole number ≥ 1`;
  return null;
}

/** Number of slots of a group, where it can be known without the particles. */
export function knownSize(group: Group): number | undefined {
  if (typeof group === 'string') return undefined;
  if (isList(group)) return group.length;
  return Math.floor((group.last - group.first) / (group.stride ?? 1)) + 1;
}

/**
 * The rows of a group's particles, slot by slot. The grid's host ids and types must be current.
 *
 * @param types names of the particle types
 * @throws CorpuscleError INVALID_VALUE for an id that no particle has, UNKNOWN_TYPE
 */
export function groupRows(
  group: Group,
  grid: ParticleSource,
  types: readonly string[],
  rowOf: () => ReadonlyMap<number, number>,
): Uint32Array {
  if (group === 'all') {
    const rows = new Uint32Array(grid.count);
    for (let row = 0; row < rows.length; row++) rows[row] = row;
    return rows;
  }
  if (typeof group === 'string') return rowsOfType(group, grid, types);
  const problem = checkGroup(group);
  if (problem) throw new CorpuscleError('INVALID_VALUE', problem);
  const size = knownSize(group)!;
  const rows = new Uint32Array(size);
  const known = rowOf();
  for (let k = 0; k < size; k++) {
    const id = isList(group) ? group[k]! : group.first + k * (group.stride ?? 1);
    const row = known.get(id);
    if (row === undefined)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `there is no particle with id ${id}: the ${grid.count} particles have ids ${span(known)}`,
      );
    rows[k] = row;
  }
  return rows;
}

function rowsOfType(name: string, grid: ParticleSource, types: readonly string[]): Uint32Array {
  const index = types.indexOf(name);
  if (index < 0)
    throw new CorpuscleError(
      'UNKNOWN_TYPE',
      `the group '${name}' is neither all nor a particle type${didYouMean(name, ['all', ...types])}`,
    );
  const type = grid.block('type').array as Uint32Array;
  const rows: number[] = [];
  for (let row = 0; row < grid.count; row++) if (type[row] === index) rows.push(row);
  return Uint32Array.from(rows);
}

function span(known: ReadonlyMap<number, number>): string {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const id of known.keys()) {
    low = Math.min(low, id);
    high = Math.max(high, id);
  }
  return `${low} to ${high}`;
}

const isList = (group: Group): group is readonly number[] => Array.isArray(group);
