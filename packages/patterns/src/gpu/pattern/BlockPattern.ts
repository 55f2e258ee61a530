import { CorpuscleError } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { type Reduction, type ResultRecord, reductionOf } from '@corpuscle/functor/ir';
import { completed, pending } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { BlockCall } from '../../plan/calls.js';
import { writeRefused } from '../../plan/refusals.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { type BlockShape, type BlockText, blockKernel } from '../kernels/blockKernel.js';
import type { Residency } from '../residency/Residency.js';
import { KernelCache } from './KernelCache.js';
import { RecordSums } from './RecordSums.js';
import { tableBuffers } from './UploadCache.js';

/** Workgroups of calls that take several indices each: enough to fill the largest devices. */
const MOST_GROUPS = 1024;
/** Memory of a workgroup that every device has. */
const WORKGROUP_BYTES = 16384;

type BlockKernel = Omit<BlockText, 'source'> & {
  readonly kernel: GpuKernel;
  readonly sums: RecordSums | null;
};

/**
 * Block functors on the device: a workgroup an index, whose lanes share the second-level loop, or a lane an index. A
 * write outside an array is refused and remembered; the handle then fails.
 */
export class BlockPattern {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #kernels = new KernelCache<BlockKernel>();
  readonly #fault: GPUBuffer;
  readonly #counter: GPUBuffer;

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#fault = gpu.buffer('writes outside arrays', 16);
    this.#counter = gpu.buffer('next block', 16);
  }

  run(call: BlockCall): PatternHandle<ResultRecord> {
    const { functor, space, arrays, params, elements } = call;
    const blocks = space[0] * space[1] * space[2];
    const reduction = reductionOf(functor);
    if (blocks === 0) return completed(reduction.identity());
    const shape = this.#shape(call, reduction);
    const key = `${shape.size}${elements ? ' elements' : ''}${shape.stealing ? ' stealing' : ''} ${shape.narrow}`;
    const built = this.#kernels.get(functor, key, () => this.#build(functor, reduction, shape));
    const { tables, sums } = built;
    this.#checkDistinct(call, built);
    const values: Record<string, number> = {};
    const buffers = built.arrays.map(({ name }) => {
      const array = arrays[name]!;
      values[`l_${name}`] = array.length;
      const { block, length } = array;
      return this.#residency.ensure(block, length / block.spec.width).buffer;
    });
    const { stream } = this.#gpu;
    buffers.push(...tableBuffers(this.#gpu, functor.name, tables, params));
    if (built.guarded) {
      stream.clear(this.#fault);
      buffers.push(this.#fault);
    }
    if (shape.stealing) {
      stream.clear(this.#counter);
      buffers.push(this.#counter);
    }
    const perGroup = elements ? shape.size : 1;
    const needed = Math.ceil(blocks / perGroup);
    const groups = shape.stealing || sums ? Math.min(MOST_GROUPS, needed) : needed;
    if (sums) buffers.push(...sums.buffers(groups));
    const [nx, ny] = space;
    const all = { ...values, ...tables.values(params), blocks, nx, ny, groups, one: 1 };
    stream.dispatch(built.kernel, buffers, all, groups);
    for (const { name, written } of built.arrays)
      if (written) this.#residency.written(arrays[name]!.block);
    const found = sums?.finish(groups);
    if (!built.guarded && !found) return completed(reduction.identity());
    const fault = built.guarded ? stream.read(this.#fault, 8) : null;
    const settle = async (): Promise<ResultRecord> => {
      const record = await found?.record;
      if (fault) checkFault(new Uint32Array(await fault.data), call, built);
      return record ?? reduction.identity();
    };
    return pending(settle(), () => {
      found?.flush();
      fault?.flush();
    });
  }

  /** As many lanes as asked for, where device and memory allow. */
  #shape(
    { functor, arrays, blockSize, elements, schedule }: BlockCall,
    reduction: Reduction,
  ): BlockShape {
    const { maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX } = this.#gpu.device.limits;
    let size = Math.min(blockSize, maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX);
    const word = this.#gpu.reals.state === 'f64' ? 8 : 4;
    const shared = Object.values(functor.ir!.roles.b ?? {})
      .map(({ size: length, type }) => (length ?? 0) * (type === 'real' ? word : 4))
      .reduce((sum, bytes) => sum + bytes, 0);
    const own = word * reduction.reals + (reduction.reals > 0 ? 4 : 0);
    const room = WORKGROUP_BYTES - shared - 16;
    if (room < own) {
      throw new CorpuscleError(
        'OUT_OF_MEMORY',
        `functor '${functor.name}' shares ${shared} bytes in each block, but this device has ${WORKGROUP_BYTES}: share less, or use backend cpu`,
      );
    }
    if (own > 0) size = Math.max(1, Math.min(size, Math.floor(room / own)));
    const narrow = Object.keys(arrays).filter((name) => arrays[name]!.block.spec.type === 'f32');
    return { size, elements, stealing: schedule === 'stealing' && !elements, narrow };
  }

  /** WebGPU forbids one buffer under two names if either is written. */
  #checkDistinct({ functor, arrays }: BlockCall, { arrays: used }: BlockKernel): void {
    for (const { name, written } of used) {
      const twin = used.find((other) => other.name !== name && arrays[other.name] === arrays[name]);
      if (!written || !twin) continue;
      throw new CorpuscleError(
        'INVALID_VALUE',
        `arrays '${name}' and '${twin.name}' of functor '${functor.name}' are the same array, and it is written: give two arrays`,
      );
    }
  }

  #build(functor: Functor<'block'>, reduction: Reduction, shape: BlockShape): BlockKernel {
    const { state } = this.#gpu.reals;
    const sums = reduction.reals > 0 ? new RecordSums(this.#gpu, functor.name, reduction) : null;
    const ir = reduction.functor.ir!;
    const { source, ...text } = blockKernel(functor, ir, shape, state, sums?.text ?? null);
    return { ...text, kernel: this.#gpu.kernel(source), sums };
  }
}

function checkFault(words: Uint32Array, { functor, arrays }: BlockCall, built: BlockKernel): void {
  if (words[0] === 0) return;
  const number = words[0]! - 1;
  const array = built.arrays[number];
  const shared = built.shared[number - built.arrays.length];
  const what = array ? array.name : `b.${shared!.name}`;
  const length = array ? arrays[array.name]!.length : shared!.length;
  throw writeRefused(functor, `${what}[${words[1]}]`, length);
}
