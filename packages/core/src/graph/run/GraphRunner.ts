import type { BatchNode, Condition } from '../Simulation.js';
import type { SimulationState } from '../SimulationState.js';
import { type Call, type Frame, FrameMaker } from './frames.js';
import type { OperatorInstance, PlaceState } from './OperatorInstance.js';

/** Milliseconds a loop may keep the event loop from timers and signals. */
const BREATH = 20;

/** Once: the platform looks its global up anew whenever it is named, and it is asked after every pass. */
const clock = performance;

/** A context that wants to know which operator runs, so that it can name it when something fails later. */
export interface OperatorWatcher {
  enterOperator(name: string): void;
}

/**
 * Walks the graph: batches, conditions, loops; ends after the pass it is in when the signal is aborted. Short operators run
 * a million times, so that a step makes no promises, closures or frames unless something has to be awaited.
 */
export class GraphRunner {
  readonly #state: SimulationState;
  readonly #root: Frame;
  /** First use of every place that has been called, in order. */
  readonly #called = new Map<PlaceState, OperatorInstance>();
  readonly #frames: Frame[] = [];
  /** Loops among the frames. */
  #loops = 0;
  readonly #onOperator: ((name: string, milliseconds: number) => void) | undefined;
  readonly #context: Partial<OperatorWatcher>;
  #breathed = clock.now();

  constructor(
    root: BatchNode,
    state: SimulationState,
    onOperator?: (name: string, milliseconds: number) => void,
  ) {
    this.#state = state;
    this.#onOperator = onOperator;
    this.#context = (state.context ?? {}) as Partial<OperatorWatcher>;
    const loops = {
      isLooping: () => this.#loops > 0,
      stopLoop: () => this.#stopLoop(),
      repeatBatch: () => this.#repeatBatch(),
    };
    this.#root = new FrameMaker(state, loops).frame(root);
  }

  /** Runs the whole graph. */
  async run(): Promise<void> {
    await this.#runBatch(this.#root);
  }

  /** Runs a batch; a promise only where something has to be awaited. */
  #runBatch(frame: Frame): void | Promise<void> {
    frame.isStopped = frame.isRepeated = false;
    if (frame.isLoop) {
      this.#frames.push(frame);
      this.#loops++;
      return this.#runPasses(frame);
    }
    if (!holds(frame.batch.condition, 0)) return undefined;
    this.#frames.push(frame);
    const pass = this.#runBody(frame, 0);
    if (pass || frame.isRepeated) return this.#runPasses(frame, pass ?? Promise.resolve());
    this.#frames.pop();
    return undefined;
  }

  /** @param first the first pass, if it has begun. */
  async #runPasses(frame: Frame, first?: Promise<void>): Promise<void> {
    const { condition, loop } = frame.batch;
    let passes = 0;
    let begun = first;
    while (begun || (holds(condition, passes) && (typeof loop !== 'number' || passes < loop))) {
      if (!begun) frame.isRepeated = false;
      const pass = begun ?? this.#runBody(frame, 0);
      if (pass) await pass;
      begun = undefined;
      passes++;
      if (frame.isStopped || this.#isUnwinding || !(frame.isLoop || frame.isRepeated)) break;
      if (clock.now() - this.#breathed >= BREATH) await this.#breathe();
      if (this.#state.signal.aborted) break;
    }
    this.#frames.pop();
    if (frame.isLoop) this.#loops--;
  }

  /** One pass from an item on. */
  #runBody(frame: Frame, from: number): void | Promise<void> {
    const { items } = frame;
    for (let k = from; k < items.length; k++) {
      if (frame.isStopped || this.#isUnwinding) return undefined;
      frame.at = k;
      const item = items[k]!;
      const running = item.kind === 'operator' ? this.#call(item) : this.#runBatch(item);
      if (running) return this.#goOn(running, frame, k + 1);
    }
    return undefined;
  }

  async #goOn(running: Promise<void>, frame: Frame, from: number): Promise<void> {
    await running;
    await this.#runBody(frame, from);
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
   * pass is completed first and the loop's own test ends it. Asked before every operator, and the signal outside loops only.
   */
  get #isUnwinding(): boolean {
    if (this.#loops > 0) return false;
    return this.#state.signal.aborted && !this.#frames.some((frame) => frame.isRepeated);
  }

  #call({ instance, place }: Call): void | Promise<void> {
    if (!place.isCalled) {
      place.isCalled = true;
      this.#called.set(place, instance);
    }
    if (!this.#onOperator) return this.#guard(instance, EXECUTE);
    const begin = clock.now();
    const running = this.#guard(instance, EXECUTE);
    if (running) return this.#tellAfter(running, instance.name, begin);
    this.#onOperator(instance.name, clock.now() - begin);
    return undefined;
  }

  async #tellAfter(running: Promise<void>, name: string, begin: number): Promise<void> {
    await running;
    this.#onOperator?.(name, clock.now() - begin);
  }

  #guard(
    instance: OperatorInstance,
    action: (instance: OperatorInstance) => void | Promise<void>,
  ): void | Promise<void> {
    try {
      this.#context.enterOperator?.(instance.name);
      const running = action(instance);
      return running instanceof Promise ? located(running, instance) : running;
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
    const goesOn = ({ isLoop, at, items }: Frame) => isLoop || at < items.length - 1;
    const frame = frames.find(goesOn) ?? frames[0];
    if (frame) frame.isRepeated = true;
  }

  // A loop of synchronous operators would never let SIGINT or a progress bar through.
  async #breathe(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#breathed = clock.now();
  }
}

/** What an operator does, its errors with its place. */
async function located(running: Promise<void>, instance: OperatorInstance): Promise<void> {
  try {
    await running;
  } catch (error) {
    throw instance.locate(error);
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
