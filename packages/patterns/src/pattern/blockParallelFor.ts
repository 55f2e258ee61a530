import { CorpuscleError } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { BlockFunctor, Functor } from '../functor/Functor.js';
import type { FieldSchema, FieldType, ParamSchema, ParamValues } from '../functor/schema.js';
import { checkParameters } from './checkParameters.js';
import { SharedArray } from './createArray.js';
import { type CallOptions, dispatch } from './dispatch.js';
import { explain } from './explain.js';
import type { PatternHandle } from './PatternHandle.js';

/** A number of blocks, or their numbers along x, y and z. */
export type BlockSpace =
  | number
  | readonly [number]
  | readonly [number, number]
  | readonly [number, number, number];

export interface BlockOptions<A, P, B> extends CallOptions {
  /** One array for every array of the functor, made by `createArray`. */
  readonly arrays?: { readonly [K in keyof A | keyof B]: SharedArray };
  /** One value for every parameter of the functor. */
  readonly params?: ParamValues<P>;
  /** Lanes of a block on the GPU, 1 to 1024. Default 128. The CPU runs one. */
  readonly blockSize?: number;
}

/**
 * Calls a block functor once for every index of a space, in any order and in parallel. On the GPU a whole block of lanes
 * runs each index and shares its second-level loop; on the CPU a block has one lane.
 *
 * @throws CorpuscleError MISSING_VALUE or WRONG_TYPE for arrays that do not fit the functor; INDEX_OUT_OF_RANGE (from the
 *   handle, or at once when synchronous) when the functor wrote outside an array: such writes are refused.
 * @example
 * await blockParallelFor(rows, addValue, ctx, { arrays: { values: matrix }, params: { columns, value: 1 } });
 */
export function blockParallelFor<
  A extends FieldSchema,
  P extends ParamSchema,
  B extends FieldSchema,
>(
  space: BlockSpace,
  functor: BlockFunctor<A, P, B>,
  ctx: ExecutionContext,
  options: BlockOptions<A, P, B> = {},
): PatternHandle<void> {
  const { backend } = explain(functor, ctx, options);
  const arrays = checkArrays(functor, options.arrays);
  const call = {
    space: extents(space),
    functor,
    arrays,
    params: checkParameters(functor, options.params),
    blockSize: options.blockSize ?? 128,
    asynchronous: options.asynchronous ?? false,
  };
  if (!Number.isInteger(call.blockSize) || call.blockSize < 1 || call.blockSize > 1024) {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `blockSize is ${call.blockSize}: give a whole number from 1 to 1024`,
    );
  }
  const blocks = ctx.gpu ? Object.values(arrays).map((array) => array.block) : [];
  return dispatch(ctx, backend, blocks, undefined, (engine) => engine.blockParallelFor(call));
}

function extents(space: BlockSpace): readonly [number, number, number] {
  const [nx, ny = 1, nz = 1] = typeof space === 'number' ? [space] : space;
  const total = nx * ny * nz;
  for (const n of [nx, ny, nz]) {
    if (Number.isInteger(n) && n >= 0 && total < 2 ** 31) continue;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the space of blocks is ${[nx, ny, nz].join(' × ')}: give whole numbers ≥ 0 with a product below 2^31`,
    );
  }
  return [nx, ny, nz];
}

const none: Readonly<Record<string, SharedArray>> = Object.freeze({});
const fitting: Record<FieldType, readonly string[]> = {
  real: ['real', 'f64', 'f32'],
  i32: ['i32'],
  u32: ['u32'],
};

function checkArrays(
  { name: functor, spec }: Functor<'block'>,
  given: object | undefined,
): Record<string, SharedArray> {
  const values = (given ?? none) as Record<string, SharedArray>;
  if (spec.kind !== 'block') return values;
  for (const schema of [spec.arrays, spec.read]) {
    for (const name in schema) {
      const array = values[name];
      if (!(array instanceof SharedArray)) {
        throw new CorpuscleError(
          'MISSING_VALUE',
          `array '${name}' of functor '${functor}' is missing: give one made by createArray in arrays`,
        );
      }
      if (fitting[schema[name]!].includes(array.type)) continue;
      throw new CorpuscleError(
        'WRONG_TYPE',
        `array '${name}' of functor '${functor}' holds ${array.type}, but the functor wants ${schema[name]}`,
      );
    }
  }
  for (const name in values) {
    if (name in spec.arrays || name in spec.read) continue;
    const has = Object.keys({ ...spec.arrays, ...spec.read }).join(', ');
    throw new CorpuscleError(
      'UNKNOWN_KEY',
      `functor '${functor}' has no array '${name}' (it has: ${has})`,
    );
  }
  return values;
}
