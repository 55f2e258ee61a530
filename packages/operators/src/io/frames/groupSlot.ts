import { CorpuscleError, didYouMean } from '@corpuscle/core';
import { type Group, groupRows } from '../../analyses/coordination/Group.js';
import { idTypes } from '../../analyses/coordination/groupType.js';
import type { ParticleSource } from './ParticleSource.js';

/** The slot of operators that act on some particles only. */
export const groupSlot = {
  type: 'any_of',
  options: [{ type: 'string', names: 'group or type' }, ...idTypes],
  default: 'all',
  doc: 'which particles: all, a group made by the operator group, the name of a type, a list of ids, or { first, last, stride } of ids',
} as const;

/** The error of a name that neither a group nor a type has. */
export const unknownChoice = (name: string, known: readonly string[]): CorpuscleError =>
  new CorpuscleError(
    'UNKNOWN_TYPE',
    `'${name}' is neither a group nor a particle type${didYouMean(name, known)}`,
  );

/** Particles as a slot names them, or those whose field has the bits of a group. */
export type ChosenGroup = Group | { readonly field: string; readonly bits: number };

/** The rows of a group's particles by id, each once. @throws CorpuscleError INVALID_VALUE, UNKNOWN_TYPE */
export function rowsOfGroup(
  group: ChosenGroup,
  grid: ParticleSource,
  types: readonly string[],
): Uint32Array {
  const order = grid.rowsById();
  if (group === 'all') return order;
  if (typeof group === 'object' && 'bits' in group) {
    const mask = grid.block(group.field).array as Uint32Array;
    return order.filter((row) => (mask[row]! & group.bits) !== 0);
  }
  const ids = grid.block('id').array as BigUint64Array;
  const rowOf = () => new Map(Array.from(order, (row) => [Number(ids[row]), row] as const));
  const chosen = new Uint8Array(grid.count);
  for (const row of groupRows(group, grid, types, rowOf)) chosen[row] = 1;
  return order.filter((row) => chosen[row] === 1);
}
