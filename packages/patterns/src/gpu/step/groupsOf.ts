import type { CallArguments } from '../../plan/calls.js';
import type { GpuCall } from '../calls/GpuCall.js';
import type { ListUpdates } from '../neighbors/ListUpdates.js';
import type { JoinedCall, LeadingPairs } from './PairGroup.js';
import { NOTHING } from './zeroedBlocks.js';

/** A call of a step with its arguments. */
export interface GpuStepCall {
  readonly call: GpuCall;
  readonly args: CallArguments;
}

/** Any call but an update of the lists. */
export interface SingleCall {
  readonly call: Exclude<GpuCall, ListUpdates>;
  readonly args: CallArguments;
}

/** Calls of a step that are recorded together. */
export interface Group {
  /** The pair call that the cell calls follow, if there is one. */
  readonly lead: LeadingPairs | null;
  readonly cells: readonly JoinedCall[];
  /** The update that notes displacements in the same kernel. */
  readonly lists: ListUpdates | null;
  /** A call that stays alone. */
  readonly single: SingleCall | null;
  /** How many of the calls belong to the end of a step, if the others begin the next one; otherwise all. */
  readonly own: number;
}

/** What may be one kernel. */
export interface JoiningRules {
  /** Whether a cell call may share a kernel at all: it has no tables and is not written by hand. */
  mayShare(call: JoinedCall): boolean;
  /** Whether these cell calls may follow a pair call in its kernel. */
  mayFollow(lead: LeadingPairs, cells: readonly JoinedCall[]): boolean;
  /** Whether these cell calls fit one kernel. */
  mayJoin(cells: readonly JoinedCall[]): boolean;
  /** The blocks that a cell call clears and that the pair call would only add to; none where it looks at them. */
  cleared(call: JoinedCall, pairs: Omit<LeadingPairs, 'zeroed'>): ReadonlySet<string>;
}

/**
 * Finds the groups of a step. The list begins after the first update of the lists, since what follows the pairs of one step
 * and what moves particles in the next may be one kernel:
 *
 *   drift, lists, zero, pairs, kick   →   [zero] [pairs, kick │ drift, lists]
 *
 * A call that clears what the pair call after it adds to is left out: the pair call overwrites.
 */
export function groupsOf(calls: readonly GpuStepCall[], rules: JoiningRules): Group[] {
  const update = calls.findIndex(({ call }) => call.kind === 'lists');
  const order = [...calls.slice(update + 1), ...calls.slice(0, update + 1)];
  const end = calls.length - 1 - update; // calls of this step
  const groups: Group[] = [];
  let at = 0;
  while (at < order.length) {
    const { group, length } = nextGroup(order, at, at < end ? end : order.length, rules);
    const own = Math.max(0, Math.min(length, end - at));
    groups.push({ ...group, own });
    at += length;
  }
  return groups;
}

interface Found {
  readonly group: Omit<Group, 'own'>;
  readonly length: number;
}

/** @param last where a group ends that no pair call leads: at the end of the step, or of the list. */
function nextGroup(
  order: readonly GpuStepCall[],
  at: number,
  last: number,
  rules: JoiningRules,
): Found {
  const first = order[at]!;
  const cleared = clearedBefore(order, at, rules);
  if (cleared) return withFollowers(order, at, 2, cleared, rules);
  if (isPairs(first)) {
    const lead = { call: first.call, args: first.args, zeroed: NOTHING };
    return withFollowers(order, at, 1, lead, rules);
  }
  if (first.call.kind === 'lists') return alone({ lists: first.call }, 1);
  if (!isCells(first) || !rules.mayShare(first))
    return alone({ single: { call: first.call, args: first.args } }, 1);
  const fits = (cells: readonly JoinedCall[]) => rules.mayJoin(cells);
  return collected(order.slice(0, last), at, 0, null, fits, rules);
}

/** The pair call after a call that clears what it adds to. */
function clearedBefore(
  order: readonly GpuStepCall[],
  at: number,
  rules: JoiningRules,
): LeadingPairs | null {
  const [first, second] = [order[at]!, order[at + 1]];
  if (!isCells(first) || !second || !isPairs(second)) return null;
  const { call, args } = second;
  const pairs = { call, args };
  const zeroed = rules.cleared(first, pairs);
  return zeroed.size > 0 ? { ...pairs, zeroed } : null;
}

function withFollowers(
  order: readonly GpuStepCall[],
  at: number,
  taken: number,
  lead: LeadingPairs,
  rules: JoiningRules,
): Found {
  const fits = (cells: readonly JoinedCall[]) => rules.mayFollow(lead, cells);
  return collected(order, at, taken, lead, fits, rules);
}

/** Cell calls as far as they fit, and an update after them. */
function collected(
  order: readonly GpuStepCall[],
  at: number,
  taken: number,
  lead: LeadingPairs | null,
  fits: (cells: readonly JoinedCall[]) => boolean,
  rules: JoiningRules,
): Found {
  const cells: JoinedCall[] = [];
  let length = taken;
  for (let next = order[at + length]; next; next = order[at + length]) {
    if (!isCells(next) || !rules.mayShare(next) || !fits([...cells, next])) break;
    if (clearedBefore(order, at + length, rules)) break;
    cells.push(next);
    length++;
  }
  const next = order[at + length]?.call;
  const lists = cells.length > 0 && next?.kind === 'lists' ? next : null;
  if (lists) length++;
  return alone({ lead, cells, lists }, length);
}

const EMPTY: Omit<Group, 'own'> = { lead: null, cells: [], lists: null, single: null };

const alone = (group: Partial<Group>, length: number): Found => ({
  group: { ...EMPTY, ...group },
  length,
});

const isPairs = (one: GpuStepCall): one is GpuStepCall & Omit<LeadingPairs, 'zeroed'> =>
  one.call.kind === 'pairs';
const isCells = (one: GpuStepCall): one is GpuStepCall & JoinedCall => one.call.kind === 'cells';
