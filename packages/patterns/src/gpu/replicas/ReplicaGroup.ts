import type { CallRunner } from '../calls/CallRunner.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { ASTRAY, builtIn, RECORD_WORDS, STOPPED } from '../neighbors/displacementText.js';
import { isTooFar } from '../neighbors/staleLists.js';
import { MOST_STEPS } from '../resident/residentSource.js';
import { ReplicaCalls } from './ReplicaCalls.js';
import { ReplicaMember } from './ReplicaMember.js';
import { ReplicaMemory } from './ReplicaMemory.js';
import type { ReplicaStep } from './ReplicaStep.js';
import { ReplicaSteps, type Stretch, type Taker } from './ReplicaSteps.js';
import { MOST_REPLICAS } from './replicaSource.js';

/** Steps that are made at a time at most: signals are heard, and records read. */
const LONGEST = 1024;
/** Meetings of workgroups that fail in a row before no more are tried. */
const MOST_FAILURES = 3;

/** A replica that waits for the others. */
interface Turn {
  readonly member: ReplicaMember;
  readonly step: ReplicaStep;
  /** Steps that it may make. */
  readonly most: number;
  readonly resolve: (made: Made) => void;
  readonly reject: (error: unknown) => void;
}

/** What a replica has made together with others. */
export interface Made {
  readonly steps: number;
  /** How often lists were built, on the mean of the replicas. */
  readonly builds: number;
}

const NOTHING: Made = { steps: 0, builds: 0 };

/** What replicas of one kind share. */
interface Kind {
  readonly made: ReplicaSteps;
  /** Steps that a dispatch takes. */
  together: number;
}

/**
 * Simulations on one device that take steps side by side. Each goes on by itself, until its next steps need nothing of the host. There
 * it waits for the others, and all make as many steps as the first of them may:
 *
 *   replica 0   row │ waits ┄┄┄┄┄┄┄ │ 998 steps of all  │ row │ …
 *   replica 1   row ┄┄┄┄┄┄┄ │ waits │ in one dispatch   │ row │ …
 */
export class ReplicaGroup {
  /** False once workgroups of the device did not wait for each other, time and again. */
  isOn = true;
  #failures = 0;
  readonly #gpu: GpuDevice;
  readonly #memory: ReplicaMemory;
  readonly #calls: ReplicaCalls;
  readonly #members = new Set<ReplicaMember>();
  readonly #absent = new Set<ReplicaMember>();
  readonly #kinds = new Map<string, Kind>();
  #turns: Turn[] = [];
  /** What is made now. */
  #last: Promise<void> = Promise.resolve();
  /** Replicas that will still come. */
  #expected: number;
  #tellFirst: (mayShare: boolean) => void = () => {};
  /** Whether the first that knows has come to wait for others, or cannot. */
  readonly mayShare = new Promise<boolean>((resolve) => {
    this.#tellFirst = resolve;
  });

  /** @param gpu for what it does itself: others have devices of their own around the same `GPUDevice`. @param expected replicas that will join */
  constructor(gpu: GpuDevice, expected: number) {
    this.#gpu = gpu;
    this.#memory = new ReplicaMemory(gpu, Math.min(expected, MOST_REPLICAS));
    this.#calls = new ReplicaCalls(gpu, this.#memory);
    this.#expected = expected;
  }

  join(runner: CallRunner): ReplicaMember {
    const member = new ReplicaMember(this, runner, this.#memory.slotFor(runner.gpu));
    this.#expected--;
    if (member.slot.number < this.#memory.most) this.#members.add(member);
    else member.leave();
    return member;
  }

  /** So many will not join. */
  expectLess(count: number): void {
    this.#expected -= count;
    this.#begin();
  }

  leave(member: ReplicaMember): void {
    this.#tellFirst(false);
    this.#members.delete(member);
    this.#absent.delete(member);
    this.#begin();
  }

  /** Others do not wait for it, until it arrives. */
  isAbsent(member: ReplicaMember): void {
    this.#absent.add(member);
    this.#begin();
  }

  /** Waits for the others, and makes steps with those of its kind. */
  arrive(member: ReplicaMember, step: ReplicaStep, most: number): Promise<Made> {
    this.#tellFirst(true);
    return new Promise((resolve, reject) => {
      this.#absent.delete(member);
      this.#turns.push({ member, step, most, resolve, reject });
      this.#begin();
    });
  }

  #begin(): void {
    if (this.#turns.length === 0) return;
    const missing = this.#members.size - this.#turns.length - this.#absent.size;
    if (missing > 0 || this.#expected > 0) return;
    // Those that lag behind catch up first: so all come to their rows in the same steps.
    const [first = 0, second = Infinity] = [...new Set(this.#turns.map(stepsOf))].sort(ascending);
    const turns = this.#turns.filter((turn) => stepsOf(turn) === first).sort(bySlot);
    this.#turns = this.#turns.filter((turn) => stepsOf(turn) !== first);
    const kinds = new Map<string, Turn[]>();
    for (const turn of turns) {
      const { key } = turn.step;
      kinds.set(key, [...(kinds.get(key) ?? []), turn]);
    }
    // One kind after the other: all use the same memory.
    for (const [key, alike] of kinds)
      this.#last = this.#last.then(() => this.#makeFor(key, alike, second - first));
  }

  async #makeFor(key: string, turns: readonly Turn[], most: number): Promise<void> {
    const slots = turns.map(({ member }) => member.slot);
    try {
      const made = await this.#make(key, turns, most);
      for (const { resolve } of turns) resolve(made);
    } catch (error) {
      for (const { reject } of turns) reject(error);
    } finally {
      for (const slot of slots) slot.isBusy = false;
    }
  }

  async #make(key: string, turns: readonly Turn[], most: number): Promise<Made> {
    if (this.#members.size === 1) for (const { member } of turns) member.leave();
    if (this.#members.size === 0 || !this.isOn) return NOTHING;
    const takers = turns.map(({ member, step }) => ({ slot: member.slot, step }));
    const kind = this.#kindOf(key, takers[0]!.step);
    if (!kind.made.fits) {
      for (const { member } of turns) member.leave();
      return NOTHING;
    }
    const steps = Math.min(LONGEST, most, ...turns.map((turn) => turn.most));
    this.#beginStretch(kind, takers, { steps, together: kind.together });
    for (let isAgain = false; ; isAgain = true) {
      const stretch = { steps, together: kind.together };
      const found = examine(await kind.made.run(takers, stretch, isAgain), takers, stretch);
      if (found.isAstray && !found.isStopped && kind.together > 1) {
        kind.together >>= 1;
        continue;
      }
      if (this.#mustStop(found, takers)) {
        kind.made.undo(takers);
        await this.#makeAlone(found, turns);
        return NOTHING;
      }
      this.#failures = 0;
      kind.made.end(takers);
      return { steps, builds: found.builds };
    }
  }

  /** What replicas have asked for is made, and then their buffers are taken. */
  #beginStretch({ made }: Kind, takers: readonly Taker[], stretch: Stretch): void {
    made.prepare(takers, stretch);
    this.#calls.make(takers.map(({ slot }) => slot));
    made.begin(takers);
    for (const { slot } of takers) slot.isBusy = true;
  }

  #mustStop({ isStopped, isBroken, longest }: Findings, takers: readonly Taker[]): boolean {
    return isStopped || isBroken || takers.some(({ step }) => hasNoRoom(step, longest));
  }

  /** Why steps cannot be made together tells the next step of each, which is made alone. */
  async #makeAlone(
    { isStopped, isBroken, longest }: Findings,
    turns: readonly Turn[],
  ): Promise<void> {
    // Forces of lists that had no room tell nothing else.
    const isFull = turns.some(({ step }) => hasNoRoom(step, longest));
    if (isStopped && !isFull && ++this.#failures === MOST_FAILURES) this.isOn = false;
    for (const { member, step } of turns) {
      member.slot.isBusy = false;
      if (hasNoRoom(step, longest)) await member.makeRoom(step.grid, longest);
      else if (isBroken) member.isApart = true;
    }
  }

  #kindOf(key: string, step: ReplicaStep): Kind {
    let kind = this.#kinds.get(key);
    if (!kind) {
      const made = new ReplicaSteps(
        { gpu: this.#gpu, memory: this.#memory, kind: `${this.#kinds.size}` },
        step,
      );
      kind = { made, together: MOST_STEPS };
      this.#kinds.set(key, kind);
    }
    return kind;
  }

  free(): void {
    this.#memory.free();
    this.#kinds.clear();
  }
}

/** Whether lists of a step have no room for so many neighbors of a particle. */
const hasNoRoom = ({ lists }: ReplicaStep, longest: number): boolean => longest > lists.capacity;

const stepsOf = ({ member }: Turn): number => member.steps;
const ascending = (a: number, b: number): number => a - b;
const bySlot = (a: Turn, b: Turn): number => a.member.slot.number - b.member.slot.number;

interface Findings {
  /** Whether workgroups did not wait for each other, or not build lists that were due. */
  readonly isStopped: boolean;
  /** Whether the position of some particle is no number. */
  readonly isBroken: boolean;
  /** Whether a particle was too far outside of the box for a build in place: lists may be wrong then, and so all else. */
  readonly isAstray: boolean;
  /** Neighbors of a particle at most. */
  readonly longest: number;
  /** How often lists were built, on the mean. */
  readonly builds: number;
}

/** What the records of steps say of all replicas. */
function examine(
  words: Uint32Array,
  takers: readonly Taker[],
  { steps, together }: Stretch,
): Findings {
  const distances = new Float32Array(words.buffer);
  const skin = Math.max(...takers.map(({ step }) => step.lists.effectiveSkin));
  let [isStopped, isBroken, isAstray, longest] = [false, false, false, 0];
  // Before the steps of each dispatch, and before the last step of all.
  const planned = 1 + Math.ceil((steps - 1) / together);
  let voted = 0;
  for (let step = 0; step < words.length / RECORD_WORDS; step++) {
    const [, broken, most, word] = words.subarray(RECORD_WORDS * step, RECORD_WORDS * (step + 1));
    isBroken ||= broken !== 0;
    longest = Math.max(longest, most!);
    isAstray ||= (word! & ASTRAY) !== 0;
    voted += builtIn(word!);
    // After the last step of a dispatch lists are built in any case.
    const isVoted = step < steps - 2 && (step + 1) % together !== 0;
    const isLate =
      isVoted && builtIn(word!) === 0 && isTooFar(Math.sqrt(distances[RECORD_WORDS * step]!), skin);
    isStopped ||= isLate || (word! & STOPPED) !== 0;
  }
  return {
    isStopped,
    isBroken,
    isAstray,
    longest,
    builds: planned + Math.round(voted / takers.length),
  };
}
