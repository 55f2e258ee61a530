import type { FollowStrain } from '../box/FollowStrain.js';
import { type GpuCall, type GpuStepCall, isOf, type StepCallOf } from '../calls/GpuCall.js';
import { placesSet } from '../kernels/placesSet.js';
import { NOTHING } from '../kernels/usedBlocks.js';
import type { ListUpdates } from '../neighbors/ListUpdates.js';
import { areApart } from './areApart.js';
import type { JoiningRules } from './joiningRules.js';
import type { FusedPairs } from './PairGroup.js';
import { pairsFirst } from './pairsFirst.js';
import { sweepsTogether } from './sweepsTogether.js';

/** Calls of a step that are recorded together. */
export interface Group {
  /** All of them. */
  readonly calls: readonly GpuStepCall[];
  /** The pair call that the others follow, if there is one. */
  readonly pairs: FusedPairs | null;
  readonly cells: readonly StepCallOf<'cells'>[];
  /** Reductions at the end of the kernel; the next group combines what they find, and totals of the pair call. */
  readonly reductions: readonly StepCallOf<'reduction'>[];
  /** Sweeps over all pairs in the kernel of the pair call, after the cell calls. */
  readonly sweeps: readonly StepCallOf<'sweep'>[];
  /** The update that notes displacements in the same kernel. */
  readonly lists: ListUpdates | null;
  /** Value functors of one dispatch; null where there are none to be made, or sums to be combined. */
  readonly values: readonly StepCallOf<'values'>[] | null;
  /** What follows a box that they have changed. */
  readonly follows: readonly FollowStrain[];
  /** A call that stays alone. */
  readonly single: StepCallOf<Exclude<GpuCall['kind'], 'lists'>> | null;
}

/**
 * Finds what calls in a row are recorded together:
 *
 *   zero, pairs, kick, drift, lists          [pairs kick drift lists]
 *   pairs, kick, reduce, control, scale      [pairs kick reduce] [combine control] [scale]
 *   pairs with totals, kick, drift, lists    [pairs kick drift lists] [combine]
 *
 * A call that clears what the pair call after it adds to is left out: the pair call overwrites. Value functors come before cell
 * calls that take none of their values, so that those before and after are one dispatch:
 *
 *   control, scale, ahead, scale, drift      [control ahead] [scale scale drift]
 *   control, scale, box, follow, drift       [control box follow] [scale drift]
 */
export function groupsOf(calls: readonly GpuStepCall[], rules: JoiningRules): Group[] {
  const groups: Group[] = [];
  let left = sweepsTogether(pairsFirst(calls, rules));
  const add = (group: Group): void => {
    groups.push(group);
    left = left.filter((one) => !group.calls.includes(one));
  };
  while (left.length > 0) {
    const group = nextGroup(left, rules);
    add(group);
    if (leavesSums(group, rules)) add(valuesGroup(left, rules));
  }
  return groups;
}

/** Whether its workgroups leave partial results. */
function leavesSums({ pairs, cells, reductions, sweeps }: Group, rules: JoiningRules): boolean {
  if (reductions.length > 0 || sweeps.length > 0) return true;
  return pairs !== null && cells.length > 0 && rules.hasTotals(pairs);
}

function nextGroup(left: readonly GpuStepCall[], rules: JoiningRules): Group {
  const first = left[0]!;
  const cleared = clearedBefore(left, 0, rules);
  if (cleared) return collected(left, 2, cleared, rules);
  if (isOf(first, 'pairs')) return collected(left, 1, { ...first, zeroed: NOTHING }, rules);
  const { call, args } = first;
  if (call.kind === 'lists') return { ...EMPTY, calls: [first], lists: call };
  if (isOf(first, 'values') && rules.mayMeet([first])) return valuesGroup(left, rules);
  const isEnd = isOf(first, 'cells') || isOf(first, 'reduction');
  const group = isEnd && rules.mayShare(first) ? collected(left, 0, null, rules) : null;
  if (group && group.calls.length > 0) return group;
  return { ...EMPTY, calls: [first], single: { call, args } };
}

/** The pair call after a call that clears what it adds to. */
function clearedBefore(
  left: readonly GpuStepCall[],
  at: number,
  rules: JoiningRules,
): FusedPairs | null {
  const [first, second] = [left[at]!, left[at + 1]];
  if (!isOf(first, 'cells') || !second || !isOf(second, 'pairs')) return null;
  const zeroed = rules.cleared(first, second);
  return zeroed.size > 0 ? { ...second, zeroed } : null;
}

/** Cell calls as far as they fit, and reductions or an update after them. */
function collected(
  left: readonly GpuStepCall[],
  taken: number,
  pairs: FusedPairs | null,
  rules: JoiningRules,
): Group {
  const cells: StepCallOf<'cells'>[] = [];
  const reductions: StepCallOf<'reduction'>[] = [];
  const fits = (ends: Parameters<JoiningRules['mayJoin']>[0]): boolean =>
    pairs ? rules.mayFollow(pairs, ends) : rules.mayJoin(ends);
  let length = taken;
  for (let next = left[length]; next && isOf(next, 'cells'); next = left[length]) {
    if (!rules.mayShare(next) || !fits([...cells, next])) break;
    if (clearedBefore(left, length, rules)) break;
    cells.push(next);
    length++;
  }
  const sweeps: StepCallOf<'sweep'>[] = [];
  for (let next = left[length]; pairs && next && isOf(next, 'sweep'); next = left[length]) {
    if (!rules.maySweep(pairs, cells, [...sweeps, next])) break;
    sweeps.push(next);
    length++;
  }
  if (sweeps.length > 0) return { ...EMPTY, calls: left.slice(0, length), pairs, cells, sweeps };
  for (let next = left[length]; next && isOf(next, 'reduction'); next = left[length]) {
    if (!rules.mayShare(next) || !fits([...cells, ...reductions, next])) break;
    reductions.push(next);
    length++;
  }
  const next = left[length]?.call;
  const isNoted = cells.length > 0 && reductions.length === 0;
  const lists = isNoted && next?.kind === 'lists' ? next : null;
  if (lists) length++;
  return { ...EMPTY, calls: left.slice(0, length), pairs, cells, reductions, lists };
}

/**
 * Value functors from the first on, past cell calls that take nothing of theirs. What follows a box is
 * made after them, which for those cell calls is the same: they do not look at the box.
 */
function valuesGroup(left: readonly GpuStepCall[], rules: JoiningRules): Group {
  const values: StepCallOf<'values'>[] = [];
  const follows: FollowStrain[] = [];
  const calls: GpuStepCall[] = [];
  const read = new Set<number>();
  for (const one of left) {
    if (isOf(one, 'cells') && rules.mayShare(one)) {
      for (const place of rules.reads(one)) read.add(place);
      continue;
    }
    const isNext = isOf(one, 'values') && rules.mayMeet([...values, one]);
    if (one.call.kind === 'follow' && values.length > 0) follows.push(one.call);
    else if (isNext && areApart(placesSet(one.call.placed), read)) values.push(one);
    else break;
    calls.push(one);
  }
  return { ...EMPTY, calls, values, follows };
}

const EMPTY: Omit<Group, 'calls'> = {
  pairs: null,
  cells: [],
  reductions: [],
  sweeps: [],
  lists: null,
  values: null,
  follows: [],
  single: null,
};

/** A group that does nothing but combine results of the reductions before it. */
export const COMBINATION: Group = { ...EMPTY, calls: [], values: [] };
