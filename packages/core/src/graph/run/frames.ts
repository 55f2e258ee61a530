import { branchesOf } from '../parallel/branchesOf.js';
import { type BatchNode, type OperatorNode, operatorsOf } from '../Simulation.js';
import type { BranchState } from './BranchState.js';
import { OperatorInstance, type PlaceState } from './OperatorInstance.js';
import { isTimed, OperatorTiming } from './OperatorTiming.js';
import { Schedule } from './Schedule.js';
import type { Walker } from './Walker.js';

/** An operator in a batch. */
export interface Call {
  readonly kind: 'operator';
  readonly instance: OperatorInstance;
  readonly place: PlaceState;
  readonly isInLoop: boolean;
  /** Whether it runs in an interrupted run too: see `BatchNode`. */
  readonly isEpilog: boolean;
  /** When it runs in a loop; null: at every pass. */
  readonly timing: OperatorTiming | null;
  /** Whether nothing needs to be asked before it runs: it has run before, and runs at every pass. */
  isSettled: boolean;
}

/** A batch, and how far it has come. Batches never contain themselves, so that one frame serves every time it is run. */
export interface Frame {
  readonly kind: 'batch';
  readonly isLoop: boolean;
  readonly isInLoop: boolean;
  readonly isEpilog: boolean;
  readonly batch: BatchNode;
  readonly items: readonly (Call | Frame)[];
  /** How its items run beside each other; null where they run in order. */
  readonly branches: readonly FrameBranch[] | null;
  /** What runs when in this batch, if it is a loop or the root. */
  readonly schedule: Schedule | null;
  /** Whether its operators have been prepared as far as they could be when it was entered. */
  isEntered: boolean;
  /** The item that is being run. */
  at: number;
  isStopped: boolean;
  isRepeated: boolean;
  /** Whether an operator has asked for one more pass since the batch was begun. */
  hasRepeated: boolean;
  /** Passes of a loop that are complete. */
  passes: number;
}

/** How an item of a parallel batch runs. */
export interface FrameBranch {
  /** The walker and the state of its own; null where it runs alone, as any other part of the program. */
  readonly own: { readonly walker: Walker; readonly state: BranchState } | null;
  /** Items before it that must have ended when it begins. */
  readonly waitsFor: readonly number[];
}

/**
 * The frames of a graph. A batch inside another that is simply run once is no frame of its own, its items are the other's:
 *
 *   [a, [b, [c]], { loop: 2, body: [d] }]   ─▶   [a, b, c, loop [d]]
 */
export class FrameMaker {
  readonly #places = new Map<object, PlaceState>();

  /** @param walker what walks through the whole graph */
  root(batch: BatchNode, walker: Walker): Frame {
    return this.#frame(batch, walker, false, true);
  }

  #frame(batch: BatchNode, walker: Walker, isInLoop: boolean, isRoot = false): Frame {
    const isLoop = batch.loop !== undefined;
    const isInside = isInLoop || isLoop;
    const branches = batch.parallel ? branchesIn(batch, walker) : null;
    const items = branches
      ? branches.map(({ own }, k) => {
          const node = batch.body[k]!;
          const by = own?.walker ?? walker;
          if (node.kind === 'batch') return this.#frame(node, by, isInside);
          return this.#call(node, by, isInside, batch.isEpilog);
        })
      : this.#items(batch, walker, isInside);
    const flags = { isEntered: false, at: 0, isStopped: false, isRepeated: false, passes: 0 };
    const schedule = isLoop || isRoot ? scheduleOf(items) : null;
    return {
      kind: 'batch',
      isLoop,
      isInLoop,
      isEpilog: batch.isEpilog ?? false,
      batch,
      items,
      branches,
      schedule,
      ...flags,
      hasRepeated: false,
    };
  }

  #items({ body, isEpilog }: BatchNode, walker: Walker, isInLoop: boolean): (Call | Frame)[] {
    return body.flatMap((node) => {
      if (node.kind === 'operator') return this.#call(node, walker, isInLoop, isEpilog);
      return isPlain(node)
        ? this.#items(node, walker, isInLoop)
        : this.#frame(node, walker, isInLoop);
    });
  }

  #call(node: OperatorNode, walker: Walker, isInLoop: boolean, isEpilog = false): Call {
    let place = this.#places.get(node.place);
    if (!place) {
      place = { isCalled: false, isPrepared: false, own: undefined, preparation: 0 };
      this.#places.set(node.place, place);
    }
    // Cells keep values between runs of the same simulation; each run starts afresh.
    for (const source of node.slots.values()) {
      if (source.kind === 'output') source.cell.value = source.cell.initial;
    }
    const instance = new OperatorInstance(node, place, walker);
    const timing = isTimed(node.definition) ? timingOf(instance) : null;
    return { kind: 'operator', instance, place, isInLoop, isEpilog, timing, isSettled: false };
  }
}

/** The branches of a parallel batch with what each has of its own. */
function branchesIn(batch: BatchNode, walker: Walker): FrameBranch[] {
  return branchesOf(batch).map(({ node, isFree, waitsFor }, number) => {
    const name = node.kind === 'operator' ? node.path : `${batch.name}/${node.name}`;
    const own = isFree ? walker.branch(`${name} ${number}`) : null;
    return { own, waitsFor: own ? waitsFor : Array.from({ length: number }, (_, k) => k) };
  });
}

/** When an operator runs; null where it runs in every pass, and will: one that says when it does more than nothing, or than its calls. */
function timingOf(instance: OperatorInstance): OperatorTiming | null {
  const timing = new OperatorTiming(instance);
  const { doesMore, executeMany } = instance.definition;
  const isFixed = (doesMore ?? executeMany) !== undefined && instance.isFixed;
  return isFixed && timing.every === 1 && timing.from <= 0 ? null : timing;
}

/** Every operator of a batch and those of batches and loops inside it, in order. */
export function* allCalls(items: readonly (Call | Frame)[]): Generator<Call> {
  for (const item of items) {
    if (item.kind === 'operator') yield item;
    else yield* allCalls(item.items);
  }
}

/** Every operator of a batch that can run, those of batches and loops inside it included. */
function* callsOf(items: readonly (Call | Frame)[]): Generator<Call> {
  for (const item of items) {
    if (item.kind === 'operator') yield item;
    else if (!isOff(item.batch)) yield* callsOf(item.items);
  }
}

/** Whether a batch has a condition that never holds. */
const isOff = ({ condition }: BatchNode): boolean => condition?.constant === false;

function scheduleOf(items: readonly (Call | Frame)[]): Schedule {
  const needy = [...callsOf(items)].filter(({ instance }) => instance.definition.needs);
  const timings = (isInLoop: boolean): OperatorTiming[] =>
    needy
      .filter((call) => call.isInLoop === isInLoop)
      .map(({ instance, timing }) => timing ?? new OperatorTiming(instance));
  return new Schedule(timings(true), timings(false));
}

/** Whether a batch is nothing but its items: run once, in any case, and no operator in it may ask for one more pass of it. */
function isPlain(batch: BatchNode): boolean {
  if (batch.condition || batch.loop !== undefined || batch.parallel) return false;
  for (const { definition } of operatorsOf(batch)) if (definition.endsLoop) return false;
  return true;
}
