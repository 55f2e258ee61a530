import type { ResultRecord } from '@corpuscle/functor/ir';
import { completed, pending } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { RecordCall } from '../../plan/calls.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { layoutKey } from '../kernels/ParticleAccess.js';
import { type RecordKernelText, recordKernel } from '../kernels/recordKernel.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import { boundBlocks } from './BoundBlocks.js';
import { KernelCache } from './KernelCache.js';
import { RecordSums } from './RecordSums.js';
import { tableBuffers } from './UploadCache.js';

const MOST_GROUPS = 1024;

interface RecordKernel extends RecordKernelText {
  readonly kernel: GpuKernel;
  readonly sums: RecordSums;
}

/**
 * Reductions whose results form a record (extremes with ids, histograms, results with a combine function), or that follow
 * a list of rows. Each lane takes every n-th particle into a record of its own; records are joined by trees of fixed order.
 */
export class RecordPattern {
  readonly #runner: CallRunner;
  readonly #kernels = new KernelCache<RecordKernel>();

  constructor(runner: CallRunner) {
    this.#runner = runner;
  }

  run(call: RecordCall): PatternHandle<ResultRecord> {
    const { grid, params, reduction, rows } = call;
    const { functor } = reduction;
    const count = rows?.length ?? grid.count;
    if (count === 0) return completed(reduction.identity());
    const listed = rows !== undefined;
    const key = `${listed}${layoutKey(grid, Object.keys(functor.ir!.roles.i ?? {}))}`;
    const built = this.#kernels.get(functor, key, () => this.#build(call, listed));
    const { sums, tables } = built;
    const groups = Math.min(MOST_GROUPS, Math.ceil(count / (4 * sums.text.lanes)));
    const { gpu, residency, rows: lists } = this.#runner;
    const buffers = boundBlocks(grid, residency, built.blocks).buffers();
    buffers.push(...tableBuffers(gpu, functor.name, tables, params));
    if (rows) buffers.push(lists.buffer(gpu, 'rows', rows));
    buffers.push(...sums.buffers(groups));
    const frame = built.usesFrame ? frameValues(residency.ensurePositions(grid).frame) : {};
    const values = { ...tables.values(params), ...frame, count, groups };
    gpu.stream.dispatch(built.kernel, buffers, values, groups);
    const found = sums.finish(groups);
    return pending(found.record, found.flush);
  }

  #build({ reduction, grid }: RecordCall, listed: boolean): RecordKernel {
    const { functor } = reduction;
    const { gpu } = this.#runner;
    const sums = new RecordSums(gpu, functor.name, reduction);
    const text = recordKernel(functor, grid, sums.text, gpu.reals.state, listed);
    return { ...text, kernel: gpu.kernel(text.source), sums };
  }
}
