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

  /** Runs a batch; a promise only where something has to be awaited, since short operators run a million times. */
  runBatch(batch: BatchNode): void | Promise<void> {
    const isLoop = batch.loop !== undefined;
    const frame: Frame = { isLoop, isAtEnd: false, isStopped: false, isRepeated: false };
    if (isLoop) return this.#runPasses(batch, frame);
    if (!holds(batch.condition, 0)) return undefined;
    this.#frames.push(frame);
    const pass = this.#runBody(batch, frame, 0);
    if (pass || frame.isRepeated) return this.#runPasses(batch, frame, pass ?? Promise.resolve());
    this.#frames.pop();
    return undefined;
  }

  /** @param first the first pass, if it has begun. */
  async #runPasses(batch: BatchNode, frame: Frame, first?: Promise<void>): Promise<void> {
    if (!first) this.#frames.push(frame);
    let passes = 0;
    let begun = first;
    while (
      begun ||
      (holds(batch.condition, passes) && (typeof batch.loop !== 'number' || passes < batch.loop))
    ) {
      if (!begun) frame.isRepeated = false;
      const pass = begun ?? this.#runBody(batch, frame, 0);
      if (pass) await pass;
      begun = undefined;
      passes++;
      if (frame.isStopped || this.#isUnwinding || !(frame.isLoop || frame.isRepeated)) break;
      await this.#breathe();
      if (this.#state.signal.aborted) break;
    }
    this.#frames.pop();
  }

  /** One pass from an item on. */
  #runBody(batch: BatchNode, frame: Frame, from: number): void | Promise<void> {
    for (let k = from; k < batch.body.length; k++) {
      if (frame.isStopped || this.#isUnwinding) return undefined;
      frame.isAtEnd = k === batch.body.length - 1;
      const run = this.#runNode(batch.body[k]!);
      if (run) return run.then(() => this.#runBody(batch, frame, k + 1));
    }
    return undefined;
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

  #runNode(node: GraphNode): void | Promise<void> {
    if (node.kind === 'batch') return this.runBatch(node);
    const instance = this.#instances.get(node)!;
    const place = this.#places.get(node.place)!;
    if (!this.#called.has(place)) this.#called.set(place, instance);
    const tell = this.#onOperator;
    const begin = tell ? performance.now() : 0;
    const run = this.#guard(instance, EXECUTE);
    if (!tell) return run;
    const { name } = node.definition;
    if (run) return run.then(() => tell(name, performance.now() - begin));
    tell(name, performance.now() - begin);
    return undefined;
  }

  #guard(
    instance: OperatorInstance,
    action: (instance: OperatorInstance) => void | Promise<void>,
  ): void | Promise<void> {
    try {
      this.#context.enterOperator?.(instance.definition.name);
      const result = action(instance);
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

const EXECUTE = (instance: OperatorInstance): void | Promise<void> => instance.execute();

/** A condition whose operator has not run yet lets the first pass of its loop begin. */
function holds(condition: Condition | undefined, passes: number): boolean {
  if (!condition) return true;
  const { source, negated } = condition;
  const value =
    source.kind === 'output' ? source.cell.value : source.kind === 'value' && source.value;
  if (value === undefined) return passes === 0;
  return value !== negated;
}
