import type { Grid } from '@corpuscle/core';
import type { ParameterValues } from '../../plan/calls.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { JoinedCells } from '../calls/JoinedCells.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import { PartialSums } from '../pattern/PartialSums.js';
import { ValuePass } from '../values/ValuePass.js';
import type { Group } from './groupsOf.js';
import { PairGroup } from './PairGroup.js';

/** A group with what it is recorded by. */
export class PreparedGroup {
  readonly group: Group;
  /** The operators of its calls. */
  readonly operator: string;
  readonly name: string;
  /** The pair call and what follows it; null where nothing does. */
  readonly fused: PairGroup | null;
  /** Where its totals and reductions leave what they find. */
  readonly sums: PartialSums | null;
  readonly #params: readonly ParameterValues[];
  /** The calls as one kernel; null where there are none, or they are part of that of the pair call. */
  readonly #joined: JoinedCells | null;
  readonly #pass: ValuePass | null;

  /** @param before the group whose sums it combines. */
  constructor(runner: CallRunner, grid: Grid, group: Group, before: PreparedGroup | null) {
    const { gpu } = runner;
    const combined = (group.values && before?.sums) ?? null;
    const { pairs, cells, reductions, sweeps, lists, values, calls } = group;
    this.group = group;
    const operators = calls.map(({ call }) => call.operator);
    this.operator = [...new Set(operators)].join(' + ') || before?.operator || '';
    this.name = (pairs ?? calls[0])?.call.name ?? 'combine';
    const ends = [...cells, ...reductions];
    const hasEnds = ends.length > 0;
    const results = [
      ...(pairs && hasEnds ? pairs.call.intoValues(pairs.args, pairs.zeroed)! : []),
      ...reductions.flatMap(({ call }) => call.intoValues!),
      ...sweeps.flatMap(({ call, args }) => call.intoValues(args)),
    ];
    this.sums = results.length > 0 ? new PartialSums(gpu, results) : null;
    const parts = {
      functors: cells.map(({ call }) => call.functor),
      sums: reductions.map(({ call }) => call.functor),
      notes: lists !== null,
    };
    const isFollowed = pairs && (hasEnds || sweeps.length > 0);
    this.fused = isFollowed ? new PairGroup(runner, { ...group, pairs }, parts, this.sums) : null;
    const placed = values?.map(({ call }) => call.placed) ?? [];
    this.#joined = !pairs && (hasEnds || lists) ? new JoinedCells(runner, grid, parts) : null;
    this.#params = (values ?? ends).map(({ args }) => args.params);
    this.#pass = values ? new ValuePass(gpu, combined, placed) : null;
  }

  /** Cell calls work on the blocks of this moment, which count as written from now on. */
  capture(): void {
    this.#joined?.capture();
  }

  /** Records it, as it was captured if it was. Where others follow a pair call, `fused` records them when it is known whether they bin. */
  record(displacements: DisplacementTarget | null): void {
    const { pairs, single, follows } = this.group;
    if (this.fused) this.fused.finish(displacements);
    else if (single) single.call.record(single.args);
    else if (pairs) pairs.call.recordOver(pairs.args, pairs.zeroed);
    else if (this.#joined) this.#joined.record(this.#params, { displacements, sums: this.sums });
    else {
      this.#pass!.record(this.#params);
      for (const follow of follows) follow.record();
    }
  }
}
