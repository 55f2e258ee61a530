import type { PairCall, ReduceCall } from '../../pattern/PatternEngine.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { fastLimits } from '../neighbours/fastLimits.js';
import { RECORD_WORDS } from '../neighbours/motionText.js';
import type { Neighbours } from '../neighbours/Neighbours.js';
import type { CellPattern } from '../pattern/CellPattern.js';
import type { MotionTarget } from '../pattern/KeptCalls.js';
import type { PairPattern } from '../pattern/PairPattern.js';
import type { ReducePattern } from '../pattern/ReducePattern.js';
import type { Residency } from '../residency/Residency.js';
import type { Step, Stretch, UpdateStep } from './Stretch.js';

/** What an update of neighbour lists is called in errors and profiles. */
export const UPDATE = 'update neighbours';

/** The parts of the engine that do the work of steps. */
export interface Patterns {
  readonly cells: CellPattern;
  readonly pairs: PairPattern;
  readonly reductions: ReducePattern;
  readonly neighbours: Neighbours;
  readonly residency: Residency;
}

/** Makes the calls of a stretch, in the names of the operators that they are made for. */
export class StepMaker {
  readonly #gpu: GpuDevice;
  readonly #patterns: Patterns;

  constructor(gpu: GpuDevice, patterns: Patterns) {
    this.#gpu = gpu;
    this.#patterns = patterns;
  }

  /** Makes a call, for the first time or again. */
  make(stretch: Stretch, step: Step): void {
    const { cells, pairs, reductions } = this.#patterns;
    this.#gpu.operator = step.operator;
    this.#gpu.operation = step.kind === 'update' ? UPDATE : step.call.functor.name;
    if (step.kind === 'cell') {
      cells.run(step.call);
      return;
    }
    if (step.kind === 'update') {
      // Before a rebuild too: where every step rebuilds, a blow-up would be seen by nobody.
      cells.noteMotion(step.call.grid, this.#take(stretch, step));
      if (step.rebuilt) this.#rebuild(stretch, step);
      return;
    }
    if (step.result) step.attempt?.wait().catch(() => {}); // of an attempt that proved bad
    step.attempt =
      step.kind === 'pair'
        ? pairs.run(step.call as PairCall)
        : reductions.run(step.call as ReduceCall);
  }

  /** Makes the calls of the step before once more, and an update that rebuilds nothing. */
  again(stretch: Stretch, step: UpdateStep): void {
    this.#gpu.operator = step.operator;
    this.#gpu.operation = UPDATE;
    this.#patterns.cells.repeat(this.#take(stretch, step));
  }

  /** Decides what an update does. @returns where it notes how far particles have moved. */
  #take(stretch: Stretch, step: UpdateStep): MotionTarget {
    stretch.take(step);
    const { reference } = this.#patterns.neighbours.lists(step.call.grid)!;
    const limits = step.listsFast ? stretch.fast : null;
    return stretch.motion.target(reference.buffer, step.slot, limits);
  }

  #rebuild(stretch: Stretch, { slot, call: { grid } }: UpdateStep): void {
    const { neighbours, cells } = this.#patterns;
    const at = RECORD_WORDS * slot + 2;
    neighbours.recordRebuild(grid, stretch.extent, stretch.motion.buffer, at, cells);
    const lists = neighbours.lists(grid)!;
    stretch.skin = lists.effectiveSkin;
    // The boxes where it is not null have one frame throughout.
    stretch.fast ??= fastLimits(lists, stretch.share);
  }
}
