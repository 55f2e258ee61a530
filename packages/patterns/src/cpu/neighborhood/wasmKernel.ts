import { hoistUniform } from '@corpuscle/functor/passes';
import { f64, i32, lowerBody, lowerPrologue, select, type WasmNode } from '@corpuscle/functor/wasm';
import type { Kernel } from '../Kernel.js';
import { parameterEnvironment } from '../pair/wasm/pairSlots.js';
import { wasmCode } from '../wasmCode.js';
import { type NeighborhoodPlan, threadSlots } from './NeighborhoodPlan.js';
import { type RowWalk, searchRow } from './rowWalk.js';
import { type FilledRow, fillRow } from './wasm/fillRow.js';
import { loadCentral, type RowSetting, rowSetting, together } from './wasm/RowSetting.js';
import { rowEnvironment } from './wasm/rowEnvironment.js';
import { beginOwn, scatterGiven, storeOwn } from './wasm/storeRow.js';
import { type Run, visitMet, visitPacked } from './wasm/visitPairs.js';

/**
 * A kernel over rows, of which as many go side by side as a vector has lanes: the neighbors of each particle within the cutoff
 * are packed into the thread's buffer, the functor runs once for all lanes, and what it gave to neighbors is added to their rows.
 *
 *   entries of row i ──► r2 < rcut² ──► buffer  $row dx dy dz r2 type …  ──► functor ──► row i,   fx[k] ──► row $row[k]
 *
 * After the last row a lane repeats it without neighbors, and stores nothing.
 */
export function wasmNeighborhoodKernel(plan: NeighborhoodPlan, key: string): Kernel {
  const { real, lanes } = plan;
  const setting = rowSetting(plan);
  const { f, args } = setting;
  const hoisted = hoistUniform(plan.ir);
  const options = { builder: f, lanes, real } as const;
  const prologue = parameterEnvironment(setting.parameters);
  const variables = lowerPrologue(hoisted.prologue, { ...options, env: prologue });
  const run: Run = (env, mask) => lowerBody(hoisted.ir, { ...options, env, mask, variables });

  const [rowBegin, rowEnd] = [f.param(1), f.param(2)];
  const { entries, lastEntry, indices, positions, shifts, cutoff2 } = setting;
  const entry = f.variable(entries);
  const walk: RowWalk = { entry, lastEntry, indices, positions, shifts, cutoff2 };
  searchRow(f, walk, rowBegin);
  const counts = Array.from({ length: lanes }, () => f.local('i32'));
  f.range(
    rowBegin,
    rowEnd,
    (first) => {
      const rows = counts.map((count, lane): FilledRow => {
        const i = lane === 0 ? first : rowOrLast(setting, first, lane, rowEnd);
        f.set(count, i32.const(0));
        return { walk, i, lane, central: loadCentral(setting, i), count };
      });
      const each = (visit: (row: FilledRow) => void) => {
        for (const row of rows) {
          const { lane } = row;
          if (lane === 0) visit(row);
          else f.if(i32.lt_s(i32.add(first, i32.const(lane)), rowEnd), () => visit(row));
        }
      };
      if (plan.visit !== 'each') each((row) => fillRow(setting, row));
      const before = beginOwn(
        setting,
        rows.map(({ i }) => i),
      );
      const central = together(
        setting,
        rows.map((row) => row.central),
      );
      const numbers = setting.parts.keep(
        setting.parts.joined(
          'i32',
          counts.map((count) => f.get(count)),
        ),
      );
      const env = rowEnvironment(
        setting,
        central,
        numbers,
        rows.map(({ i }) => i),
      );
      if (plan.visit === 'whole') run(env, null);
      else if (plan.visit === 'each') visitMet(setting, rows[0]!, env, run);
      else visitPacked(setting, rows, env, run);
      f.comment('store and scatter');
      each(({ i, lane, count }) => {
        storeOwn(setting, i, lane, before);
        scatterGiven(setting, count, lane);
      });
    },
    lanes,
  );
  addTotals(setting);
  return { key, label: plan.name, code: wasmCode(f, aboutRows(plan)), args };
}

/** The row of a lane, or the last one where there is no other. */
function rowOrLast({ f }: RowSetting, first: WasmNode, lane: number, end: WasmNode): WasmNode {
  const row = f.keep(i32.add(first, i32.const(lane)));
  return f.keep(select(i32.lt_s(row, end), row, i32.sub(end, i32.const(1))));
}

/** What the kernel does, stage by stage. */
export const aboutRows = (plan: NeighborhoodPlan): string => `${plan.name}

Functor '${plan.name}' over rows begin … end − 1, ${plan.lanes === 1 ? 'one particle at a time' : `${plan.lanes} particles at a time`}.
  search    the first list entry of the rows
  fill      neighbors within the cutoff ${plan.visit === 'each' ? 'meet the functor as they come' : 'are packed into the buffer of the thread'}
${plan.visit === 'each' ? '' : `  call      the functor ${plan.visit === 'whole' ? 'once, over the buffer' : 'for each neighbor in it'}\n`}  store     what the particle received goes to its row
  scatter   what neighbors received goes to theirs`;

/** Adds the sums over all particles to the thread's record. */
function addTotals({ f, totals, fromThread }: RowSetting): void {
  const address = totals.length > 0 ? fromThread(threadSlots.totals) : i32.const(0);
  totals.forEach(({ sum }, k) => {
    f.emit(f64.store(address, f64.add(f64.load(address, 8 * k), f.get(sum)), 8 * k));
  });
}
