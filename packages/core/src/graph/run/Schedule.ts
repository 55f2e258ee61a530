import { type Need, needs } from '../ScheduleSpec.js';

/** When one operator runs, and what it reads then. Getters may say something else from step to step. */
export interface Scheduled {
  /** Steps between executions; below 1: only at the end. */
  readonly every: number;
  /** The first step. */
  readonly from: number;
  /** Whether it also runs in the last step, and in the step in which the run is interrupted. */
  readonly atEnd: boolean;
  readonly needs: readonly Need[];
}

/** Every set of needs, by its bits: bit k stands for `needs[k]`. Asked in every step, so that none is made then. */
const SETS: readonly ReadonlySet<Need>[] = Array.from(
  { length: 1 << needs.length },
  (_, bits) => new Set(needs.filter((_, k) => bits & (1 << k))),
);

/**
 * What the operators of one loop do in a step: which of them are due, and what those read.
 *
 *   step     0   1   2   3   4   5   6   7 = end
 *   thermo   ×           ×           ×   ×         every 3, at the end     energy, virial
 *   dump     ×       ×       ×       ×             every 2                 particle_energies
 *
 * @example
 * const thermo = { every: 3, from: 0, atEnd: true, needs: ['energy', 'virial'] as const };
 * new Schedule([thermo]).needsAt(6, false).has('virial');
 */
export class Schedule {
  readonly #inLoops: readonly Scheduled[];
  readonly #outside: readonly Scheduled[];

  /**
   * @param inLoops operators of the loop, those in batches and loops inside it included
   * @param outside operators that stand in no loop: they run whenever their batch does, in any step
   */
  constructor(inLoops: readonly Scheduled[], outside: readonly Scheduled[] = []) {
    this.#inLoops = inLoops;
    this.#outside = outside;
  }

  /** The same operators, all of them in a loop. */
  repeated(): Schedule {
    return new Schedule([...this.#outside, ...this.#inLoops]);
  }

  /**
   * Whether an operator is called in a step.
   * @param isEnd whether the step is the last one, or the run is being interrupted
   */
  isDue({ every, from, atEnd }: Scheduled, step: number, isEnd: boolean): boolean {
    return (isEnd && atEnd) || (every >= 1 && step >= from && (step - from) % every === 0);
  }

  /** The first step after another in which an operator is called, the end left aside. */
  nextDue({ every, from }: Scheduled, step: number): number {
    if (every < 1) return Number.POSITIVE_INFINITY;
    return step < from ? from : step + every - ((step - from) % every);
  }

  /** What the operators that are due in a step read. @param also what is needed in any case */
  needsAt(step: number, isEnd: boolean, also: readonly Need[] = []): ReadonlySet<Need> {
    let bits = bitsOf(also);
    for (const operator of this.#outside) bits |= bitsOf(operator.needs);
    for (const operator of this.#inLoops)
      if (this.isDue(operator, step, isEnd)) bits |= bitsOf(operator.needs);
    return SETS[bits]!;
  }
}

function bitsOf(names: readonly Need[]): number {
  let bits = 0;
  for (const name of names) bits |= 1 << needs.indexOf(name);
  return bits;
}
