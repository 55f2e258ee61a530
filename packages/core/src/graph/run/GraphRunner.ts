import { host } from '#core/platform';
import type { SlotExpression } from '../expression/SlotExpression.js';
import type { Moment } from '../expression/Typed.js';
import type { BatchNode } from '../Simulation.js';
import type { SimulationState } from '../SimulationState.js';
import { type Call, type Frame, FrameMaker } from './frames.js';
import { LoopPass } from './LoopPass.js';
import { OperatorCalls, type OperatorListener } from './OperatorCalls.js';
import { RunMemory } from './RunMemory.js';
import type { SavedRun } from './SavedRun.js';
import type { Schedule } from './Schedule.js';

/** Who is told of the time that a run takes. */
export interface RunListeners {
  /** Told the time every call of an operator took. */
  readonly onOperator?: OperatorListener;
  /** Told the milliseconds that the event loop has had between operators: for files, signals, progress. */
  readonly onEventLoop?: (milliseconds: number) => void;
}

/** Milliseconds that operators may keep the event loop from timers and signals. */
const BREATH = 20;

/** Once: the platform looks its global up whenever it is named, and it is asked after every pass. */
const clock = performance;

/**
 * Walks the graph: batches, conditions, loops; ends after the pass it is in when the signal is aborted. Operators of a loop
 * are prepared when it is entered, and run in the steps in which they are due. Short operators run a million times, so that
 * a step makes no promises, closures or frames unless something has to be awaited.
 */
export class GraphRunner {
  readonly #state: SimulationState;
  readonly #calls: OperatorCalls;
  readonly #root: Frame;
  /** What runs when if the root is repeated: then it is a loop too. */
  readonly #repeatedRoot: Schedule;
  readonly #memory: RunMemory;
  readonly #frames: Frame[] = [];
  /** Loops among the frames, and batches that have been repeated. */
  #loops = 0;
  /** Whether it has come to a loop: an interrupted run then has something to end with. */
  #hasLooped = false;
  #repeated = 0;
  /** The passes of the loops it is in, the innermost last. */
  readonly #passes: LoopPass[] = [];
  #breathed = clock.now();
  readonly #onEventLoop: RunListeners['onEventLoop'];

  constructor(root: BatchNode, state: SimulationState, told: RunListeners = {}) {
    this.#state = state;
    this.#calls = new OperatorCalls(state, told.onOperator);
    this.#onEventLoop = told.onEventLoop;
    const loops = {
      isLooping: () => this.#loops > 0,
      stopLoop: () => this.#stopLoop(),
      repeatBatch: () => this.#repeatBatch(),
      saveRun: () => this.#save(),
    };
    this.#root = new FrameMaker(state, loops).root(root);
    this.#repeatedRoot = this.#root.schedule!.repeated();
    this.#memory = new RunMemory(this.#root, this.#calls, state);
  }

  /** Runs the whole graph. */
  async run(): Promise<void> {
    await this.#runBatch(this.#root);
  }

  /**
   * Goes on with a run after the operator that saved it.
   * @throws CorpuscleError FILE_FORMAT where the graph is another.
   */
  async resume(saved: SavedRun): Promise<void> {
    await this.#resume(await this.#memory.revive(saved), 0);
  }

  async #resume(frames: readonly Frame[], depth: number): Promise<void> {
    const frame = frames[depth]!;
    frame.isStopped = frame.isRepeated = false;
    this.#push(frame);
    if (frame.isInLoop || frame.isLoop) await this.#enter(frame);
    const rest = async () => {
      if (depth + 1 < frames.length) await this.#resume(frames, depth + 1);
      await this.#runBody(frame, frame.at + 1);
    };
    if (frame.isLoop) return this.#runPasses(frame, rest);
    await rest();
    this.#pop(frame);
  }

  async #save(): Promise<SavedRun> {
    for (const pass of this.#passes) await pass.break();
    return this.#memory.save(this.#frames);
  }

  /** Rejects when work has been ended that had no end: what the graph awaits may never come then. */
  endless(): Promise<never> {
    return this.#calls.endless();
  }

  /** Last words of every operator that has run, in order of first call. */
  finish(): Promise<void> {
    return this.#calls.finish();
  }

  /** Gives back what operators hold, last first. The first error is thrown after all have had their turn. */
  dispose(): Promise<void> {
    return this.#calls.dispose();
  }

  /** Runs a batch; a promise only where something has to be awaited. */
  #runBatch(frame: Frame): void | Promise<void> {
    frame.isStopped = frame.isRepeated = false;
    frame.passes = 0;
    if (frame.isLoop) {
      this.#push(frame);
      return this.#runPasses(frame);
    }
    if (!holds(frame.batch.condition, 0, this.#state)) return undefined;
    this.#push(frame);
    const pass =
      frame.isInLoop && !frame.isEntered ? this.#enterAndRun(frame) : this.#runBody(frame, 0);
    if (pass || frame.isRepeated) return this.#runPasses(frame, () => pass);
    this.#pop(frame);
    return undefined;
  }

  /** @param first the rest of the first pass, if it has begun. */
  async #runPasses(frame: Frame, first?: () => void | Promise<void>): Promise<void> {
    const { condition, loop } = frame.batch;
    const isDone = () =>
      typeof loop === 'object' && !(frame.passes < (loop.value(this.#state) as number));
    let begun = first;
    while (begun || (holds(condition, frame.passes, this.#state) && !isDone())) {
      if (!begun) frame.isRepeated = false;
      if (frame.isLoop && !frame.isEntered) await this.#enter(frame);
      if (frame.isLoop && !begun) this.#pass?.begin();
      const pass = begun ? begun() : this.#runBody(frame, 0);
      if (pass) await pass;
      const rest = frame.isLoop && this.#pass?.interrupt();
      if (rest) await rest;
      begun = undefined;
      frame.passes++;
      if (frame.isStopped || this.#isUnwinding || !(frame.isLoop || frame.isRepeated)) break;
      if (this.#state.isInterrupted && !frame.isEpilog) break;
      if (this.#mustBreathe) await this.#breathe();
      this.#state.heedSignal(); // there is one more pass, which knows that it is the last
    }
    this.#pop(frame);
  }

  /** The pass of the innermost loop. */
  get #pass(): LoopPass | null {
    return this.#passes.length > 0 ? this.#passes[this.#passes.length - 1]! : null;
  }

  /** One pass from an item on. */
  #runBody(frame: Frame, from: number): void | Promise<void> {
    const { items } = frame;
    if (frame.batch.parallel) return this.#runTogether(frame, from);
    for (let k = from; k < items.length; k++) {
      if (frame.isStopped) return undefined;
      // Operators that set up a run may take seconds each: a signal is heard before the next one.
      if (this.#loops === 0 && this.#mustBreathe) return this.#goOn(this.#breathe(), frame, k);
      const item = items[k]!;
      if (this.#isUnwinding && !(item.isEpilog && this.#hasLooped)) continue;
      frame.at = k;
      const running = item.kind === 'operator' ? this.#call(item) : this.#runInner(item);
      if (running) return this.#goOn(running, frame, k + 1);
    }
    return undefined;
  }

  /**
   * One pass of a parallel batch. Operators that only look are begun one after the other, and run beside each other; any other
   * item, and one that reads what these make, waits until they are done. So results are those of the order in the file.
   */
  async #runTogether(frame: Frame, from: number): Promise<void> {
    const begun: { readonly call: Call; readonly running: Promise<void> }[] = [];
    const settle = async () => {
      const ends = await Promise.allSettled(begun.splice(0).map(({ running }) => running));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    };
    await this.#pass?.interrupt();
    for (const [k, item] of frame.items.entries()) {
      if (k < from) continue;
      if (frame.isStopped) break;
      if (this.#isUnwinding && !(item.isEpilog && this.#hasLooped)) continue;
      const isBeside = item.kind === 'operator' && item.instance.looksOnly;
      const waits = !isBeside || begun.some(({ call }) => item.instance.reads(call.instance));
      if (waits) await settle();
      frame.at = k;
      if (!isBeside) await (item.kind === 'operator' ? this.#call(item) : this.#runInner(item));
      else if (item.isSettled || this.#isDue(item))
        begun.push({ call: item, running: this.#begin(item) });
    }
    await settle();
  }

  /** Begins an operator; what it throws at once comes with what it throws later. */
  async #begin(call: Call): Promise<void> {
    await this.#calls.executeFirst(call);
  }

  async #goOn(running: Promise<void>, frame: Frame, from: number): Promise<void> {
    await running;
    await this.#runBody(frame, from);
  }

  /** A batch inside: what waits comes first. */
  #runInner(frame: Frame): void | Promise<void> {
    const before = this.#pass?.interrupt();
    return before ? before.then(() => this.#runBatch(frame)) : this.#runBatch(frame);
  }

  #call(call: Call): void | Promise<void> {
    const pass = this.#pass;
    if (call.isSettled) return pass ? pass.run(call) : this.#calls.execute(call.instance);
    if (!this.#isDue(call)) return undefined;
    const before = pass?.interrupt();
    if (before) return before.then(() => this.#calls.executeFirst(call));
    return this.#calls.executeFirst(call);
  }

  /** Outside loops an operator is due whenever its batch runs. */
  #isDue({ timing, isInLoop }: Call): boolean {
    if (!timing || !(isInLoop || this.#repeated > 0)) return true;
    const { schedule, step, isEnding } = this.#state;
    return schedule!.isDue(timing, step, isEnding);
  }

  /**
   * Prepares the operators of a batch that can be: those that need what others make inside are prepared before their first
   * call, and those of loops and conditional batches inside when these are entered.
   */
  async #enter(frame: Frame): Promise<void> {
    frame.isEntered = true;
    for (const item of frame.items) {
      if (item.kind === 'operator') {
        if (!item.place.isPrepared && item.instance.isReady) await this.#calls.prepare(item);
      } else if (!item.isLoop && !item.batch.condition) await this.#enter(item);
    }
  }

  async #enterAndRun(frame: Frame): Promise<void> {
    await this.#enter(frame);
    await this.#runBody(frame, 0);
  }

  #push(frame: Frame): void {
    this.#frames.push(frame);
    if (frame.isLoop) {
      this.#loops++;
      this.#hasLooped = true;
      this.#passes.push(new LoopPass(this.#state, this.#calls, frame.items));
    }
    if (frame.schedule) this.#findSchedule();
  }

  #pop(frame: Frame): void {
    this.#frames.pop();
    if (frame.isLoop) {
      this.#loops--;
      this.#passes.pop()!.close();
    }
    if (frame.hasRepeated) this.#repeated--;
    frame.hasRepeated = false;
    if (frame.schedule) this.#findSchedule();
  }

  /** The schedule of the innermost loop; outside loops that of the root. */
  #findSchedule(): void {
    const loop = this.#frames.findLast((frame) => frame.isLoop);
    const root = this.#repeated > 0 ? this.#repeatedRoot : this.#root.schedule;
    this.#state.schedule = loop?.schedule ?? root;
  }

  /**
   * Interrupted outside a loop there is no pass to complete, so the run ends between two operators; inside one, the
   * pass is completed first and the loop's own test ends it. Only the epilog runs then. Asked before every operator, and the signal outside loops only.
   */
  get #isUnwinding(): boolean {
    if (this.#loops > 0) return false;
    return this.#state.heedSignal() && !this.#frames.some((frame) => frame.isRepeated);
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
    if (!frame) return;
    frame.isRepeated = true;
    if (frame.isLoop || frame.hasRepeated) return;
    frame.hasRepeated = true;
    this.#repeated++;
    this.#findSchedule();
  }

  get #mustBreathe(): boolean {
    return clock.now() - this.#breathed >= BREATH;
  }

  // A loop of synchronous operators would never let SIGINT or a progress bar through.
  async #breathe(): Promise<void> {
    const begin = clock.now();
    await new Promise<void>(host.later);
    this.#breathed = clock.now();
    this.#onEventLoop?.(this.#breathed - begin);
    this.#state.output.assertSound(); // a run whose results go nowhere ends
  }
}

/** A condition whose operators have not run yet lets the first pass of its loop begin. */
function holds(condition: SlotExpression | undefined, passes: number, now: Moment): boolean {
  if (!condition) return true;
  return condition.isReady ? condition.value(now) === true : passes === 0;
}
