import type { BatchNode, Condition, GraphNode, OperatorNode } from '../Simulation.js';
import { operatorsOf } from '../Simulation.js';
import type { SimulationState } from '../SimulationState.js';
import { OperatorInstance, type PlaceState } from './OperatorInstance.js';

/** Milliseconds a loop may keep the event loop from timers and signals. */
const BREATH = 20;

interface Frame {
  readonly isLoop: boolean;
  /** Whether the last item of the batch is being run. */
  isAtEnd: boolean;
  isStopped: boolean;
  isRepeated: boolean;
}

/** A context that wants to know which operator runs, so that it can name it when something fails later. */
export interface OperatorWatcher {
  enterOperator(name: string): void;
}

/** Walks the graph: batches, conditions, loops; ends after the pass it is in when the signal is aborted. */
export class GraphRunner {
  readonly #state: SimulationState;
  readonly #instances = new Map<OperatorNode, OperatorInstance>();
  readonly #places = new Map<object, PlaceState>();
  /** First use of every place that has been called, in order. */
  readonly #called = new Map<PlaceState, OperatorInstance>();
  readonly #frames: Frame[] = [];
  readonly #onOperator: ((name: string, milliseconds: number) => void) | undefined;
  readonly #context: Partial<OperatorWatcher>;
  #breathed = performance.now();

  constructor(
    root: BatchNode,
    state: SimulationState,
    onOperator?: (name: string, milliseconds: number) => void,
  ) {
    this.#state = state;
    this.#onOperator = onOperator;
    this.#context = (state.context ?? {}) as Partial<OperatorWatcher>;
    const loops = {
      isLooping: () => this.#frames.some((frame) => frame.isLoop),
      stopLoop: () => this.#stopLoop(),
      repeatBatch: () => this.#repeatBatch(),
    };
    for (const node of operatorsOf(root)) {
      const place = this.#places.get(node.place) ?? { isPrepared: false, own: undefined };
      this.#places.set(node.place, place);
      this.#instances.set(node, new OperatorInstance(node, place, state, loops));
      // Cells keep values between runs of the same simulation; each run starts anew.
      for (const source of node.slots.values()) {
        if (source.kind === 'output') source.cell.value = source.cell.initial;
      }
    }
  }

  async runBatch(batch: BatchNode): Promise<void> {
    const frame: Frame = {
      isLoop: batch.loop !== undefined,
      isAtEnd: false,
      isStopped: false,
      isRepeated: false,
    };
    this.#frames.push(frame);
    let passes = 0;
    while (
      holds(batch.condition, passes) &&
      (typeof batch.loop !== 'number' || passes < batch.loop)
    ) {
      frame.isRepeated = false;
      for (const node of batch.body) {
        if (frame.isStopped || this.#isUnwinding) break;
        frame.isAtEnd = node === batch.body.at(-1);
        await this.#runNode(node);
      }
      passes++;
      if (frame.isStopped || this.#isUnwinding || !(frame.isLoop || frame.isRepeated)) break;
      await this.#breathe();
      if (this.#state.signal.aborted) break;
    }
    this.#frames.pop();
  }

  /** Last words of every operator that has run, in order of first call. */
  async finish(): Promise<void> {
    for (const instance of this.#called.values()) {
      await this.#guard(instance, () => instance.definition.finish?.(instance));
    }
  }

  /** Gives back what operators hold, last first. The first error is thrown after all have had their turn. */
  async dispose(): Promise<void> {
    const failures: unknown[] = [];
    for (const [place, instance] of [...this.#called].reverse()) {
      if (!place.isPrepared) continue;
      try {
        await this.#guard(instance, () => instance.definition.dispose?.(instance));
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Interrupted outside a loop there is no pass to complete, so the run ends between two operators; inside one, the
   * pass is completed first and the loop's own test ends it.
   */
  get #isUnwinding(): boolean {
    return (
      this.#state.signal.aborted && !this.#frames.some((frame) => frame.isLoop || frame.isRepeated)
    );
  }

  async #runNode(node: GraphNode): Promise<void> {
    if (node.kind === 'batch') return this.runBatch(node);
    const instance = this.#instances.get(node)!;
    const place = this.#places.get(node.place)!;
    if (!this.#called.has(place)) this.#called.set(place, instance);
    const begin = this.#onOperator ? performance.now() : 0;
    await this.#guard(instance, () => instance.execute());
    this.#onOperator?.(node.definition.name, performance.now() - begin);
  }

  #guard(instance: OperatorInstance, action: () => void | Promise<void>): void | Promise<void> {
    try {
      this.#context.enterOperator?.(instance.definition.name);
      const result = action();
      return result instanceof Promise
        ? result.catch((error: unknown) => {
            throw instance.locate(error);
          })
        : result;
    } catch (error) {
      throw instance.locate(error);
    }
  }

  #stopLoop(): void {
    // Batches inside the loop end too.
    for (const frame of [...this.#frames].reverse()) {
      frame.isStopped = true;
      if (frame.isLoop || frame.isRepeated) return;
    }
  }

  #repeatBatch(): void {
    // An operator that ends its batch, as `read_extended_xyz` alone in `setup_system`, means the one around it.
    const frames = [...this.#frames].reverse();
    const frame = frames.find(({ isAtEnd, isLoop }) => isLoop || !isAtEnd) ?? frames[0];
    if (frame) frame.isRepeated = true;
  }

  // A loop of synchronous operators would never let SIGINT or a progress bar through.
  async #breathe(): Promise<void> {
    if (performance.now() - this.#breathed < BREATH) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#breathed = performance.now();
  }
}

/** A condition whose operator has not run yet lets the first pass of its loop begin. */
function holds(condition: Condition | undefined, passes: number): boolean {
  if (!condition) return true;
  const { source, negated } = condition;
  const value =
    source.kind === 'output' ? source.cell.value : source.kind === 'value' && source.value;
  if (value === undefined) return passes === 0;
  return value !== negated;
}
