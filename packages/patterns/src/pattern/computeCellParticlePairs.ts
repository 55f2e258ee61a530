import { CorpuscleError, type Grid } from '@corpuscle/core';
import type {
  FieldSchema,
  Functor,
  NeighborhoodFunctor,
  PairFunctor,
  ParamSchema,
  ParamValues,
} from '@corpuscle/functor';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import { type AllPairs, type AllPairsOptions, allPairsOf, labelBlocks } from '../plan/AllPairs.js';
import { adaptPairs, isWeighted, type PairAdaptations } from '../plan/adapt/adaptPairs.js';
import { atCaller } from '../plan/atCaller.js';
import type { OutputTarget } from '../plan/calls.js';
import { checkCall } from '../plan/checkCall.js';
import { preparedParameters, withAdded } from '../plan/checkParameters.js';
import { checkUnwanted } from '../plan/checkUnwanted.js';
import type { PairForm } from '../plan/chooseBackend.js';
import { gridBlocks } from '../plan/gridBlocks.js';
import { needSingleImages } from '../plan/singleImages.js';
import { totalsOf } from '../plan/totalsOf.js';
import type { CallParams } from '../value/ContextValue.js';
import { type ContextValue, placeOfResults } from '../value/ContextValue.js';
import type { CallOptions } from './dispatch.js';
import { engineFor } from './engineFor.js';
import { decisionFor } from './explain.js';
import { listBackendOf } from './listBackend.js';
import { BoundCall, type PreparedCall } from './PreparedCall.js';

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
   * Pairs without neighbor lists: tiles of all particles, or of some, against each other at their nearest images. Right
   * for any rcut, also beyond half the box; the work grows with the square of the number. Default false.
   */
  readonly allPairs?: boolean | AllPairsOptions;
  /** One value for every parameter of the functor. */
  readonly params?: CallParams<P>;
  /** Default: 'particles' for every output. */
  readonly outputs?: O;
  /**
   * A value of the context that has the names of the outputs sent to 'total' or 'both', in their order: it gets their sums
   * instead of the host, and the handle gives nothing.
   */
  readonly into?: ContextValue;
  /** Default 'auto'. */
  readonly form?: 'auto' | PairForm;
}

export type PairsFunctor<C extends FieldSchema, P extends ParamSchema> =
  | PairFunctor<C, P>
  | NeighborhoodFunctor<C, P>;

/** One functor for each form, with the same outputs and parameters. */
export interface PairForms<C extends FieldSchema, P extends ParamSchema> {
  readonly buffered: PairsFunctor<C, P>;
  readonly bufferless: PairFunctor<C, P>;
}

/**
 * Calls a pair functor for every particle and each of its neighbors closer than rcut; `updateNeighbors` must have been
 * called with at least that rcut, unless `allPairs` does without lists. Outputs are added to the particles' fields,
 * summed, both, or not computed at all. Loops that make the same call again and again prepare it once with
 * `prepareCellParticlePairs`.
 * @returns a handle on the totals of the outputs sent to 'total' or 'both'.
 * @throws CorpuscleError NO_NEIGHBOR_LISTS, UNKNOWN_FIELD, INVALID_VALUE; see also `explain` and `checkParameters`.
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
  return atCaller(computeCellParticlePairs, () =>
    prepareCellParticlePairs(grid, functors, ctx, options).run(),
  );
}

/**
 * Checks, plans and binds a call of a pair functor; `run` makes it as often as needed, with parameters from here or from there.
 * @throws as computeCellParticlePairs, except for parameters that are missing (`run` may give them) and for lists, which
 *   must be there when the call is run.
 * @example
 * const forces = prepareCellParticlePairs(grid, lennardJones, ctx, { rcut: 2.5, params });
 * forces.run();
 */
export function prepareCellParticlePairs<
  C extends FieldSchema,
  P extends ParamSchema,
  const O extends OutputTargets<C> = Record<never, never>,
>(
  grid: Grid,
  functors: PairsFunctor<C, P> | PairForms<C, P>,
  ctx: ExecutionContext,
  options: PairOptions<C, P, O>,
): PreparedCall<ParamValues<P>, PairTotals<O>> {
  return atCaller(prepareCellParticlePairs, () => {
    const isPairOfForms =
      typeof functors === 'object' && functors !== null && 'buffered' in functors;
    for (const functor of isPairOfForms ? [functors.buffered, functors.bufferless] : [functors])
      checkCall({ grid, functor, ctx, options }, 'computeCellParticlePairs');
    const backend = options.backend ?? (options.allPairs ? undefined : listBackendOf(grid, ctx));
    const call = backend === undefined ? options : { ...options, backend };
    const given = 'kind' in functors ? functors : chosen(functors, ctx, call);
    const allPairs = allPairsOf(options.allPairs, given);
    checkReach(given, allPairs, options);
    const outputs = targets(given, grid, options.outputs ?? {});
    const own = preparedParameters(given, options.params);
    if (isWeighted(options.weights) && !allPairs) needSingleImages(grid, options.rcut);
    const adapted = adaptPairs(own.functor, grid, options.rcut, options);
    const { functor, rcut } = adapted;
    const parameters = { ...withAdded(own, adapted.params), functor };
    const asked =
      'kind' in functors ? options.form : given === functors.buffered ? 'buffered' : 'bufferless';
    const decision = decisionFor(functor, ctx, { ...call, form: asked, size: grid.count });
    checkUnwanted(functor, outputs);
    const used = gridBlocks(functor, grid);
    const form = decision.form as PairForm;
    const into = options.into && placeOfResults(functor.name, totalsOf({ outputs }), options.into);
    const plan = { grid, functor, rcut, outputs, form, allPairs, into };
    return new BoundCall({
      ctx,
      name: functor.name,
      decision,
      call: engineFor(ctx, decision.backend).preparePairs(plan),
      grid,
      used: allPairs?.labels ? [...used, ...labelBlocks(grid, allPairs)] : used,
      ...(options.into && { values: [options.into] }),
      options,
      ...parameters,
    }) as PreparedCall<object, unknown> as PreparedCall<ParamValues<P>, PairTotals<O>>;
  });
}

function checkReach(
  { name, ir }: Functor,
  allPairs: AllPairs | null,
  { rcut, xform }: { readonly rcut: number; readonly xform?: unknown },
): void {
  if (!(rcut > 0 && (Number.isFinite(rcut) || allPairs)))
    throw new CorpuscleError('INVALID_VALUE', `rcut is ${rcut}: give a positive length`);
  if (allPairs && (xform || ir?.start))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `allPairs meets pairs tile by tile, at their nearest images, which goes with neither xform nor a context (functor '${name}'): use neighbor lists`,
    );
}

/** The buffered form on the CPU and the bufferless one on GPUs, unless the call says which. */
function chosen<C extends FieldSchema, P extends ParamSchema>(
  { buffered, bufferless }: PairForms<C, P>,
  ctx: ExecutionContext,
  options: CallOptions & { readonly form?: 'auto' | PairForm },
): PairsFunctor<C, P> {
  const { form = 'auto' } = options;
  if (form !== 'auto') return form === 'buffered' ? buffered : bufferless;
  const { backend } = decisionFor(bufferless, ctx, { ...options, form: 'bufferless' });
  return backend === 'cpu' ? buffered : bufferless;
}

const allTargets: readonly unknown[] = ['particles', 'total', 'both', 'none'];

type GivenTargets = Readonly<Record<string, OutputTarget | undefined>>;
/** One target for every output. */
function targets(
  { name: functor, spec }: Functor,
  grid: Grid,
  given: GivenTargets,
): Record<string, OutputTarget> {
  const central: FieldSchema =
    spec.kind === 'pair'
      ? spec.central
      : spec.kind === 'neighborhood'
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
