import { CorpuscleError } from '@corpuscle/core';
import type { Functor } from '../../functor/Functor.js';
import type { FunctorIR } from '../../functor/ir.js';
import { fieldUse } from '../../functor/passes/fieldUse.js';
import { completed, pending } from '../../pattern/handles.js';
import type { BlockCall } from '../../pattern/PatternEngine.js';
import type { PatternHandle } from '../../pattern/PatternHandle.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, KernelBuffer, ParamType } from '../device/GpuKernel.js';
import type { Residency } from '../residency/Residency.js';
import { type DeviceReal, realType, updateText } from '../double/DeviceReals.js';
import { FunctorTables } from './FunctorTables.js';
import { lowerWith } from './functorText.js';
import { KernelCache } from './KernelCache.js';

interface BlockKernel {
  readonly kernel: GpuKernel;
  readonly tables: FunctorTables;
  readonly arrays: readonly BlockArrayUse[];
}

/**
 * A block functor on the device: one workgroup an index, its lanes share the second-level loop. A write outside an array
 * is refused and remembered; the handle then fails.
 */
export class BlockPattern {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #kernels = new KernelCache<BlockKernel>();
  readonly #fault: GPUBuffer;

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#fault = gpu.buffer('writes outside arrays', 16);
  }

  run(call: BlockCall): PatternHandle<void> {
    const { functor, space, arrays, params } = call;
    const blocks = space[0] * space[1] * space[2];
    if (blocks === 0) return completed();
    const { maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX } = this.#gpu.device.limits;
    const size = Math.min(
      call.blockSize,
      maxComputeInvocationsPerWorkgroup,
      maxComputeWorkgroupSizeX,
    );
    const narrow = (name: string): boolean => arrays[name]!.block.spec.type === 'f32';
    const shape = Object.keys(functor.ir!.roles.a ?? {}).filter(narrow).join();
    const built = this.#kernels.get(functor, `${size} ${shape}`, () =>
      this.#build(functor, size, narrow),
    );
    this.#checkDistinct(call, built);
    const values: Record<string, number> = {};
    const buffers = built.arrays.map(({ name }) => {
      const array = arrays[name]!;
      values[`l_${name}`] = array.length;
      return this.#residency.ensure(array.block, array.length).buffer;
    });
    if (built.tables.hasTables) buffers.push(built.tables.buffer(this.#gpu, functor.name, params));
    const writes = built.arrays.some(({ written }) => written);
    if (writes) {
      this.#gpu.stream.clear(this.#fault);
      buffers.push(this.#fault);
    }
    const [nx, ny] = space;
    const all = { ...values, ...built.tables.values(params), blocks, nx, ny };
    this.#gpu.stream.dispatch(built.kernel, buffers, all, blocks);
    for (const { name, written } of built.arrays)
      if (written) this.#residency.written(arrays[name]!.block);
    if (!writes) return completed();
    const readback = this.#gpu.stream.read(this.#fault, 8);
    return pending(
      readback.data.then((data) => checkFault(new Uint32Array(data), call, built)),
      readback.hurry,
    );
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

  /** @param narrow whether an array stores floats, whatever `real` is. */
  #build(
    functor: Functor<'block'>,
    size: number,
    narrow: (name: string) => boolean,
  ): BlockKernel {
    const ir = functor.ir!;
    const { state } = this.#gpu.reals;
    const tables = new FunctorTables(ir, '', state);
    const arrays = arraysOf(ir, state, narrow);
    const widened = (field: string, text: string): string =>
      arrays.find(({ name }) => name === field)!.widened ? `vec2f(${text}, 0.0)` : text;
    const writes = arrays.some(({ written }) => written);
    const lowered = lowerWith(functor, ir, {
      param: (field) => tables.param(field),
      item: (role, field, index) =>
        role === 'p'
          ? tables.item(field, index)
          : widened(field, `a_${field}[min(${index}, max(P.l_${field}, 1u) - 1u)]`),
      writeItem: (_role, field, index, op, value) => {
        const number = arrays.findIndex(({ name }) => name === field);
          const { scalar, widened } = arrays[number]!;
          const write = widened
            ? `var wide = vec2f(a_${field}[at], 0.0); ${updateText('vec2f', 'wide', op, value)} a_${field}[at] = wide.x;`
            : updateText(scalar, `a_${field}[at]`, op, value);
        return `{ let at = ${index}; if (at < P.l_${field}) { ${write} } else { refuse(${number}u, at); } }`;
      },
    }, '', state);
    const params: Record<string, ParamType> = { blocks: 'u32', nx: 'u32', ny: 'u32' };
    for (const { name } of arrays) params[`l_${name}`] = 'u32';
    const buffers = arrays.map(
      ({ name, scalar, written }): KernelBuffer => ({
        name: `a_${name}`,
        type: `array<${scalar}>`,
        access: written ? 'read_write' : 'read',
      }),
    );
    if (tables.hasTables) buffers.push({ name: 'tables', type: 'array<u32>', access: 'read' });
    if (writes)
      buffers.push({ name: 'fault', type: 'array<atomic<u32>, 4>', access: 'read_write' });
    const kernel = this.#gpu.kernel({
      label: functor.name,
      workgroupSize: size,
      buffers,
      params: { ...params, ...tables.params },
      declarations: `${writes ? refuseWgsl : ''}${lowered.structs}\n${lowered.functions}`,
      body: `
  if (group >= P.blocks) { return; }
  let line = group / P.nx;
  ${lowered.name}(${lowered.name}_b(group, group % P.nx, line % P.ny, line / P.ny, lane, ${size}u));`,
    });
    return { kernel, tables, arrays };
  }
}

/** Word 0: 1 + number of the array; word 1: the largest index refused. */
const refuseWgsl = `
fn refuse(number: u32, at: u32) {
  atomicMax(&fault[0], number + 1u);
  atomicMax(&fault[1], at);
}
`;

interface BlockArrayUse {
  readonly name: string;
  readonly scalar: 'f32' | 'vec2f' | 'i32' | 'u32';
  /** Floats that the functor sees as double-single numbers. */
  readonly widened: boolean;
  readonly written: boolean;
}

function arraysOf(
  ir: FunctorIR,
  state: DeviceReal,
  narrow: (name: string) => boolean,
): BlockArrayUse[] {
  const scalars = { real: realType(state), i32: 'i32', u32: 'u32', bool: 'u32' } as const;
  const { reads, writes } = fieldUse(ir);
  return Object.entries(ir.roles.a ?? {})
    .filter(([name]) => reads.get('a')?.has(name) || writes.get('a')?.has(name))
    .map(([name, { type }]) => {
      const widened = scalars[type] === 'vec2f' && narrow(name);
      const scalar = widened ? 'f32' : scalars[type];
      return { name, scalar, widened, written: writes.get('a')?.has(name) ?? false };
    });
}

function checkFault(words: Uint32Array, { functor, arrays }: BlockCall, built: BlockKernel): void {
  if (words[0] === 0) return;
  const { name } = built.arrays[words[0]! - 1]!;
  throw new CorpuscleError(
    'INDEX_OUT_OF_RANGE',
    `functor '${functor.name}' wrote ${name}[${words[1]}], but the array has ${arrays[name]!.length} elements: the write was refused; check the index`,
  );
}
