import { type BatchNode, type OperatorNode, operatorsOf } from '../Simulation.js';
import type { SimulationState } from '../SimulationState.js';
import { type LoopControl, OperatorInstance, type PlaceState } from './OperatorInstance.js';

/** An operator in a batch. */
export interface Call {
  readonly kind: 'operator';
  readonly instance: OperatorInstance;
  readonly place: PlaceState;
}

/** A batch, and how far it has come. Batches never contain themselves, so that one frame serves every time it is run. */
export interface Frame {
  readonly kind: 'batch';
  readonly isLoop: boolean;
  readonly batch: BatchNode;
  readonly items: readonly (Call | Frame)[];
  /** The item that is being run. */
  at: number;
  isStopped: boolean;
  isRepeated: boolean;
}

/**
 * The frames of a graph. A batch inside another that is simply run once is no frame of its own, its items are the other's:
 *
 *   [a, [b, [c]], { loop: 2, body: [d] }]   ─▶   [a, b, c, loop [d]]
 */
export class FrameMaker {
  readonly #state: SimulationState;
  readonly #loops: LoopControl;
  readonly #places = new Map<object, PlaceState>();

  constructor(state: SimulationState, loops: LoopControl) {
    this.#state = state;
    this.#loops = loops;
  }

  frame(batch: BatchNode): Frame {
    const isLoop = batch.loop !== undefined;
    const flags = { at: 0, isStopped: false, isRepeated: false };
    return { kind: 'batch', isLoop, batch, items: this.#items(batch), ...flags };
  }

  #items({ body }: BatchNode): (Call | Frame)[] {
    return body.flatMap((node) => {
      if (node.kind === 'operator') return this.#call(node);
      return isPlain(node) ? this.#items(node) : this.frame(node);
    });
  }

  #call(node: OperatorNode): Call {
    let place = this.#places.get(node.place);
    if (!place) {
      place = { isCalled: false, isPrepared: false, own: undefined };
      this.#places.set(node.place, place);
    }
    // Cells keep values between runs of the same simulation; each run starts anew.
    for (const source of node.slots.values()) {
      if (source.kind === 'output') source.cell.value = source.cell.initial;
    }
    const instance = new OperatorInstance(node, place, this.#state, this.#loops);
    return { kind: 'operator', instance, place };
  }
}

/** Whether a batch is nothing but its items: run once, in any case, and nobody in it may ask for one more pass of it. */
function isPlain(batch: BatchNode): boolean {
  if (batch.condition || batch.loop !== undefined) return false;
  for (const { definition } of operatorsOf(batch)) if (definition.endsLoop) return false;
  return true;
}
