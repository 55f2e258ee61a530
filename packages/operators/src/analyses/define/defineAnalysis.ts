import {
  CorpuscleError,
  defineOperator,
  type Grid,
  type OperatorContext,
  type OperatorDefinition,
  type OperatorSpec,
  type Saved,
  type SlotSpecs,
} from '@corpuscle/core';
import { fromCaller } from '@corpuscle/functor/error';
import type { ExecutionContext } from '@corpuscle/patterns';
import { settleTime } from '../../integrators/physicalTime.js';
import { frameSlots, stepsBetween } from '../../run/frameSlots.js';
import { isBeforeFirst } from '../../run/isBeforeFirst.js';
import { noteMade } from '../../run/madeAt.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { type NeighborFrame, neighborsWithin } from './neighborsWithin.js';
import { onWholeGrid } from './onWholeGrid.js';

/** What an analysis sees of one frame. */
export interface AnalysisFrame<S extends SlotSpecs = SlotSpecs, P = unknown>
  extends OperatorContext<S, P> {
  /** The particles. Fields may be read and added; positions, velocities and order must stay as they are. */
  readonly grid: Grid;
  readonly ctx: ExecutionContext;
  /**
   * Neighbors within any cutoff, which leaves the lists of the run alone. What it returns lasts until the frame is done.
   * @throws CorpuscleError BOX_TOO_THIN
   */
  neighbors(rcut: number): Promise<NeighborFrame>;
}

/** An analysis as its author writes it. */
export interface AnalysisSpec<S extends SlotSpecs, P, V extends Saved = Saved>
  extends Omit<OperatorSpec<S, P, V>, 'execute' | 'endsLoop' | 'provides' | 'reach'> {
  /** Looks at the particles; runs in the steps that `every` and `from` say, and outside loops whenever its batch does. */
  readonly frame: (frame: AnalysisFrame<S, P>) => void | Promise<void>;
  /**
   * On several ranks `frame` sees the particles of all, on each of them. With true it sees those of its own rank: for analyses that
   * want sums, minima and maxima over particles and nothing else, which are those of all ranks anyway. Default false.
   */
  readonly inParts?: boolean;
}

/** Slots that every analysis has, unless it says itself when it runs. */
const when = frameSlots('frames');

/**
 * Declares an operator that looks at particles and changes nothing. What it adds up over frames it gives to checkpoints by `save`. Without `every` and `from` of its own it gets slots
 * `every`, `frequency`, which means the same, and `from`.
 *
 * @example
 * export const netMomentum = defineAnalysis({
 *   name: 'net_momentum',
 *   doc: 'Prints the total momentum along x.',
 *   slots: {},
 *   async frame({ grid, ctx, state }) {
 *     const { px } = await reduceCellParticles(grid, momentum, {}, ctx);
 *     state.say(`momentum ${px}`);
 *   },
 * });
 */
export function defineAnalysis<const S extends SlotSpecs, P = undefined, V extends Saved = Saved>(
  spec: AnalysisSpec<S, P, V>,
): OperatorDefinition {
  // Slots are those of the spec, so that the erased types hold by construction.
  const { frame, inParts, ...operator } = spec as unknown as AnalysisSpec<SlotSpecs, P>;
  checkSpec({ ...spec });
  const { every = stepsBetween, from = 'from', requires = [] } = operator;
  const missing = Object.entries(when).filter(
    ([name]) =>
      (name === 'from' ? from === name : every === stepsBetween || every === name) &&
      !Object.hasOwn(spec.slots, name),
  );
  return defineOperator<SlotSpecs, P>({
    ranks: 'cards',
    ...operator,
    every,
    from,
    slots: { ...spec.slots, ...Object.fromEntries(missing) },
    requires: [gridKey, ...requires],
    reach: () => 0, // its cutoff is its own affair: the run's lists are not made longer
    execute(context) {
      const { slots, state } = context;
      const first = typeof from === 'string' ? slots[from] : undefined;
      if (isBeforeFirst(state, first as number | undefined)) return undefined;
      const look = () => {
        noteMade(state, spec.name);
        return runFrame(context, frame);
      };
      return inParts ? look() : onWholeGrid(state, look);
    },
  });
}

/** TypeScript has not always seen a declaration. */
function checkSpec({ name, frame, slots }: Readonly<Record<string, unknown>>): void {
  if (typeof frame === 'function' && slots) return;
  const remedy = slots
    ? 'no frame: give one, a function that looks at the particles'
    : 'no slots: say slots: {} if it takes none of its own';
  const message = `the analysis '${name}' has ${remedy}`;
  throw fromCaller(new CorpuscleError('INVALID_VALUE', message), defineAnalysis);
}

async function runFrame<P>(
  context: OperatorContext<SlotSpecs, P>,
  frame: AnalysisSpec<SlotSpecs, P>['frame'],
): Promise<void> {
  const { slots, own, state, location, isFixed } = context;
  const { set, isLooping, stopLoop, repeatBatch, saveRun } = context;
  const lent: NeighborFrame[] = [];
  const neighbors = async (rcut: number): Promise<NeighborFrame> => {
    const near = await neighborsWithin(state, rcut);
    lent.push(near);
    return near;
  };
  const control = { set, isLooping, stopLoop, repeatBatch, saveRun };
  const parts = { slots, own, state, location, isFixed, ...control, neighbors };
  await settleTime(state);
  try {
    await frame({ ...parts, grid: state.get(gridKey), ctx: contextOf(state) });
  } finally {
    for (const near of lent) await near.close();
  }
}
