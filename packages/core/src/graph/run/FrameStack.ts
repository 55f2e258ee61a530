import type { SimulationState } from '../SimulationState.js';
import type { Frame } from './frames.js';
import type { Schedule } from './Schedule.js';

/**
 * The batches that a walker is in, from the outermost. They say whether it loops, which schedule holds, whether the run is ending,
 * and what an operator stops or repeats.
 */
export class FrameStack {
  readonly #state: SimulationState;
  /** Those around a branch of a parallel batch. */
  readonly #around: FrameStack | undefined;
  readonly #frames: Frame[] = [];
  /** Schedules outside loops: of a root that is run once, and of one that is repeated. */
  #rootSchedule: Schedule | null = null;
  #repeatedRoot: Schedule | null = null;
  /** Loops among the frames, and batches that have been repeated. */
  #loops = 0;
  #repeated = 0;
  #hasLooped = false;

  constructor(state: SimulationState, around: FrameStack | undefined) {
    this.#state = state;
    this.#around = around;
  }

  get frames(): readonly Frame[] {
    return this.#frames;
  }

  /** Names the batch that is the whole graph. */
  setRoot({ schedule }: Frame): void {
    this.#rootSchedule = schedule;
    this.#repeatedRoot = schedule!.repeated();
  }

  push(frame: Frame): void {
    this.#frames.push(frame);
    if (frame.isLoop) {
      this.#loops++;
      this.#hasLooped = true;
    }
    if (frame.schedule) this.#findSchedule();
  }

  pop(frame: Frame): void {
    this.#frames.pop();
    if (frame.isLoop) this.#loops--;
    if (frame.hasRepeated) this.#repeated--;
    frame.hasRepeated = false;
    if (frame.schedule) this.#findSchedule();
  }

  get isLooping(): boolean {
    return this.#loops > 0 || (this.#around ? this.#around.isLooping : false);
  }

  /** Whether it has come to a loop: an interrupted run then has something to end with. */
  get hasLooped(): boolean {
    return this.#hasLooped;
  }

  get isRepeating(): boolean {
    return this.#repeated > 0 || (this.#around ? this.#around.isRepeating : false);
  }

  /**
   * Interrupted outside a loop there is no pass to complete, so the run ends between two operators; inside one, the
   * pass is completed first and the loop's own test ends it. Only the epilog runs then. Asked before every operator, and the signal outside loops only.
   */
  get isUnwinding(): boolean {
    if (this.#loops > 0) return false;
    if (this.#around) return this.#around.isUnwinding;
    return this.#state.heedSignal() && !this.#frames.some((frame) => frame.isRepeated);
  }

  /** Ends the innermost loop, or repeated batch, after the operator that runs. */
  stopLoop(): void {
    // Batches inside the loop end too.
    for (const frame of [...this.#frames].reverse()) {
      frame.isStopped = true;
      if (frame.isLoop || frame.isRepeated) return;
    }
  }

  /** Has the innermost batch run once more. */
  repeatBatch(): void {
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

  /** The schedule of the innermost loop; outside loops that of the root. A branch without a loop of its own has that of its batch. */
  #findSchedule(): void {
    const loop = this.#frames.findLast((frame) => frame.isLoop);
    const root = this.isRepeating ? this.#repeatedRoot : this.#rootSchedule;
    this.#state.schedule = loop?.schedule ?? root;
  }
}
