import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { Functor, PlainResults } from '@corpuscle/functor';
import { type Reduction, type ResultRecord, reductionOf } from '@corpuscle/functor/ir';
import type { BlockCall, CellCall, RecordCall, ReduceCall, Totals } from '../plan/calls.js';
import { blockLayout } from './kernels/BlockLayout.js';
import { bindFields } from './kernels/FieldBinding.js';
import type { MainWork } from './MainWork.js';

/**
 * Functors with `gpu: false` may be any JavaScript. What could not be compiled is called as it stands, on the main thread,
 * particle by particle in row order: such functors may close over variables, print, or draw on a library.
 */
export function cellDirectly({ functor, grid, params, rows }: CellCall, main: MainWork): void {
  const cursor = particleCursor(functor, grid);
  guarded(functor, main, (piece) => {
    for (const row of rows ?? Array(grid.count).keys()) {
      functor.invoke(cursor.at(row), params);
      piece();
    }
  });
}

/** A reduction into a record: each particle has results of its own, which are joined. */
export function recordDirectly(
  { functor, reduction, grid, params, rows }: RecordCall,
  main: MainWork,
): ResultRecord {
  const total = reduction.identity();
  const cursor = particleCursor(functor, grid);
  const ids = grid.block('id').array;
  guarded(functor, main, (piece) => {
    for (const row of rows ?? Array(grid.count).keys()) {
      const own = reduction.identity();
      const view = accumulators(reduction, own);
      functor.invoke(view, cursor.at(row), params);
      piece();
      for (const { offset, id } of reduction.slots) {
        if (id >= 0 && Number.isFinite(own.reals[offset])) own.ids[id] = Number(ids[row]);
      }
      reduction.combine(total, own);
    }
  });
  return total;
}

/** A record as a functor sees it. */
function accumulators({ slots }: Reduction, { reals }: ResultRecord): object {
  const view = {};
  for (const { name, offset, length } of slots) {
    if (length > 0)
      Object.defineProperty(view, name, { value: reals.subarray(offset, offset + length) });
    else
      Object.defineProperty(view, name, {
        get: () => reals[offset],
        set: (value: number) => {
          reals[offset] = value;
        },
      });
  }
  return view;
}

/** The results of a reduction, the initial values not yet counted. */
export function reduceDirectly(
  { functor, grid, params }: ReduceCall,
  results: PlainResults,
  main: MainWork,
): Totals {
  const start = { sum: 0, max: Number.NEGATIVE_INFINITY, min: Number.POSITIVE_INFINITY };
  const totals: Totals = {};
  for (const name in results) totals[name] = start[results[name]!];
  const cursor = particleCursor(functor, grid);
  guarded(functor, main, (piece) => {
    for (let row = 0; row < grid.count; row++) {
      functor.invoke(totals, cursor.at(row), params);
      piece();
    }
  });
  return totals;
}

export function blockDirectly(
  { functor, space, arrays, params }: BlockCall,
  main: MainWork,
): ResultRecord {
  const [nx, ny, nz] = space;
  const reduction = reductionOf(functor);
  const total = reduction.identity();
  const { shared } = blockLayout(functor, 0);
  const barrier = (): void => {}; // one lane
  const views: Record<string, ArrayLike<number>> = {};
  for (const name in arrays) views[name] = arrays[name]!.values;
  guarded(functor, main, (piece) => {
    for (let index = 0; index < nx * ny * nz; index++) {
      const [x, y, z] = [index % nx, Math.floor(index / nx) % ny, Math.floor(index / (nx * ny))];
      const block: Record<string, unknown> = { index, x, y, z, lane: 0, size: 1, barrier };
      for (const { name, length } of shared) block[name] = new Float64Array(length);
      functor.invoke(block, views, params, accumulators(reduction, total));
      piece();
    }
  });
  return total;
}

/** An object whose properties are the fields of the row it stands at. */
function particleCursor(functor: Functor, grid: Grid): { at(row: number): object } {
  let current = 0;
  const particle = {};
  for (const { field, block, width, component, storage, writable } of bindFields(functor, grid)) {
    const { array } = grid.block(block);
    Object.defineProperty(particle, field, {
      enumerable: true,
      get: () =>
        storage === 'u64'
          ? Number(array[current * width + component])
          : array[current * width + component],
      set: (value: number) => {
        if (!writable) throw new TypeError(`'${field}' is read-only`);
        array[current * width + component] = value;
      },
    });
  }
  return {
    at(row) {
      current = row;
      return particle;
    },
  };
}

function guarded(functor: Functor, main: MainWork, run: (piece: () => void) => void): void {
  try {
    main.directly(functor.name, run);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CorpuscleError('KERNEL_FAILED', `functor '${functor.name}' failed: ${message}`, {
      cause,
      location: functor.source,
    });
  }
}
