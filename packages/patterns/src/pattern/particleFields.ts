import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { type IndexField, isIndexField } from '@corpuscle/functor/ir';
import { givenParameter, withGiven } from '@corpuscle/functor/passes';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import { adaptParticles, type ParticleAdaptations } from '../plan/adapt/adaptParticles.js';
import type { ParameterValues } from '../plan/calls.js';
import { preparedParameters, type ValueReferences, withAdded } from '../plan/checkParameters.js';
import { cellsReady } from './cellTable.js';
import type { Readying } from './dispatch.js';

/** Values of fields for one call: one number for all particles. */
export interface FieldOptions {
  /** Fields of `read` that have this value for every particle in this call, whatever the grid holds. */
  readonly fields?: Readonly<Record<string, number>>;
}

/** A functor bound to what a grid and a call have to offer. */
export interface BoundFunctor<F> {
  readonly functor: F;
  /** Parameters that come from values of the context. */
  readonly references: ValueReferences;
  /** All values, checked; null where some are still missing. */
  readonly params: ParameterValues | null;
  /** The same for values that a run gives besides. @throws see checkParameters. */
  complete(given: object | undefined): ParameterValues;
  /** Brings the indices up to date that the functor reads; null when they are. */
  readonly ready: Readying;
}

/**
 * Checks parameters, and settles where the fields of a cell or reduce functor come from: the grid, the call's `fields`, the
 * functor's `defaults` where the grid lacks them, or the sort (trait `needsCellParticleIndex`).
 * @throws CorpuscleError UNKNOWN_KEY or WRONG_TYPE for `fields`; see also checkParameters.
 */
export function bindFunctor<F extends Functor<'cell'> | Functor<'reduce'>>(
  given: F,
  grid: Grid,
  ctx: ExecutionContext,
  options: FieldOptions & ParticleAdaptations & { readonly params?: object | undefined },
): BoundFunctor<F> {
  const bound = bindFields(given, grid, ctx, options);
  if (!options.particleFilter) return bound;
  const { functor, params } = adaptParticles(bound.functor, grid, options);
  return { ...withAdded(bound, params), functor, ready: bound.ready };
}

function bindFields<F extends Functor<'cell'> | Functor<'reduce'>>(
  given: F,
  grid: Grid,
  ctx: ExecutionContext,
  options: FieldOptions & { readonly params?: object | undefined },
): BoundFunctor<F> {
  const parameters = preparedParameters(given, options.params);
  const { functor } = parameters;
  const { spec } = functor;
  if (!options.fields && !functor.traits.needsCellParticleIndex && hasAll(spec, grid))
    return { ...parameters, ready: null };
  const read = 'read' in spec ? spec.read : {};
  const values: Record<string, number> = {};
  for (const [name, value] of Object.entries(options.fields ?? {})) {
    if (!(name in read)) {
      throw new CorpuscleError(
        'UNKNOWN_KEY',
        `functor '${functor.name}' does not read a field '${name}' (it reads: ${Object.keys(read).join(', ') || 'none'}): only those can be given a value`,
      );
    }
    if (typeof value !== 'number') {
      throw new CorpuscleError('WRONG_TYPE', `the value of field '${name}' must be a number`);
    }
    values[name] = value;
  }
  const defaults = ('defaults' in spec && spec.defaults) || {};
  for (const name in defaults)
    if (!(name in values) && !grid.hasField(name)) values[name] = defaults[name]!;
  const indices = functor.traits.needsCellParticleIndex
    ? Object.keys(read)
        .filter((name) => isIndexField(name))
        .filter((name) => !(name in values))
    : [];
  for (const name of indices) addIndexBlock(grid, name);
  const names = Object.keys(values);
  if (names.length === 0 && indices.length === 0) return { ...parameters, ready: null };
  const added = Object.fromEntries(names.map((name) => [givenParameter(name), values[name]!]));
  const ready = indices.length === 0 ? null : () => indicesReady(grid, ctx, indices);
  return { ...withAdded(parameters, added), functor: withGiven(functor, names), ready };
}

/** Whether the grid has every field that the functor has a default for. */
function hasAll(spec: Functor['spec'], grid: Grid): boolean {
  if (!('defaults' in spec) || !spec.defaults) return true;
  for (const name in spec.defaults) if (!grid.hasField(name)) return false;
  return true;
}

const blocks = {
  cellIndex: ['cell', 'slot', 'index', null],
  cellCoordinates: ['cellX', 'cellY', 'cellZ', null],
} as const;

const blockOf = (field: IndexField): keyof typeof blocks =>
  (blocks.cellIndex as readonly unknown[]).includes(field) ? 'cellIndex' : 'cellCoordinates';

function addIndexBlock(grid: Grid, field: IndexField): void {
  const name = blockOf(field);
  if (grid.hasField(field)) {
    if (grid.field(field).block === name) return;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the grid has a field '${field}' of its own, which the trait needsCellParticleIndex would hide: rename that field`,
    );
  }
  grid.addBlock({ name, type: 'u32', width: 4, members: blocks[name] });
}

/** Sorts in which the blocks were last filled. */
const filled = new WeakMap<Grid, { cellIndex: number; cellCoordinates: number; cells: boolean }>();

function indicesReady(
  grid: Grid,
  ctx: ExecutionContext,
  indices: readonly IndexField[],
): Promise<void> | null {
  const needsCells = indices.some((name) => name !== 'index');
  const fill = (): void => {
    const state = filled.get(grid) ?? { cellIndex: -1, cellCoordinates: -1, cells: false };
    filled.set(grid, state);
    const { sortVersion } = grid;
    const within = indices.some((name) => blockOf(name) === 'cellIndex');
    if (within && (state.cellIndex !== sortVersion || (needsCells && !state.cells))) {
      fillIndices(grid, needsCells);
      state.cellIndex = sortVersion;
      state.cells = needsCells;
    }
    if (
      indices.some((name) => blockOf(name) === 'cellCoordinates') &&
      state.cellCoordinates !== sortVersion
    ) {
      fillCoordinates(grid);
      state.cellCoordinates = sortVersion;
    }
  };
  const waiting = needsCells ? cellsReady(grid, ctx) : (ctx.device?.started() ?? null);
  if (waiting !== null) return waiting.then(fill);
  fill();
  return null;
}

function fillIndices(grid: Grid, needsCells: boolean): void {
  const block = grid.block('cellIndex');
  const array = block.array as Uint32Array;
  for (let row = 0; row < grid.count; row++) array[4 * row + 2] = row;
  if (needsCells) {
    const { start, count } = grid.cells;
    for (let cell = 0; cell < count; cell++) {
      const first = start[cell]!;
      for (let row = first; row < start[cell + 1]!; row++) {
        array[4 * row] = cell;
        array[4 * row + 1] = row - first;
      }
    }
  }
  block.hostWritten();
}

function fillCoordinates(grid: Grid): void {
  const block = grid.block('cellCoordinates');
  const array = block.array as Uint32Array;
  const { start, dims, lines } = grid.cells;
  const [nx, ny, nz] = dims;
  for (let k = 0, cell = 0; k < ny * nz; k++) {
    const line = lines ? lines[k]! : k;
    for (let x = 0; x < nx; x++, cell++)
      for (let row = start[cell]!; row < start[cell + 1]!; row++) {
        array[4 * row] = x;
        array[4 * row + 1] = line % ny;
        array[4 * row + 2] = Math.floor(line / ny);
      }
  }
  block.hostWritten();
}
