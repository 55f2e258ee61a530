import type { CellCall, PairCall } from '../../pattern/PatternEngine.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { ProgramNode } from '../pattern/cellPrograms.js';
import type { Patterns, StepMaker } from './StepMaker.js';
import type { CellStep, Stretch, TotalsStep, UpdateStep } from './Stretch.js';

export type HeldStep = CellStep | TotalsStep;

/**
 * Recognises that a run makes the same calls between one update and the next as before. When these have been seen to end
 * in the state in which they began, they are held back as they come again, until the step is complete and is repeated as a
 * whole, at a fraction of what its calls cost one by one:
 *
 *   update, zero, pairs, kick, drift, update, zero, pairs, kick, drift, update, …
 *   ^ state s                         ^ state s   held  held …           ^ repeated: state s
 *
 * Another call than the expected one, and whoever looks at the state in between, has those held back made first.
 */
export class Rhythm {
  readonly #gpu: GpuDevice;
  readonly #patterns: Patterns;
  readonly #maker: StepMaker;
  /** Calls since the latest update that have been made. */
  readonly #since: HeldStep[] = [];
  /** The step that has proved to end as it began, and how. */
  #steps: readonly HeldStep[] = NONE;
  #state: ProgramNode | null = null;
  /** The stretch whose steps are held back; null while none are. */
  #stretch: Stretch | null = null;
  #held = 0;
  readonly #releaseHeld = (): void => this.release();
  /** Steps repeated so far. */
  repeated = 0;

  constructor(gpu: GpuDevice, patterns: Patterns, maker: StepMaker) {
    this.#gpu = gpu;
    this.#patterns = patterns;
    this.#maker = maker;
  }

  /** Takes a call that goes on with the step before over again. @returns null if it is another one, which must be made. */
  hold(call: CellCall | PairCall, operator: string): HeldStep | null {
    const stretch = this.#stretch;
    if (stretch === null || this.#held === this.#steps.length) return null;
    const step = this.#steps[this.#held]!;
    if (step.call !== call || step.operator !== operator) return null;
    const { domain, blocks } = call.grid;
    if (domain !== stretch.box || blocks.size !== stretch.blocks) return null;
    this.#held++;
    stretch.steps.push(step);
    return step;
  }

  /** A call has been made. */
  made(step: HeldStep): void {
    this.#since.push(step);
  }

  /** Makes an update, and with it the step that is held back, if there is one. */
  update(stretch: Stretch, step: UpdateStep): void {
    if (this.#isComplete && !stretch.rebuildsNext) {
      this.#maker.again(stretch, step);
      this.#held = 0;
      this.repeated++;
      return;
    }
    this.release();
    this.#maker.make(stretch, step);
    this.#look(stretch, step.rebuilt);
    while (this.#since.length > 0) this.#since.pop(); // the array keeps its room
  }

  /** Makes the calls that are held back, as they were when they came; the next are made at once. */
  release(): void {
    const stretch = this.#stretch;
    if (stretch === null) return;
    const isComplete = this.#isComplete;
    const held = this.#steps.slice(0, this.#held);
    this.#stop();
    if (held.length > 0) this.#make(stretch, held, isComplete);
  }

  /** The calls held back have been made otherwise. */
  drop(): void {
    if (this.#stretch !== null) this.#stop();
  }

  /** Forgets what was proved. */
  clear(): void {
    this.drop();
    this.#since.length = 0;
    this.#steps = NONE;
    this.#state = null;
  }

  #make(stretch: Stretch, held: readonly HeldStep[], isComplete: boolean): void {
    const { residency, cells } = this.#patterns;
    const { operator, operation } = this.#gpu;
    const { grid } = stretch;
    const box = residency.boxOf(grid);
    residency.setBox(grid, stretch.box);
    if (isComplete) cells.repeat(null);
    else for (const step of held) this.#maker.make(stretch, step);
    residency.setBox(grid, box);
    this.#gpu.operator = operator;
    this.#gpu.operation = operation;
  }

  /** Whether the step only lacks its update, and the one before is still kept back as it was left. */
  get #isComplete(): boolean {
    const stretch = this.#stretch;
    if (stretch === null || this.#held === 0 || this.#held < this.#steps.length) return false;
    return this.#patterns.cells.wholeStep(stretch.grid) === this.#state;
  }

  /** Whether the calls before an update, which has been made, may be held back when they come again. */
  #look(stretch: Stretch, isRebuilt: boolean): void {
    const { cells } = this.#patterns;
    const state = isRebuilt ? null : cells.wholeStep(stretch.grid);
    if (state === null) return;
    const isKnown = areSame(this.#since, this.#steps);
    if (!cells.isSteady && !(isKnown && state === this.#state)) return;
    if (!isKnown) this.#steps = this.#since.slice();
    this.#state = state;
    this.#stretch = stretch;
    this.#held = 0;
    for (const block of stretch.grid.blocks.values()) block.watchHost(this.#releaseHeld);
  }

  #stop(): void {
    for (let k = 0; k < this.#held; k++) this.#since.push(this.#steps[k]!);
    this.#held = 0;
    for (const block of this.#stretch!.grid.blocks.values()) block.unwatchHost(this.#releaseHeld);
    this.#stretch = null;
  }
}

const NONE: readonly HeldStep[] = [];

function areSame(a: readonly HeldStep[], b: readonly HeldStep[]): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
