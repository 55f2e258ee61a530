import type { FieldBlock, Grid } from '@corpuscle/core';
import type { CpuServices } from '../CpuServices.js';
import type { Kernel } from '../Kernel.js';
import type { Schedule } from '../Schedule.js';
import type { HeapBuffer } from './HeapBuffer.js';

/** Arguments of a kernel by name. */
export type RecordValues = Readonly<Record<string, number>>;

const RECORD_BYTES = 4096;

/** Writes a kernel's argument record and runs the kernel over begin … end−1. */
export function launch(
  services: CpuServices,
  record: HeapBuffer,
  kernel: Kernel,
  values: RecordValues,
  range: { readonly begin?: number; readonly end: number; readonly schedule: Schedule },
): void {
  const address = record.reserve(Math.max(RECORD_BYTES, kernel.args.bytes));
  kernel.args.write(services.heap, address, values);
  services.pool.run(kernel, address, range.begin ?? 0, range.end, range.schedule);
}

/** Leaves a kernel over the rows of a grid to be run with what follows; `record` is its own until then. */
export function putOff(
  services: CpuServices,
  record: HeapBuffer,
  kernel: Kernel,
  values: RecordValues,
  target: { readonly grid: Grid; readonly blocks: readonly FieldBlock[] },
): void {
  services.rows.release(record.address);
  const address = record.reserve(kernel.args.bytes);
  kernel.args.write(services.heap, address, values);
  services.rows.add(target.grid, { kernel, record: address, blocks: target.blocks });
}

/** Everything in one call on the main thread. */
export const onMainThread: Schedule = { kind: 'dynamic', chunk: 0x7fffffff };

/** Rows in chunks, which free threads take. */
export const inChunks: Schedule = { kind: 'dynamic', chunk: 2048 };
