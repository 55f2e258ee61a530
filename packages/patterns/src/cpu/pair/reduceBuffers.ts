import type { Grid } from '@corpuscle/core';
import type { CpuServices } from '../CpuServices.js';
import { inChunks } from '../neighbors/launch.js';
import type { RowWork } from '../RowQueue.js';
import { balance, balanceAddress } from './balance.js';
import type { BoundArguments } from './bindArguments.js';
import { type OutputBlock, outputBlocks } from './outputBlocks.js';
import type { PairPlan } from './PairPlan.js';
import type { PairState } from './PairState.js';
import { reduceKernels, reductionEntry } from './reduceKernels.js';

/** A pair call whose kernel has run. */
interface PairsDone {
  readonly bound: BoundArguments;
  readonly plan: PairPlan;
}

/**
 * Adds the buffers that threads have written to the blocks of the grid, in the order of the segments. Rows of four numbers
 * wait for what the caller does next with them; others are added at once.
 */
export function reduceBuffers(
  services: CpuServices,
  state: PairState,
  grid: Grid,
  done: PairsDone,
): void {
  const { bound, plan } = done;
  const outputs = outputBlocks(plan);
  bound.reductions ??= outputs.map((output) => reduction(services, state, grid, done, output));
  outputs.forEach((output, k) => {
    const work = bound.reductions![k]!;
    const buffers = bound.buffers.get(output.block)!.length;
    if (buffers === 0) return;
    if (output.width === 4) {
      if (isBalanced(plan, output)) balance(services, state, output, { buffers, rows: grid.count });
      services.rows.add(grid, work);
    } else {
      const units = Math.ceil((grid.count * output.width) / 4);
      services.pool.run(work.kernel, work.record, 0, units, inChunks);
    }
  });
}

/** Where the buffers of a block are; the residual of singles is taken out on the way. */
function reduction(
  services: CpuServices,
  state: PairState,
  grid: Grid,
  { bound, plan }: PairsDone,
  output: OutputBlock,
): RowWork {
  const { heap } = services;
  const { block: name, width, storage } = output;
  const ranges = bound.buffers.get(name)!;
  const bytes = reductionEntry.bytes * Math.max(1, ranges.length);
  const buffers = state.buffer(`reduction ${name}`).reserve(bytes);
  const entries = heap.i32(buffers, bytes / 4);
  ranges.forEach(({ address, first, end }, k) => {
    const units = [Math.floor((first * width) / 4), Math.ceil((end * width) / 4)];
    entries.set([heap.word(address), ...units, 0], 4 * k);
  });
  const to = storage === 'f64' || storage === 'f32' ? storage : 'i32';
  const from = plan.buffers === 'f32' ? 'f32' : to;
  const balanced = isBalanced(plan, output);
  const kind = `${from} ${to}${balanced ? ' balanced' : ''}` as keyof typeof reduceKernels;
  const kernel = reduceKernels[kind]();
  const block = grid.block(name);
  const record = state.buffer(`reduce ${name}`).reserve(kernel.args.bytes);
  const count = ranges.length;
  const values = { target: block.place, buffers, count };
  const all = balanced ? { ...values, balance: balanceAddress(services, state, output) } : values;
  kernel.args.write(heap, record, all);
  return { kernel, record, blocks: [block] };
}

const isBalanced = (plan: PairPlan, { width, storage, members }: OutputBlock): boolean =>
  plan.buffers === 'f32' &&
  storage === 'f64' &&
  width === 4 &&
  members.some((output) => output?.parity === 'odd');
