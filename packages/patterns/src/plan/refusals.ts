import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { ValueType } from '@corpuscle/functor/ir';
import type { OutputTarget } from './calls.js';

// What engines refuse when a call is bound: one wording, whichever engine finds it.

/** Why the lists of a grid do not serve a call. */
export type ListFault = 'none' | 'resized or sorted' | 'another box' | { readonly reach: number };

/** The error of a call whose lists are missing, too short or stale. */
export function noNeighborLists(fault: ListFault, rcut: number): CorpuscleError {
  const why =
    typeof fault === 'object'
      ? `the neighbor lists are good up to ${fault.reach}`
      : {
          none: 'there are no neighbor lists',
          'resized or sorted':
            'the neighbor lists are stale, because particles were added, removed or sorted since',
          'another box': 'the box changed since the neighbor lists were built',
        }[fault];
  return new CorpuscleError(
    'NO_NEIGHBOR_LISTS',
    `pairs within rcut ${rcut} are asked for, but ${why}: call updateNeighbors(grid, ctx, { rcut: ${rcut}, skin }) first`,
  );
}

/** The error of an output that is wanted as a sum, of a functor that computes with it. */
export const notASum = (functor: string, field: string, target: OutputTarget): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    `output '${field}' of functor '${functor}' cannot go to '${target}', because the functor does more than add to its outputs: send it to 'particles'`,
  );

/** The error of a pair functor that writes positions. */
export const movesParticles = (functor: string, field: string): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    `functor '${functor}' moves particles ('${field}') while their neighbors are read: write to another field and move them with a cell functor`,
  );

/** The error of a field that a functor declares otherwise than the grid stores it. @param functor where it is known */
export const wrongFieldType = (
  field: string,
  type: ValueType,
  storage: string,
  functor?: string,
): CorpuscleError =>
  new CorpuscleError(
    'WRONG_TYPE',
    `field '${field}'${functor ? ` of functor '${functor}'` : ''} is declared as ${type}, but the grid stores it as ${storage}: declare it accordingly`,
  );

/**
 * The error of a write that a functor made outside an array, which was not done. Its sentence has the place of the functor: an operator
 * that has made the call gives it its own.
 */
export const writeRefused = (
  { name, source: { file, line, column } }: Pick<Functor, 'name' | 'source'>,
  element: string,
  length: number,
): CorpuscleError =>
  new CorpuscleError(
    'INDEX_OUT_OF_RANGE',
    `functor '${name}' wrote ${element}, but the array has ${length} elements: the write was refused; check the index (${file}:${line}:${column})`,
  );

/** The error of a particle whose position is no number, or infinite. @param place its position, where it is known */
export const notFinite = (grid: Grid, row: number, place = 'not a finite number'): CorpuscleError =>
  new CorpuscleError(
    'NOT_FINITE',
    `the position of particle ${grid.block('id').piece(row, 1)[0] ?? row} is ${place}: check the input, lower the time step, or look for particles that overlap at the start`,
  );
