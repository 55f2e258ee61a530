import { CorpuscleError, type FieldBlock, type Grid } from '@corpuscle/core';
import type {
  FieldSchema,
  Functor,
  NeighbourhoodFunctor,
  PairFunctor,
  ParamSchema,
  ParamValues,
} from '@corpuscle/functor';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import { isRepeatablePairs } from '../context/repeats/isRepeatable.js';
import { type AllPairsOptions, allPairsOf, labelBlocks } from './AllPairs.js';
import { adaptPairs, type PairAdaptations } from './adapt/adaptPairs.js';
import { checkParameters } from './checkParameters.js';
import { checkUnwanted } from './checkUnwanted.js';
import type { BackendName, PairForm } from './chooseBackend.js';
import { type CallOptions, deviceAtOnce, deviceNow, dispatch, isAsynchronous } from './dispatch.js';
import { decide, explain } from './explain.js';
import { gridBlocks } from './gridBlocks.js';
import type { OutputTarget, PairCall, PatternEngine, Totals } from './PatternEngine.js';
import type { PatternHandle } from './PatternHandle.js';
import { lastingValues } from './parameterValues.js';

/** Where each output goes. */
export type OutputTargets<C> = { readonly [K in keyof C]?: OutputTarget };
/** The outputs whose sum over all particles a call returns. */
export type PairTotals<O> = { [K in keyof O as O[K] extends 'total' | 'both' ? K : never]: number };

/** Which pairs a call takes, and where its outputs go. */
export interface PairOptions<C, P, O extends OutputTargets<C>>
  extends CallOptions,
    PairAdaptations {
  /** Pairs closer than this count, in length units. With `allPairs` it may be Infinity. */
  readonly rcut: number;
  /**
   * Pairs without neighbour lists: tiles of all particles, or of some, against each other at their nearest images. Right
   * for any rcut, also beyond half the box; the work grows with the square of the number. Default false.
   */
  readonly allPairs?: boolean | AllPairsOptions;
  /** One value for every parameter of the functor. */
  readonly params?: ParamValues<P>;
  /** Default: 'particles' for every output. */
  readonly outputs?: O;
  /** Default 'auto'. */
  readonly form?: 'auto' | PairForm;
}

export type PairsFunctor<C extends FieldSchema, P extends ParamSchema> =
  | PairFunctor<C, P>
  | NeighbourhoodFunctor<C, P>;

/** One functor for each form, with the same outputs and parameters. */
export interface PairForms<C extends FieldSchema, P extends ParamSchema> {
  readonly buffered: PairsFunctor<C, P>;
  readonly bufferless: PairFunctor<C, P>;
}

/**
 * Calls a pair functor for every particle and each of its neighbours closer than rcut; `updateNeighbours` must have been
 * called with at least that rcut, unless `allPairs` does without lists. Outputs are added to the particles' fields,
 * summed, both, or not computed at all.
 *
 * @returns a handle on the totals of the outputs sent to 'total' or 'both'.
 * @throws CorpuscleError NO_NEIGHBOUR_LISTS, UNKNOWN_FIELD, INVALID_VALUE; see also `explain` and `checkParameters`.
 * @example
 * const { ep } = await computeCellParticlePairs(grid, lennardJones, ctx, { rcut: 2.5, params, outputs: { ep: 'total' } });
 */
export function computeCellParticlePairs<
  C extends FieldSchema,
  P extends ParamSchema,
  const O extends OutputTargets<C> = Record<never, never>,
>(
  grid: Grid,
  functors: PairsFunctor<C, P> | PairForms<C, P>,
  ctx: ExecutionContext,
  options: PairOptions<C, P, O>,
): PatternHandle<PairTotals<O>> {
  const again = ctx.repeats.pairs(grid, functors, options);
  const device = again === null ? null : deviceNow(ctx, again.used);
  const handle =
    again === null || device === null
      ? newCall(grid, functors, ctx, options)
      : ctx.watched(device.computeCellParticlePairs(again.call));
  return handle as PatternHandle<PairTotals<O>>;
}

/** A call that is not the same as one before. */
function newCall<C extends FieldSchema, P extends ParamSchema, O extends OutputTargets<C>>(
  grid: Grid,
  functors: PairsFunctor<C, P> | PairForms<C, P>,
  ctx: ExecutionContext,
  options: PairOptions<C, P, O>,
): PatternHandle<Totals> {
  const given = 'kind' in functors ? functors : chosen(functors, ctx, options);
  const allPairs = allPairsOf(options.allPairs, given);
  if (!(options.rcut > 0 && (Number.isFinite(options.rcut) || allPairs))) {
    throw new CorpuscleError('INVALID_VALUE', `rcut is ${options.rcut}: give a positive length`);
  }
  if (allPairs && (options.xform || given.ir?.start))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `allPairs meets pairs tile by tile, at their nearest images, which goes with neither xform nor a context (functor '${given.name}'): use neighbour lists`,
    );
  const outputs = targets(given, grid, options.outputs ?? {});
  const params = checkParameters(given, options.params);
  const adapted = adaptPairs(given, grid, options.rcut, options);
  const { functor, rcut } = adapted;
  const asked =
    'kind' in functors ? options.form : given === functors.buffered ? 'buffered' : 'bufferless';
  const { backend, form } = decide(functor, ctx, options, grid.count, asked);
  checkUnwanted(functor, outputs);
  const lasting = functor === functors && !allPairs && isRepeatablePairs(options);
  const call: PairCall = {
    grid,
    functor,
    rcut,
    params: lasting ? lastingValues(params) : { ...params, ...adapted.params },
    lasting,
    outputs,
    form: form as PairForm,
    allPairs,
    asynchronous: isAsynchronous(options),
    lane: options.lane,
  };
  const used = gridBlocks(functor, grid);
  const blocks = allPairs?.labels ? [...used, ...labelBlocks(grid, allPairs)] : used;
  const device = deviceAtOnce(ctx, backend, blocks, options);
  if (!device) return inItsTurn(ctx, backend, blocks, call, options);
  if (lasting) ctx.repeats.keepPairs(functors, options, { call, used, written: [] });
  return ctx.watched(device.computeCellParticlePairs(call));
}

function inItsTurn(
  ctx: ExecutionContext,
  backend: BackendName,
  blocks: readonly FieldBlock[],
  call: PairCall,
  options: CallOptions,
): PatternHandle<Totals> {
  const start = (engine: PatternEngine) => engine.computeCellParticlePairs(call);
  return dispatch(ctx, backend, blocks, call.grid, start, options);
}

/** The buffered form on the CPU and the bufferless one on GPUs, unless the call says which. */
function chosen<C extends FieldSchema, P extends ParamSchema>(
  { buffered, bufferless }: PairForms<C, P>,
  ctx: ExecutionContext,
  options: CallOptions & { readonly form?: 'auto' | PairForm },
): PairsFunctor<C, P> {
  const { form = 'auto' } = options;
  if (form !== 'auto') return form === 'buffered' ? buffered : bufferless;
  const { backend } = explain(bufferless, ctx, { ...options, form: 'bufferless' });
  return backend === 'cpu' ? buffered : bufferless;
}

const allTargets: readonly unknown[] = ['particles', 'total', 'both', 'none'];

type GivenTargets = Readonly<Record<string, OutputTarget | undefined>>;
type Targets = Readonly<Record<string, OutputTarget>>;

interface KnownTargets {
  readonly blocks: number;
  readonly names: number;
  readonly given: GivenTargets;
  readonly outputs: Targets;
}

const known = new WeakMap<Functor, WeakMap<Grid, KnownTargets>>();

/** One target for every output; the same object as before where calls follow each other that ask for the same. */
function targets(functor: Functor, grid: Grid, given: GivenTargets): Targets {
  let byGrid = known.get(functor);
  if (!byGrid) {
    byGrid = new WeakMap();
    known.set(functor, byGrid);
  }
  const last = byGrid.get(grid);
  if (last && last.blocks === grid.blocks.size && isSame(last, given)) return last.outputs;
  const outputs = allTargetsOf(functor, grid, given);
  const names = Object.keys(given).length;
  byGrid.set(grid, { blocks: grid.blocks.size, names, given: { ...given }, outputs });
  return outputs;
}

function isSame(last: KnownTargets, given: GivenTargets): boolean {
  let names = 0;
  for (const name in given) {
    if (given[name] !== last.given[name]) return false;
    names++;
  }
  return names === last.names;
}

function allTargetsOf(
  { name: functor, spec }: Functor,
  grid: Grid,
  given: GivenTargets,
): Record<string, OutputTarget> {
  const central: FieldSchema =
    spec.kind === 'pair'
      ? spec.central
      : spec.kind === 'neighbourhood'
        ? { ...spec.central, ...spec.scatter }
        : {};
  for (const name in given) {
    if (name in central) continue;
    const has = Object.keys(central).join(', ');
    throw new CorpuscleError(
      'UNKNOWN_KEY',
      `functor '${functor}' has no output '${name}' (it has: ${has})`,
    );
  }
  const outputs: Record<string, OutputTarget> = {};
  for (const name in central) {
    const target = given[name] ?? 'particles';
    if (!allTargets.includes(target)) {
      throw new CorpuscleError(
        'INVALID_VALUE',
        `output '${name}' of functor '${functor}' goes to '${target}': give particles, total, both or none`,
      );
    }
    if (target !== 'none' && target !== 'total' && !grid.hasField(name)) {
      throw new CorpuscleError(
        'UNKNOWN_FIELD',
        `output '${name}' of functor '${functor}' goes to the particles, and the grid has no field '${name}': add it with grid.addBlock, or give outputs: { ${name}: 'total' } for its sum or 'none' to leave it out`,
      );
    }
    outputs[name] = target;
  }
  return outputs;
}
