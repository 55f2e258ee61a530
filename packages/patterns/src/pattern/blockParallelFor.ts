import { CorpuscleError } from '@corpuscle/core';
import type {
  BlockFunctor,
  FieldSchema,
  Functor,
  ParamSchema,
  ParamValues,
  ResultSchema,
  ResultValues,
} from '@corpuscle/functor';
import { type ResultRecord, reductionOf, valuesOf } from '@corpuscle/functor/ir';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import { combined } from '../handles/combined.js';
import { completed, isCompleted } from '../handles/handles.js';
import { notified } from '../handles/notified.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import { atCaller } from '../plan/atCaller.js';
import type { BlockCall, BlockSchedule, ParameterValues, Plan } from '../plan/calls.js';
import { checkArrays } from '../plan/checkArrays.js';
import { checkCall } from '../plan/checkCall.js';
import { preparedParameters, withAdded } from '../plan/checkParameters.js';
import type { SharedArray } from '../plan/createArray.js';
import { listedBlocks, listTables } from '../plan/listedBlocks.js';
import type { CallParams } from '../value/ContextValue.js';
import type { CallOptions } from './dispatch.js';
import { engineFor } from './engineFor.js';
import { decisionFor } from './explain.js';
import { BoundCall, type PreparedCall } from './PreparedCall.js';

/** A number of blocks, or their numbers along x, y and z. */
export type BlockSpace =
  | number
  | readonly [number]
  | readonly [number, number]
  | readonly [number, number, number];

/** What a block call works on, and how its indices are handed out. */
export interface BlockOptions<A, P, B> extends CallOptions {
  /** One array for every array of the functor, made by `createArray`. */
  readonly arrays?: { readonly [K in keyof A | keyof B]: SharedArray };
  /** One value for every parameter of the functor. */
  readonly params?: CallParams<P>;
  /** Lanes of a block on the GPU, 1 to 1024; fewer where the device or shared memory has no room. Default 128. The CPU runs one. */
  readonly blockSize?: number;
  /** Only these indices of the space, in any order. Default: all. */
  readonly indices?: ArrayLike<number>;
  /**
   * How indices are handed out. CPU: `dynamic` chunks of equal size (default), `static` one range a thread, `guided` large
   * chunks first and ever smaller ones. GPU: one workgroup an index, or with `stealing` a fixed number of workgroups that
   * take the next index when they are done, for uneven work (on the CPU the same as guided).
   */
  readonly schedule?: BlockSchedule;
  /** Indices handed out together on the CPU, at least. Default: by their number. */
  readonly chunk?: number;
}

/** What a call returns: nothing, or the results of the functor. */
export type BlockResult<Q> = [keyof Q] extends [never] ? undefined : ResultValues<Q>;

/**
 * Calls a block functor once for every index of a space, in any order and in parallel. On the GPU a whole block of lanes
 * runs each index and shares its second-level loop; on the CPU a block has one lane. The functor's `prolog` and `epilog`
 * run once before and after.
 * @returns a handle on the functor's results, if it has any.
 * @throws CorpuscleError MISSING_VALUE or WRONG_TYPE for arrays that do not fit the functor; INDEX_OUT_OF_RANGE (from the
 *   handle, or at once when synchronous) when the functor wrote outside an array: such writes are refused.
 * @example
 * await blockParallelFor(rows, addValue, ctx, { arrays: { values: matrix }, params: { columns, value: 1 } });
 */
export function blockParallelFor<
  A extends FieldSchema,
  P extends ParamSchema,
  B extends FieldSchema,
  Q extends ResultSchema,
>(
  space: BlockSpace,
  functor: BlockFunctor<A, P, B, Q>,
  ctx: ExecutionContext,
  options: BlockOptions<A, P, B> = {},
): PatternHandle<BlockResult<Q>> {
  return atCaller(blockParallelFor, () => prepare(space, functor, ctx, options, false).run());
}

/**
 * Checks, plans and binds a call of a block functor; `run` makes it as often as needed, with parameters from here or from there.
 * @throws as blockParallelFor, except for parameters that are missing: `run` may give them.
 * @example
 * const add = prepareBlocks(rows, addValue, ctx, { arrays: { values: matrix } });
 * await add.run({ columns, value: 1 });
 */
export function prepareBlocks<
  A extends FieldSchema,
  P extends ParamSchema,
  B extends FieldSchema,
  Q extends ResultSchema,
>(
  space: BlockSpace,
  functor: BlockFunctor<A, P, B, Q>,
  ctx: ExecutionContext,
  options: BlockOptions<A, P, B> = {},
): PreparedCall<ParamValues<P>, BlockResult<Q>> {
  return atCaller(prepareBlocks, () => prepare(space, functor, ctx, options, false));
}

/**
 * Calls a block functor for every element of an array-like space, with `b.lane` 0 of 1: on the GPU each lane takes an element
 * of its own, where `blockParallelFor` gives each index a whole block.
 * @throws CorpuscleError INVALID_VALUE for a functor with block-shared memory or barriers; see also blockParallelFor.
 * @example
 * await parallelFor(values.length, halve, ctx, { arrays: { values } });
 */
export function parallelFor<
  A extends FieldSchema,
  P extends ParamSchema,
  B extends FieldSchema,
  Q extends ResultSchema,
>(
  space: BlockSpace,
  functor: BlockFunctor<A, P, B, Q>,
  ctx: ExecutionContext,
  options: BlockOptions<A, P, B> = {},
): PatternHandle<BlockResult<Q>> {
  return atCaller(parallelFor, () => {
    checkCall({ space, functor, ctx, options }, 'blockParallelFor');
    const { spec } = functor;
    if (spec.kind === 'block' && Object.keys(spec.blockShared ?? {}).length > 0) {
      throw new CorpuscleError(
        'INVALID_VALUE',
        `functor '${functor.name}' shares memory in a block, but parallelFor has no blocks: use blockParallelFor`,
      );
    }
    return prepare(space, functor, ctx, options, true).run();
  });
}

function prepare<
  A extends FieldSchema,
  P extends ParamSchema,
  B extends FieldSchema,
  Q extends ResultSchema,
>(
  space: BlockSpace,
  functor: BlockFunctor<A, P, B, Q>,
  ctx: ExecutionContext,
  options: BlockOptions<A, P, B>,
  elements: boolean,
): PreparedCall<ParamValues<P>, BlockResult<Q>> {
  checkCall({ space, functor, ctx, options }, 'blockParallelFor');
  const { indices, schedule = 'dynamic', blockSize = 128, chunk, onComplete } = options;
  const whole = extents(space);
  const size = indices?.length ?? whole[0] * whole[1] * whole[2];
  const sized = typeof options.enableGpu === 'object' ? { ...options, size } : options;
  const decision = decisionFor(functor, ctx, sized);
  checkNumbers(blockSize, chunk, schedule);
  const arrays = checkArrays(functor, options.arrays, ctx.heap);
  const common = { arrays, blockSize, schedule, chunk };
  const parameters = preparedParameters(functor, options.params);
  const prepared = (
    plan: Pick<BlockPlan, 'functor' | 'space' | 'elements'>,
    added: ParameterValues = {},
  ): BoundCall<ResultRecord> =>
    new BoundCall({
      ctx,
      name: functor.name,
      decision,
      call: engineFor(ctx, decision.backend).prepareBlocks({ ...common, ...plan }),
      used: ctx.device ? Object.values(arrays).map((array) => array.block) : [],
      options: { asynchronous: options.asynchronous, lane: options.lane },
      ...withAdded(parameters, added),
    });
  const hook = (one: Functor<'block'> | null) =>
    one ? [prepared({ functor: one, space: [1, 1, 1], elements: false })] : [];
  const before = hook(functor.prolog);
  const main = indices
    ? prepared(
        {
          functor: listedBlocks(parameters.functor as Functor<'block'>),
          space: [indices.length, 1, 1],
          elements,
        },
        listTables(indices, whole),
      )
    : prepared({ functor: parameters.functor, space: whole, elements });
  const after = hook(functor.epilog);
  const reduction = reductionOf(functor);
  const isPlain = reduction.reals === 0 && !onComplete && before.length + after.length === 0;
  const result = (record: ResultRecord) =>
    (reduction.reals > 0 ? valuesOf(reduction, record) : undefined) as BlockResult<Q>;
  const calls = [...before, main, ...after];
  const make = (params?: object): PatternHandle<BlockResult<Q>> => {
    const handles = calls.map((call) => call.run(params));
    const own = handles[before.length]!;
    if (isPlain && isCompleted(own)) return completed() as PatternHandle<BlockResult<Q>>;
    const parts = [own, ...handles.filter((handle) => handle !== own)];
    const outcome = ctx.watched(combined(parts, ([record]) => result(record!)));
    return onComplete ? ctx.watched(notified(outcome, null, onComplete)) : outcome;
  };
  return {
    explain: decision,
    run: function run(params) {
      return atCaller(run, () => make(params));
    },
    close: () => {
      for (const call of calls) call.close();
    },
  };
}

type BlockPlan = Plan<BlockCall>;

function extents(space: BlockSpace): readonly [number, number, number] {
  const given: readonly number[] = typeof space === 'number' ? [space] : space;
  const [nx = NaN, ny = 1, nz = 1] = given;
  const isRight = [nx, ny, nz].every((n) => Number.isInteger(n) && n >= 0);
  if (isRight && given.length <= 3 && nx * ny * nz < 2 ** 31) return [nx, ny, nz];
  throw new CorpuscleError(
    'INVALID_VALUE',
    `the space of blocks is ${given.join(' × ') || 'empty'}: give one to three whole numbers ≥ 0 with a product below 2^31`,
  );
}

const schedules: readonly unknown[] = ['dynamic', 'static', 'guided', 'stealing'];

function checkNumbers(blockSize: number, chunk: number | undefined, schedule: string): void {
  if (!Number.isInteger(blockSize) || blockSize < 1 || blockSize > 1024) {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `blockSize is ${blockSize}: give a whole number from 1 to 1024`,
    );
  }
  if (chunk !== undefined && !(Number.isInteger(chunk) && chunk > 0)) {
    throw new CorpuscleError('INVALID_VALUE', `chunk is ${chunk}: give a whole number ≥ 1`);
  }
  if (!schedules.includes(schedule)) {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `schedule is '${schedule}': give dynamic, static, guided or stealing`,
    );
  }
}
