import type { Grid } from '@corpuscle/core';
import type { CallRunner } from '../calls/CallRunner.js';
import type { FusedStep } from '../step/FusedStep.js';
import type { Made, ReplicaGroup } from './ReplicaGroup.js';
import type { ReplicaSlot } from './ReplicaSlot.js';
import { forget, ReplicaStepCache } from './ReplicaStep.js';

/** Others wait no longer after so many steps that were made alone. */
const PATIENCE = 128;

/** A simulation that makes many of its steps together with others. */
export class ReplicaMember {
  /** Whether the next step must be made alone: its lists have no room, or a particle has no position. */
  isApart = false;
  /** Whether it takes part. */
  isIn = true;
  /** Steps made so far. */
  steps = 0;
  /** Where its particles are. */
  readonly slot: ReplicaSlot;
  readonly #group: ReplicaGroup;
  readonly #runner: CallRunner;
  readonly #steps: ReplicaStepCache;
  /** Steps made alone since it last arrived. */
  #alone = 0;

  constructor(group: ReplicaGroup, runner: CallRunner, slot: ReplicaSlot) {
    this.slot = slot;
    this.#group = group;
    this.#runner = runner;
    this.#steps = new ReplicaStepCache(runner);
  }

  /** Whether a step is made by `run`; others are made alone. */
  takes(step: FusedStep): boolean {
    if (!this.isIn || !this.#group.isOn) return false;
    if (step.isSame && !this.isApart) return true;
    this.isApart = false;
    if (++this.#alone === PATIENCE) this.#group.isAbsent(this);
    return false;
  }

  /** Makes steps together with other replicas. @returns how many; 0: they must be made alone */
  async run(step: FusedStep, most: number): Promise<number> {
    const runner = this.#runner;
    this.#alone = 0;
    await runner.speculation.settle();
    const captured = this.#steps.of(step, most > 1);
    if (!captured) {
      this.leave();
      return 0;
    }
    this.slot.submit();
    const made = await this.#group.arrive(this, captured, most);
    if (made.steps > 0) this.#tell(step, made);
    else forget(runner, captured);
    return made.steps;
  }

  #tell(step: FusedStep, { steps, builds }: Made): void {
    const { counters } = this.#runner.gpu.resident;
    counters.steps += steps;
    const reason = 'no particle moved more than half the skin';
    const found = { rebuilt: builds > 0, reason, maxDisplacement: 0 };
    step.updates[0]!.plan.onUpdate?.({ ...found, updates: steps, rebuilds: builds });
  }

  /** Notes steps that were made, together or alone. */
  counted(made: number | Promise<number>): number | Promise<number> {
    if (typeof made !== 'number') return made.then((known) => this.counted(known));
    this.steps += made;
    return made;
  }

  /** Makes room for so many neighbors a particle; the next step builds the lists anew. */
  async makeRoom(grid: Grid, longest: number): Promise<void> {
    this.isApart = true;
    await this.#runner.neighbors.makeRoom(grid, longest);
  }

  /** It makes no more steps: its buffers have what they would have if it were alone. */
  close(): void {
    this.leave();
    if (!this.#runner.gpu.failure) this.slot.giveBack();
  }

  /** Others do not wait for it any more. */
  leave(): void {
    if (!this.isIn) return;
    this.isIn = false;
    this.#group.leave(this);
  }
}
