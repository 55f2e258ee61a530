import type { Grid } from '@corpuscle/core';
import type { ParameterValues } from '../../plan/calls.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { BoundPairs } from '../calls/DevicePairs.js';
import { type CapturedBlocks, JoinedCells } from '../calls/JoinedCells.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import { PartialSums } from '../pattern/PartialSums.js';
import type { BinTarget } from '../sort/Binning.js';
import { ValuePass } from '../values/ValuePass.js';
import type { Group } from './groupsOf.js';
import { PairGroup } from './PairGroup.js';

/** A group with what it is recorded by. */
export class ReadyGroup {
  readonly group: Group;
  /** The operators of its calls. */
  readonly operator: string;
  readonly name: string;
  /** The pair call and what follows it; null where nothing does. */
  readonly pairs: PairGroup | null;
  /** Where its totals and reductions leave what they find. */
  readonly sums: PartialSums | null;
  readonly #params: readonly ParameterValues[];
  /** The calls as one kernel; null where there are none, or they are part of that of the pair call. */
  readonly #joined: JoinedCells | null;
  readonly #pass: ValuePass | null;

  /** @param before the group whose sums it combines. */
  constructor(runner: CallRunner, grid: Grid, group: Group, before: ReadyGroup | null) {
    const { gpu } = runner;
    const combined = (group.values && before?.sums) ?? null;
    const { lead, cells, reductions, sweep, lists, values, single, calls } = group;
    this.group = group;
    const operators = calls.map(({ call }) => call.operator);
    this.operator = [...new Set(operators)].join(' + ') || before?.operator || '';
    this.name =
      (lead ?? single ?? cells[0] ?? reductions[0] ?? values?.[0])?.call.name ??
      lists?.name ??
      'combine';
    const notes = lists !== null;
    const ends = [...cells, ...reductions];
    const results = [
      ...(lead && ends.length > 0 ? lead.call.folded(lead.args, lead.zeroed)! : []),
      ...reductions.flatMap(({ call }) => call.folded!),
      ...(sweep ? sweep.call.folded(sweep.call.bind(sweep.args.params).parts) : []),
    ];
    this.sums = results.length > 0 ? new PartialSums(gpu, results) : null;
    const isFollowed = ends.length > 0 || sweep;
    this.pairs = lead && isFollowed ? new PairGroup(runner, lead, group, this.sums) : null;
    const placed = values?.map(({ call }) => call.placed) ?? [];
    const given = cells.map(({ args }) => args.params);
    const parts = {
      functors: cells.map(({ call }) => call.functor),
      sums: reductions.map(({ call }) => call.functor),
      notes,
      values: values && ends.length > 0 ? { sums: combined, functors: placed, given } : null,
    };
    this.#joined = !lead && ends.length > 0 ? new JoinedCells(runner, grid, parts) : null;
    this.#params = [...(values ?? []), ...ends].map(({ args }) => args.params);
    this.#pass = values && !this.#joined ? new ValuePass(gpu, combined, placed) : null;
  }

  /** Begins with the pair call, if there is one: what is recorded before the rest finds it as it is now. */
  begin(): BoundPairs | null {
    return this.pairs?.begin() ?? null;
  }

  /** What cell calls work on at this moment; it counts as written from now on. */
  capture(): CapturedBlocks | null {
    return this.#joined?.capture() ?? null;
  }

  /**
   * Records it, as it was begun or captured if it was.
   * @returns null; of a pair call and what follows it, what records them once it is known whether they bin.
   */
  record(
    displacements: DisplacementTarget | null,
    begun: BoundPairs | null,
    captured: CapturedBlocks | null,
  ): ((bin: BinTarget | null) => void) | null {
    const { lead, lists, single, follows } = this.group;
    if (this.pairs) return this.pairs.finish(begun ?? this.pairs.begin(), displacements);
    if (single) single.call.record(single.args);
    else if (this.#joined)
      this.#joined.record(this.#params, { displacements, captured, sums: this.sums });
    else if (this.#pass) {
      this.#pass.record(this.#params);
      for (const follow of follows) follow.record();
    } else if (lead && begun) lead.call.recordCaptured(lead.zeroed);
    else if (lead) lead.call.recordOver(lead.args, lead.zeroed);
    else lists!.note.record([], { displacements });
    return null;
  }
}
