import type { FunctorIR } from '@corpuscle/functor/ir';
import { costOfAll, HEAVY, i32, type LaneValue, type WasmNode } from '@corpuscle/functor/wasm';
import type { PairPlan } from '../PairPlan.js';
import { computeStage } from './computeStage.js';
import { measureStage } from './measureStage.js';
import type { RunSetting } from './RunSetting.js';
import { StageScratch } from './StageScratch.js';
import { scatterStage } from './scatterStage.js';

/**
 * Whether runs of several particles are computed together. The functor's stage then knows of no central particle; and only
 * heavy functors gain, by a tenth, for others it costs more to divide runs (5 % of Lennard-Jones).
 */
export const batches = (plan: PairPlan, { body }: FunctorIR): boolean =>
  costOfAll(body) >= HEAVY &&
  plan.list === 'half' &&
  plan.form === 'bufferless' &&
  plan.central.length + plan.neighbor.length === 0 &&
  plan.outputs.every((output) => output.place !== null);

/** How a kernel works on the entries of its list. */
export interface Entries {
  /** Local: address of the entry at hand. */
  readonly entry: number;
  readonly last: WasmNode;
  /** Where the indices of the entry's neighbors begin and end: never empty, and padded to fours. */
  readonly bounds: () => readonly [WasmNode, WasmNode];
  /** Emits what measuring needs of the entry's particle. */
  readonly center: () => readonly WasmNode[];
  /** Emits the start of sums, and their end: they are added to the entry's particle. */
  readonly clear: () => void;
  readonly finish: (rowsUsed: boolean) => void;
}

/**
 * Emits the three stages for as many entries as fill the scratch memory, over and over: long loops cost less than short ones, because
 * each end of a loop is guessed wrongly and empties the processor. Entries are split where the memory is full; measuring and
 * scattering divide them alike, by the room that is left.
 */
export function batchedRuns(setting: RunSetting, entries: Entries): void {
  const { f, plan, measure } = setting;
  const { entry, last } = entries;
  const { count } = measure.lanes;
  const scratch = new StageScratch(f, setting.scratch, plan);
  const p = f.local('i32'); // 0: the entry's run is not begun
  const [firstEntry, firstP, end] = [f.local('i32'), f.local('i32'), f.local('i32')];
  const central = new Map<string, LaneValue>();
  let factors = false;
  const compute = f.collect(() => {
    factors = computeStage(setting, { p, begin: p, central }, scratch);
  });
  let rowsUsed = false;
  const scatter = f.collect(() => {
    rowsUsed = scatterStage(setting, scratch, p, factors);
  });

  const pieces = (
    piece: (loop: (emit: () => void) => void) => void,
    more: () => WasmNode,
  ): void => {
    f.loop((again) => {
      const [begin, stop] = entries.bounds();
      f.if(i32.eqz(f.get(p)), () => f.set(p, begin));
      // A vector has 16 bytes, and `count` indices of 4.
      const room = i32.shr_u(
        i32.sub(scratch.limit, scratch.position),
        i32.const(count === 2 ? 1 : 0),
      );
      const to = f.variable(i32.add(f.get(p), room));
      f.if(i32.gt_u(f.get(to), stop), () => f.set(to, stop));
      piece((emit) => {
        f.loop((next) => {
          emit();
          f.increment(p, 16);
          scratch.advance(4 / count);
          f.brIf(next, i32.lt_u(f.get(p), f.get(to)));
        });
      });
      f.if(i32.ge_u(f.get(p), stop), () => {
        f.increment(entry, 16);
        f.set(p, i32.const(0));
      });
      f.brIf(again, more());
    });
  };

  f.while(i32.lt_u(f.get(entry), last), () => {
    f.set(firstEntry, f.get(entry));
    f.set(firstP, f.get(p));
    f.comment('measure: displacements for as many entries as fill the scratch memory');
    scratch.rewind();
    pieces(
      (loop) => {
        const center = entries.center();
        loop(() => measureStage(setting, { p, center }, scratch));
      },
      () => i32.and(i32.lt_u(f.get(entry), last), i32.lt_u(scratch.position, scratch.limit)),
    );
    f.set(end, scratch.position);
    f.comment('compute: the functor');
    f.emit(...compute);
    f.comment('scatter and store: entry by entry');
    scratch.rewind();
    f.set(entry, f.get(firstEntry));
    f.set(p, f.get(firstP));
    pieces(
      (loop) => {
        entries.clear();
        loop(() => f.emit(...scatter));
        entries.finish(rowsUsed);
      },
      () => i32.lt_u(scratch.position, f.get(end)),
    );
  });
}
