import { host } from '#core/platform';
import type { SlotExpression } from '../expression/SlotExpression.js';
import type { Moment } from '../expression/Typed.js';
import type { SimulationState } from '../SimulationState.js';
import { BranchState } from './BranchState.js';
import { FrameStack } from './FrameStack.js';
import type { Call, Frame } from './frames.js';
import { LoopPass } from './LoopPass.js';
import type { OperatorCalls, OperatorWatcher } from './OperatorCalls.js';
import type { LoopControl } from './OperatorInstance.js';
import { ParallelPass } from './ParallelPass.js';
import type { SavedRun } from './SavedRun.js';

/** What a walker works with. */
export interface WalkerSetting {
  readonly state: SimulationState;
  readonly calls: OperatorCalls;
  readonly onEventLoop?: ((milliseconds: number) => void) | undefined;
  /** Saves the run, which is in these batches, from the outermost. */
  readonly save: (frames: readonly Frame[]) => Promise<SavedRun>;
  /** Of a branch of a parallel batch: the batches that it is in. */
  readonly around?: FrameStack;
}

/** Milliseconds that operators may keep the event loop from timers and signals. */
const BREATH = 20;

/** Once: the platform looks its global up whenever it is named, and it is asked after every pass. */
const clock = performance;

/**
 * Walks through batches, conditions, loops; ends after the pass it is in when the signal is aborted. Operators of a loop
 * are prepared when it is entered, and run in the steps in which they are due. Short operators run a million times, so that
 * a step makes no promises, closures or frames unless something has to be awaited.
 *
 * The program has one walker, and each branch of a parallel batch one of its own.
 */
export class Walker {
  readonly state: SimulationState;
  /** Whether it walks through a branch of a parallel batch. */
  readonly isBranch: boolean;
  /** What operators ask of the loops around them. */
  readonly loops: LoopControl;
  readonly #calls: OperatorCalls;
  readonly #setting: WalkerSetting;
  readonly #stack: FrameStack;
  /** The passes of the loops it is in, the innermost last. */
  readonly #passes: LoopPass[] = [];
  #breathed = clock.now();

  constructor(setting: WalkerSetting) {
    this.#setting = setting;
    this.state = setting.state;
    this.#calls = setting.calls;
    this.#stack = new FrameStack(setting.state, setting.around);
    this.isBranch = setting.around !== undefined;
    this.loops = {
      isLooping: () => this.#stack.isLooping,
      stopLoop: () => this.#stack.stopLoop(),
      repeatBatch: () => this.#stack.repeatBatch(),
      saveRun: () => this.#save(),
    };
  }

  /** Names the batch that is the whole graph. */
  setRoot(frame: Frame): void {
    this.#stack.setRoot(frame);
  }

  /** The walker of a branch, and where its calls go; null where branches run in order. */
  branch(name: string): { readonly walker: Walker; readonly state: BranchState } | null {
    const watcher = (this.state.context ?? {}) as Partial<OperatorWatcher>;
    const lane = watcher.openBranch?.(name);
    if (lane === null) return null;
    const state = new BranchState(this.state, lane);
    return {
      walker: new Walker({ ...this.#setting, state: state.view, around: this.#stack }),
      state,
    };
  }

  /** Goes on after the innermost of these batches' present item. */
  resume(frames: readonly Frame[]): Promise<void> {
    return this.#resume(frames, 0);
  }

  async #resume(frames: readonly Frame[], depth: number): Promise<void> {
    const frame = frames[depth]!;
    frame.isStopped = frame.isRepeated = false;
    this.#push(frame);
    if (frame.isInLoop || frame.isLoop) await this.enter(frame);
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
    return this.#setting.save(this.#stack.frames);
  }

  /** Runs a batch; a promise only where something has to be awaited. */
  runBatch(frame: Frame): void | Promise<void> {
    frame.isStopped = frame.isRepeated = false;
    frame.passes = 0;
    if (frame.isLoop) {
      this.#push(frame);
      return this.#runPasses(frame);
    }
    if (!holds(frame.batch.condition, 0, this.state)) return undefined;
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
      typeof loop === 'object' && !(frame.passes < (loop.value(this.state) as number));
    // The epilog of an interrupted run is done whole; a signal that comes within its loops ends these.
    const wasInterrupted = frame.isEpilog && this.state.heedSignal();
    let begun = first;
    while (begun || (holds(condition, frame.passes, this.state) && !isDone())) {
      if (!begun) frame.isRepeated = false;
      if (frame.isLoop && !frame.isEntered) await this.enter(frame);
      const quiet = frame.isLoop && !begun ? this.#pass!.takeQuiet() : null;
      if (quiet) frame.passes += await quiet;
      else {
        if (frame.isLoop && !begun) this.#pass?.begin();
        const pass = begun ? begun() : this.#runBody(frame, 0);
        if (pass) await pass;
        const rest = frame.isLoop && this.#pass?.end();
        if (rest) await rest;
        frame.passes++;
      }
      begun = undefined;
      if (frame.isStopped || this.#stack.isUnwinding || !(frame.isLoop || frame.isRepeated)) break;
      if (this.state.isInterrupted && !wasInterrupted) break;
      if (this.#mustBreathe) {
        await this.#settle();
        await this.#breathe();
      }
      this.state.heedSignal(); // there is one more pass, which knows that it is the last
    }
    await this.#settle();
    this.#pop(frame);
  }

  /** Makes the fused steps that wait. */
  async #settle(): Promise<void> {
    await this.#pass?.settle();
  }

  /** The pass of the innermost loop. */
  get #pass(): LoopPass | null {
    return this.#passes.length > 0 ? this.#passes[this.#passes.length - 1]! : null;
  }

  /** One pass from an item on. */
  #runBody(frame: Frame, from: number): void | Promise<void> {
    const { items } = frame;
    if (frame.branches) return this.#runTogether(frame, from);
    for (let k = from; k < items.length; k++) {
      if (frame.isStopped) return undefined;
      // Operators that set up a run may take seconds each: a signal is heard before the next one.
      if (!this.#stack.isLooping && this.#mustBreathe) return this.#goOn(this.#breathe(), frame, k);
      const item = items[k]!;
      if (this.#stack.isUnwinding && !(item.isEpilog && this.#stack.hasLooped)) continue;
      frame.at = k;
      const running = item.kind === 'operator' ? this.#call(item) : this.#runInner(item);
      if (running) return this.#goOn(running, frame, k + 1);
    }
    return undefined;
  }

  async #runTogether(frame: Frame, from: number): Promise<void> {
    await this.#pass?.interrupt();
    await new ParallelPass(this, frame).run(from);
  }

  /** One branch of a parallel batch, by the walker whose it is. */
  async runItem(frame: Frame, number: number): Promise<void> {
    const item = frame.items[number]!;
    if (frame.isStopped) return;
    if (this.#stack.isUnwinding && !(item.isEpilog && this.#stack.hasLooped)) return;
    await (item.kind === 'operator' ? this.#call(item) : this.#runInner(item));
  }

  /** Prepares what can be of an item that is about to run. */
  async enterItem(item: Call | Frame): Promise<void> {
    if (item.kind !== 'operator') {
      if (!item.isLoop && !item.batch.condition && !item.isEntered) await this.enter(item);
    } else if (!item.place.isPrepared && item.instance.isReady) await this.#calls.prepare(item);
  }

  async #goOn(running: Promise<void>, frame: Frame, from: number): Promise<void> {
    await running;
    await this.#runBody(frame, from);
  }

  /** A batch inside: what waits comes first. */
  #runInner(frame: Frame): void | Promise<void> {
    const before = this.#pass?.interrupt();
    return before ? before.then(() => this.runBatch(frame)) : this.runBatch(frame);
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
    if (!timing || !(isInLoop || this.#stack.isRepeating)) return true;
    const { schedule, step, isEnding } = this.state;
    return schedule!.isDue(timing, step, isEnding);
  }

  /**
   * Prepares the operators of a batch that can be: those that need what others make inside are prepared before their first
   * call, and those of loops and conditional batches inside when these are entered.
   */
  async enter(frame: Frame): Promise<void> {
    frame.isEntered = true;
    for (const item of frame.items) await this.enterItem(item);
  }

  async #enterAndRun(frame: Frame): Promise<void> {
    await this.enter(frame);
    await this.#runBody(frame, 0);
  }

  #push(frame: Frame): void {
    this.#stack.push(frame);
    if (!frame.isLoop) return;
    // Calls of branches are not fused: those of other branches may come between.
    const fused = this.isBranch || frame.branches ? null : frame;
    this.#passes.push(new LoopPass(this.state, this.#calls, fused));
  }

  #pop(frame: Frame): void {
    this.#stack.pop(frame);
    if (frame.isLoop) this.#passes.pop()!.close();
  }

  get #mustBreathe(): boolean {
    return clock.now() - this.#breathed >= BREATH;
  }

  // A loop of synchronous operators would never let SIGINT or a progress bar through.
  async #breathe(): Promise<void> {
    const begin = clock.now();
    await new Promise<void>(host.later);
    this.#breathed = clock.now();
    this.#setting.onEventLoop?.(this.#breathed - begin);
    this.state.output.assertSound(); // a run whose results go nowhere ends
  }
}

/** A condition whose operators have not run yet lets the first pass of its loop begin. */
function holds(condition: SlotExpression | undefined, passes: number, now: Moment): boolean {
  if (!condition) return true;
  return condition.isReady ? condition.value(now) === true : passes === 0;
}
