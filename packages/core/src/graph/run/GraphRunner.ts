import type { BatchNode } from '../Simulation.js';
import type { SimulationState } from '../SimulationState.js';
import { type Frame, FrameMaker } from './frames.js';
import { OperatorCalls, type OperatorListener } from './OperatorCalls.js';
import { RunMemory } from './RunMemory.js';
import type { SavedRun } from './SavedRun.js';
import { Walker } from './Walker.js';

/** Functions that are told of the time that a run takes. */
export interface RunListeners {
  /** Told the time every call of an operator took; of those that run beside each other, each its share. */
  readonly onOperator?: OperatorListener;
  /** Told the milliseconds that the event loop has had between operators: for files, signals, progress. */
  readonly onEventLoop?: (milliseconds: number) => void;
}

/** Runs a graph, once: its frames, its memory, and the walker that goes through it. */
export class GraphRunner {
  readonly #calls: OperatorCalls;
  readonly #root: Frame;
  readonly #memory: RunMemory;
  readonly #walker: Walker;

  constructor(root: BatchNode, state: SimulationState, told: RunListeners = {}) {
    this.#calls = new OperatorCalls(state, told.onOperator);
    this.#walker = new Walker({
      ...{ state, calls: this.#calls, onEventLoop: told.onEventLoop },
      save: (frames) => this.#memory.save(frames),
    });
    this.#root = new FrameMaker().root(root, this.#walker);
    this.#walker.setRoot(this.#root);
    this.#memory = new RunMemory(this.#root, this.#calls, state);
  }

  /** Runs the whole graph. */
  async run(): Promise<void> {
    await this.#walker.runBatch(this.#root);
  }

  /**
   * Goes on with a run after the operator that saved it.
   * @throws CorpuscleError FILE_FORMAT where the graph is another.
   */
  async resume(saved: SavedRun): Promise<void> {
    await this.#walker.resume(await this.#memory.revive(saved));
  }

  /** Rejects when work has been ended that had no end: what the graph awaits may never come then. */
  endless(): Promise<never> {
    return this.#calls.endless();
  }

  /** Last words of every operator that has run, in the order of the graph. */
  finish(): Promise<void> {
    return this.#calls.finish(this.#memory.places);
  }

  /** Gives back what operators hold, last first. The first error is thrown after all have had their turn. */
  dispose(): Promise<void> {
    return this.#calls.dispose();
  }
}
