import type { Grid } from '@corpuscle/core';
import type { CallRunner } from '../calls/CallRunner.js';
import type { GpuStepCall } from '../calls/GpuCall.js';
import { deviceType } from '../residency/DeviceBlock.js';
import { COMBINATION, type Group, groupsOf } from './groupsOf.js';
import { type JoiningRules, joiningRules } from './joiningRules.js';
import { PreparedGroup } from './PreparedGroup.js';

/** Meetings of two steps before the end of the one and the beginning of the other are fused: short runs need not compile more kernels. */
const FIRST_MEETINGS = 4;

/** Groups that begin at the end of one step and end with the next update of the lists. */
export interface Boundary {
  readonly groups: readonly PreparedGroup[];
  /** Their calls that belong to the end of a step, when no step follows. */
  readonly tail: readonly PreparedGroup[];
}

/** Groups from the end of a step to the first update of another one. */
interface Meeting {
  times: number;
  /** Null before the first meetings have passed, and where the end is recorded by itself. */
  groups: readonly PreparedGroup[] | null;
}

/** The groups of a step, in the order in which it records them. */
export class Fusion {
  /** Null where nothing of two steps is recorded together. */
  readonly boundary: Boundary | null;
  /** Up to the first update of the lists, where no step is before. */
  readonly head: readonly PreparedGroup[];
  readonly rest: readonly PreparedGroup[];
  /** Whether a step after itself leaves positions in the other buffer. */
  readonly exchanges: boolean;
  readonly #runner: CallRunner;
  readonly #grid: Grid;
  readonly #rules: JoiningRules;
  /** Calls up to the first update of the lists, and those after it. */
  readonly #before: readonly GpuStepCall[];
  readonly #after: readonly GpuStepCall[];
  /** By what comes next, where that is another step. */
  readonly #meetings = new WeakMap<Fusion, Meeting>();

  /** @param updateAt where the first update of the lists is; -1 where there is none */
  constructor(runner: CallRunner, grid: Grid, calls: readonly GpuStepCall[], updateAt: number) {
    this.#runner = runner;
    this.#grid = grid;
    this.#rules = joiningRules(grid, mostBindings(runner, grid));
    this.#before = calls.slice(0, updateAt + 1);
    this.#after = calls.slice(updateAt + 1);
    const isNext = (one: GpuStepCall) => this.#before.includes(one);
    const isOwn = (one: GpuStepCall) => this.#after.includes(one);
    const all = this.#ready(this.#groupsInto(this), null);
    this.exchanges = all.filter((group) => group.exchanges).length % 2 === 1;
    const first = all.findIndex(({ group }) => group.calls.some(isNext));
    const last = all[first - 1]?.group;
    // What another step begins with may join it.
    const isOpen = last?.pairs || last?.cells[0];
    const mayGoOn = last?.values || (isOpen && !all[first]!.group.calls.some(isOwn));
    const from = mayGoOn ? first - 1 : first;
    const groups = first < 0 ? [] : all.slice(from);
    this.rest = first < 0 ? all : all.slice(0, from);
    this.boundary = this.#boundaryOf(groups);
    this.head = this.boundary ? this.#ready(groupsOf(this.#before, this.#rules), null) : groups;
  }

  /**
   * Groups from the end of this step to the first update of another one. Null where the end is recorded by itself: at first, and
   * where what has been recorded before it would be grouped in another way.
   */
  meet(next: Fusion): readonly PreparedGroup[] | null {
    const meeting = this.#meetings.get(next) ?? { times: 0, groups: null };
    this.#meetings.set(next, meeting);
    if (++meeting.times === FIRST_MEETINGS) {
      const groups = this.#groupsInto(next);
      const { length } = this.rest;
      const isRecorded = this.rest.every(({ group }, k) => areSame(group.calls, groups[k]?.calls));
      if (isRecorded) meeting.groups = this.#ready(groups.slice(length), this.rest.at(-1) ?? null);
    }
    return meeting.groups;
  }

  #groupsInto(next: Fusion): readonly Group[] {
    return groupsOf([...this.#after, ...next.#before], this.#rules);
  }

  #boundaryOf(groups: readonly PreparedGroup[]): Boundary | null {
    const own = new Set(groups.flatMap(({ group }) => group.calls));
    const ends = this.#after.filter((one) => own.has(one));
    const last = this.rest.at(-1) ?? null;
    if (ends.length === 0 && !last?.sums) return null;
    // A pair call that is recorded by itself has a kernel already.
    const apart = groupsOf(ends, { ...this.#rules, mayFollow: () => false });
    const combines = last?.sums && !apart[0]?.values;
    return { groups, tail: this.#ready(combines ? [COMBINATION, ...apart] : apart, last) };
  }

  /** @param before the group before, whose sums the first one combines. */
  #ready(groups: readonly Group[], before: PreparedGroup | null): PreparedGroup[] {
    let last = before;
    return groups.map((group) => {
      last = new PreparedGroup(this.#runner, this.#grid, group, last);
      return last;
    });
  }
}

const areSame = (a: readonly unknown[], b: readonly unknown[] = []): boolean =>
  a.length === b.length && a.every((one, k) => one === b[k]);

/** Of a kernel for buffers: large ones take more than one, also positions after the step and those of the lists. */
function mostBindings({ gpu }: CallRunner, { blocks, count }: Grid): number {
  const { limits, segmentBytes, reals } = gpu;
  const large = [...blocks.values()].filter((block) => {
    const { words } = deviceType(block, block.spec.name === 'position', reals.state);
    return 4 * words * count > segmentBytes;
  });
  return limits.maxStorageBuffersPerShaderStage - (large.length > 0 ? large.length + 2 : 0);
}
