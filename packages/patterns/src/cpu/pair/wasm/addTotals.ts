import { type FunctionBuilder, f64, i32, type WasmNode } from '@corpuscle/functor/wasm';
import { threadRecord } from '../outputBlocks.js';

/** The end of a kernel: adds its totals over all particles to the thread's record. */
export function addTotals(
  f: FunctionBuilder,
  totals: readonly number[],
  fromThread: (offset: number) => WasmNode,
): void {
  if (totals.length > 0) f.comment('totals of this thread');
  const address = totals.length > 0 ? fromThread(threadRecord.totals) : i32.const(0);
  totals.forEach((total, k) => {
    f.emit(f64.store(address, f64.add(f64.load(address, 8 * k), f.get(total)), 8 * k));
  });
}
