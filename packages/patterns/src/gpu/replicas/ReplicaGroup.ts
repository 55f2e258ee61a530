import type { CallRunner } from '../calls/CallRunner.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { RECORD_WORDS, STOPPED } from '../neighbors/displacementText.js';
import { isTooFar } from '../neighbors/staleLists.js';
import type { ListAge } from '../speculation/listAge.js';
import { RebuildInterval, type UsedWindow } from '../speculation/RebuildInterval.js';
import { ReplicaCalls } from './ReplicaCalls.js';
import { ReplicaMember } from './ReplicaMember.js';
import { ReplicaMemory } from './ReplicaMemory.js';
import type { ReplicaStep } from './ReplicaStep.js';
import { ReplicaSteps, type Stretch, type Taker } from './ReplicaSteps.js';
import { MOST_REPLICAS } from './replicaSource.js';

/** Steps that are made at a time at most: signals are heard, and records read. */
const MOST_STEPS = 1024;
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
  /** How often its lists were built. */
  readonly builds: number;
}

const NOTHING: Made = { steps: 0, builds: 0 };

/** What replicas of one kind share. */
interface Kind {
  readonly made: ReplicaSteps;
  readonly rebuilds: RebuildInterval;
  /** Steps that were made last. */
  last: number;
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
    const steps = Math.min(MOST_STEPS, most, ...turns.map((turn) => turn.most));
    const skin = Math.min(...takers.map(({ step }) => step.lists.effectiveSkin));
    const { number, interval } = kind.rebuilds.begin(kind.last);
    kind.last = steps;
    const count = Math.max(...takers.map(({ step }) => step.grid.count));
    const limits = { skin, tau: skin / 2, mostFast: 0, count };
    let now = Math.min(sooner(interval), steps);
    this.#beginStretch(kind, takers, { steps, interval: now });
    for (let isAgain = false; ; isAgain = true) {
      const records = await kind.made.run(takers, { steps, interval: now }, isAgain);
      const found = examine(records, { steps, interval: now, skin });
      if (this.#mustStop(found, takers)) {
        kind.made.undo(takers);
        await this.#makeAlone(found, turns);
        return NOTHING;
      }
      const { good, ages } = found;
      const window: UsedWindow = { number, failed: false, updates: steps, limits, interval: now };
      if (good < now) {
        const next = kind.rebuilds.repeat(window, { interval: good, ages });
        now = Math.max(1, Math.min(next, good, now - 1));
      } else {
        if (steps > 1) kind.rebuilds.learn(window, ages);
        this.#failures = 0;
        kind.made.end(takers);
        return { steps, builds: Math.ceil(steps / now) };
      }
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
    return isStopped || isBroken || takers.some(({ step }) => longest > step.lists.capacity);
  }

  /** Why steps cannot be made together tells the next step of each, which is made alone. */
  async #makeAlone(
    { isStopped, isBroken, longest }: Findings,
    turns: readonly Turn[],
  ): Promise<void> {
    if (isStopped && ++this.#failures === MOST_FAILURES) this.isOn = false;
    for (const { member, step } of turns) {
      member.slot.isBusy = false;
      if (isBroken) member.isApart = true;
      else if (longest > step.lists.capacity) await member.makeRoom(step.grid, longest);
    }
  }

  #kindOf(key: string, step: ReplicaStep): Kind {
    let kind = this.#kinds.get(key);
    if (!kind) {
      const made = new ReplicaSteps(
        { gpu: this.#gpu, memory: this.#memory, kind: `${this.#kinds.size}` },
        step,
      );
      kind = { made, rebuilds: new RebuildInterval(), last: 0 };
      this.#kinds.set(key, kind);
    }
    return kind;
  }

  free(): void {
    this.#memory.free();
    this.#kinds.clear();
  }
}

/** To make steps again costs as much as they did: lists are built a little sooner than was learned, by this part. */
const SOONER = 1 / 16;
const sooner = (interval: number): number => Math.max(1, Math.floor((1 - SOONER) * interval));

const stepsOf = ({ member }: Turn): number => member.steps;
const ascending = (a: number, b: number): number => a - b;
const bySlot = (a: Turn, b: Turn): number => a.member.slot.number - b.member.slot.number;

interface Findings {
  readonly isStopped: boolean;
  /** Whether the position of some particle is no number. */
  readonly isBroken: boolean;
  /** Neighbors of a particle at most. */
  readonly longest: number;
  /** The longest interval with which all lists would have been good. */
  readonly good: number;
  readonly ages: readonly ListAge[];
}

/** What the records of steps say of all replicas. */
function examine(
  words: Uint32Array,
  { steps, interval, skin }: Stretch & { readonly skin: number },
): Findings {
  const distances = new Float32Array(words.buffer);
  let [isStopped, isBroken, longest] = [false, false, 0];
  for (let at = 0; at < words.length; at += RECORD_WORDS) {
    isBroken ||= words[at + 1] !== 0;
    longest = Math.max(longest, words[at + 2]!);
    isStopped ||= (words[at + 3]! & STOPPED) !== 0;
  }
  const ages: ListAge[] = [];
  let good = interval;
  // Lists are built anew for the last step.
  for (let step = 0; step < steps - 2; step++) {
    const age = (step % interval) + 1;
    if (age === interval) continue;
    const distance = Math.sqrt(distances[RECORD_WORDS * step]!);
    ages.push({ age, distance, fast: 0 });
    if (isTooFar(distance, skin)) good = Math.min(good, age);
  }
  return { isStopped, isBroken, longest, good, ages };
}
