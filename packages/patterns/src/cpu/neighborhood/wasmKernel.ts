import { hoistUniform } from '@corpuscle/functor/passes';
import { type BodyEnv, f64, i32, lowerBody, lowerPrologue } from '@corpuscle/functor/wasm';
import type { Kernel } from '../Kernel.js';
import { parameterEnvironment } from '../pair/wasm/pairSlots.js';
import { wasmCode } from '../wasmCode.js';
import { type NeighborhoodPlan, threadSlots } from './NeighborhoodPlan.js';
import { type RowWalk, searchRow } from './rowWalk.js';
import { fillRow } from './wasm/fillRow.js';
import { loadCentral, type RowSetting, rowSetting } from './wasm/RowSetting.js';
import { rowEnvironment } from './wasm/rowEnvironment.js';
import { beginOwn, scatterGiven, storeOwn } from './wasm/storeRow.js';
import { visitPairs } from './wasm/visitPairs.js';

/**
 * A kernel over rows: the neighbors of a particle within the cutoff are packed into the thread's buffer, the functor runs
 * once, and what it gave to neighbors is added to their rows.
 *
 *   entries of row i ──► r2 < rcut² ──► buffer  $row dx dy dz r2 type …  ──► functor ──► row i,   fx[k] ──► row $row[k]
 */
export function wasmNeighborhoodKernel(plan: NeighborhoodPlan, key: string): Kernel {
  const { real } = plan;
  const setting = rowSetting(plan);
  const { f, args } = setting;
  const hoisted = hoistUniform(plan.ir);
  const options = { builder: f, lanes: 1, real } as const;
  const prologue = parameterEnvironment(setting.parameters);
  const variables = lowerPrologue(hoisted.prologue, { ...options, env: prologue });
  const run = (env: BodyEnv) => lowerBody(hoisted.ir, { ...options, env, mask: null, variables });

  const [rowBegin, rowEnd] = [f.param(1), f.param(2)];
  const { entries, lastEntry, indices, positions, shifts, cutoff2 } = setting;
  const entry = f.variable(entries);
  const walk: RowWalk = { entry, lastEntry, indices, positions, shifts, cutoff2 };
  searchRow(f, walk, rowBegin);
  const count = f.local('i32');
  f.range(rowBegin, rowEnd, (i) => {
    f.set(count, i32.const(0));
    const row = { walk, i, central: loadCentral(setting, i), count };
    if (plan.visit === 'whole') fillRow(setting, row);
    const before = beginOwn(setting, i);
    const env = rowEnvironment(setting, row.central, count);
    if (plan.visit === 'whole') run(env);
    else visitPairs(setting, row, env, run);
    f.comment('store and scatter');
    storeOwn(setting, i, before);
    scatterGiven(setting, count);
  });
  addTotals(setting);
  return { key, label: plan.name, code: wasmCode(f, aboutRows(plan)), args };
}

/** What the kernel does, stage by stage. */
export const aboutRows = (plan: NeighborhoodPlan): string => `${plan.name}

Functor '${plan.name}' over rows begin … end − 1, one particle at a time.
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
