import type { Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { DeviceLists } from '../neighbours/DeviceLists.js';
import { motionText } from '../neighbours/motionText.js';
import type { BinTarget } from '../sort/Binning.js';
import type { BoundBlocks, UsedBlocks } from './BoundBlocks.js';
import { type CellProgram, newNode } from './cellPrograms.js';
import type { Epilogue } from './epilogue.js';
import type { MotionTarget } from './KeptCalls.js';
import { NEXT } from './ParticleAccess.js';
import { PreparedParams } from './PreparedParams.js';
import { PAIR_LANES } from './pairKernel.js';

type Values = Record<string, number | readonly number[]>;

const NO_BUFFERS: readonly GPUBuffer[] = [];

/** What a pair call is recorded from. */
export interface PairParts {
  readonly kernel: GpuKernel;
  readonly blocks: UsedBlocks;
  /** Blocks that it reads of neighbours, besides positions. */
  readonly neighbourBlocks: ReadonlySet<string>;
  /** Threads a particle. */
  readonly lanes: number;
  /** The kernel that goes on with cell functors, null if it shall bin too and that is too much; null where it cannot go on. */
  readonly extend:
    | ((epilogue: Epilogue) => Pick<CellProgram, 'kernel' | 'tables' | 'blocks'> | null)
    | null;
}

/**
 * A pair call: recorded by itself, or kept back for a while and then recorded together with the cell calls that follow it.
 * One serves all calls of a kind, which are recorded one after the other.
 */
export class PairDispatch {
  readonly grid: Grid;
  readonly parts: PairParts;
  /** Programs of this call and cell calls behind it. */
  readonly followers = newNode();
  /** For whom it is made. */
  operator = '';
  readonly #gpu: GpuDevice;
  /** Parameters of the kernel, and how often they have changed. */
  readonly #values: Values = {};
  #version = 0;
  /** Particles of a workgroup. */
  readonly #perGroup: number;
  #bound: BoundBlocks | null = null;
  #blocks: readonly GPUBuffer[] = [];
  #lists: DeviceLists | null = null;
  /** Of tables and partial sums. */
  #rest: readonly GPUBuffer[] = [];
  /** What the kernel binds, filled anew for each dispatch. */
  readonly #bindings: GPUBuffer[] = [];

  constructor(gpu: GpuDevice, grid: Grid, parts: PairParts) {
    this.#gpu = gpu;
    this.grid = grid;
    this.parts = parts;
    this.#perGroup = PAIR_LANES / parts.lanes;
  }

  /** Sets parameters of the kernel. */
  put(values: Readonly<Values>): void {
    Object.assign(this.#values, values);
    this.#version++;
  }

  /** @param bound its blocks, with the buffers that they have now. @param rest buffers that come behind the lists. */
  set(lists: DeviceLists, bound: BoundBlocks, rest: readonly GPUBuffer[]): void {
    this.#lists = lists;
    this.#bound = bound;
    this.#blocks = bound.buffers();
    this.#rest = rest;
    this.operator = this.#gpu.operator;
  }

  /** The same call is made again: its blocks have the buffers of now. */
  again(): void {
    this.#blocks = this.#bound!.buffers();
    this.#bound!.written();
  }

  /** Kernels that make up the call, one for each part of the lists. */
  get kernels(): number {
    return this.#lists!.chunks.length;
  }

  /** Bindings besides those of blocks. */
  get otherBindings(): number {
    return 2 + this.#rest.length;
  }

  /** The buffer of a block, if the call uses it. */
  buffer(name: string): GPUBuffer | undefined {
    const { blocks } = this.parts;
    for (let k = 0; k < blocks.length; k++) if (blocks[k]!.name === name) return this.#blocks[k];
    return undefined;
  }

  /** Records it alone. */
  record(): void {
    const present = this.#gpu.operator;
    this.#gpu.operator = this.operator;
    this.#recordAlone();
    this.#gpu.operator = present;
  }

  /**
   * Records it with what follows.
   * @param blocks buffers of the program's blocks. @param motion where it notes how far particles have moved.
   * @param bin where it bins them.
   */
  recordWith(
    program: CellProgram,
    blocks: readonly GPUBuffer[],
    motion: MotionTarget | null,
    bin: BinTarget | null,
  ): void {
    const { kernel, values } = program;
    program.prepared ??= new PreparedParams(kernel, this.#perGroup, motion !== null, bin !== null);
    const { prepared } = program;
    if (program.version !== this.#version) {
      Object.assign(values, this.#values);
      program.version = this.#version;
      prepared.isCurrent = false;
    }
    const { chunks, counts, stride } = this.#lists!;
    const noted = motion ? motion.values : null;
    const places = bin ? bin.places : null;
    for (const { first, end, entries } of chunks) {
      this.#bind(blocks, counts.buffer, entries.buffer, motion ? motion.buffers : NO_BUFFERS);
      if (bin) this.#bindings.push(bin.buffer);
      const params = prepared.of(values, first, end, stride, noted, places);
      this.#gpu.stream.dispatchWritten(kernel, this.#bindings, params, this.#groupsOf(end - first));
    }
  }

  /** One kernel for each part of the lists. */
  #recordAlone(): void {
    const values = this.#values;
    const { chunks, counts, stride } = this.#lists!;
    values.stride = stride;
    values.groups = this.#groupsOf(this.grid.count);
    for (const { first, end, entries } of chunks) {
      values.first = first;
      values.end = end;
      values.firstGroup = first / this.#perGroup;
      this.#bind(this.#blocks, counts.buffer, entries.buffer, NO_BUFFERS);
      const groups = this.#groupsOf(end - first);
      this.#gpu.stream.dispatch(this.parts.kernel, this.#bindings, values, groups);
    }
  }

  #groupsOf(rows: number): number {
    return Math.ceil(rows / this.#perGroup);
  }

  #bind(
    blocks: readonly GPUBuffer[],
    counts: GPUBuffer,
    entries: GPUBuffer,
    motion: readonly GPUBuffer[],
  ): void {
    const bound = this.#bindings;
    const rest = this.#rest;
    let n = 0;
    for (let k = 0; k < blocks.length; k++) bound[n++] = blocks[k]!;
    bound[n++] = counts;
    bound[n++] = entries;
    for (let k = 0; k < rest.length; k++) bound[n++] = rest[k]!;
    for (let k = 0; k < motion.length; k++) bound[n++] = motion[k]!;
    while (bound.length > n) bound.pop();
  }
}

/** Parameters that cell functors may add to a pair kernel: so its record never gets too long. */
const MOST_PARAMETERS = 40;

/**
 * Whether a pair kernel may go on with cell functors: none must write what other threads still read of neighbours.
 * @param programs of each functor alone. @param bindings what the device has for blocks.
 */
export function mayExtend(
  { extend, blocks, neighbourBlocks }: PairParts,
  programs: readonly CellProgram[],
  bindings: number,
): boolean {
  if (!extend) return false;
  const names = new Set([...blocks.map(({ name }) => name), NEXT]);
  let parameters = 0;
  for (const { tables, blocks: used } of programs) {
    for (const { name, written } of used) {
      if (written && neighbourBlocks.has(name)) return false;
      names.add(name);
    }
    for (const { params } of tables) parameters += Object.keys(params).length;
  }
  return parameters <= MOST_PARAMETERS && names.size + motionText.buffers.length <= bindings;
}
