import type { Grid } from '@corpuscle/core';
import type { Functor } from '../../functor/Functor.js';
import type { CellCall, ParameterValues } from '../../pattern/PatternEngine.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import { type BoundBlocks, boundBlocks, type UsedBlocks } from './BoundBlocks.js';
import { type CellKernelText, cellKernel } from './cellKernel.js';
import { NamedBuffers } from './NamedBuffers.js';
import { layoutKey, positionBlocks } from './ParticleAccess.js';
import { NOTHING, zeroedBlocks } from './zeroedBlocks.js';

/** Functors joined at most; bounds the number of different kernels and the parameters of one. */
const MOST_JOINED = 6;

/** Where a kernel shall note how far particles have moved. */
export interface MotionTarget {
  /** What `motionText` binds, and values of its parameters. */
  readonly buffers: readonly GPUBuffer[];
  readonly values: Readonly<Record<string, number>>;
}

/** Calls that may still be joined by others, and what they work on. */
interface Kept {
  readonly grid: Grid;
  readonly buffers: NamedBuffers;
  readonly calls: CellCall[];
  /** Operators that made them, where there are accounts. */
  readonly operators: Set<string>;
  motion: MotionTarget | null;
  frame: PositionFrame | null;
}

interface CellProgram extends Omit<CellKernelText, 'source'> {
  readonly kernel: GpuKernel;
  /** Parameters of the kernel, and what they were last made from. */
  readonly values: Record<string, number | readonly number[]>;
  readonly params: ParameterValues[];
  frame: PositionFrame | null;
}

/** Programs by the calls they join, one after the other. */
interface ProgramNode {
  readonly next: Map<number, ProgramNode>;
  program: CellProgram | null;
  withMotion: CellProgram | null;
}

const newNode = (): ProgramNode => ({ next: new Map(), program: null, withMotion: null });

interface KnownFunctor {
  /** The grid of the last call; other grids may have another layout. */
  readonly grid: WeakRef<Grid>;
  readonly blocks: number;
  readonly id: number;
  readonly byLayout: Map<string, number>;
}

/** Functors that are garbage leave programs behind; beyond this number all are forgotten. */
const MOST_PROGRAMS = 4096;

/**
 * Cell functors on the device: one thread a particle. Calls that follow each other on one grid are kept back and become
 * one kernel: what works on a particle alone need not be stored and loaded in between.
 */
export class CellPattern {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  #programs = newNode();
  readonly #ids = new WeakMap<Functor, KnownFunctor>();
  #nextId = 0;
  #kept: Kept | null = null;
  /** What was kept before: a step keeps calls two or three times. */
  readonly #known = new WeakMap<Grid, Kept>();
  readonly #recordKept = (): void => this.#record();

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
  }

  /** @param call kept for a while: its parameters must not change any more. */
  run(call: CellCall): void {
    const { functor, grid } = call;
    if (grid.count === 0) return;
    // Compiled by itself too, so that what is wrong with a functor is said by its own call.
    const node = this.#next(this.#programs, call);
    const program = node.program ?? this.#program(node, [call], grid, false);
    const joins = !program.tables[0]!.hasTables && !functor.spec.wgsl;
    if (this.#kept && !(joins && this.#fits(this.#kept, call, program))) this.#record();
    const kept = this.#keep(grid);
    const bound = boundBlocks(grid, this.#residency, program.blocks);
    this.#take(kept, program.blocks, bound);
    kept.calls.push(call);
    if (this.#gpu.accounts) kept.operators.add(this.#gpu.operator);
    bound.written();
    if (!joins) this.#record();
  }

  /** Notes how far the particles have moved, in the same kernel as the calls just before. */
  noteMotion(grid: Grid, target: MotionTarget): void {
    if (this.#kept && this.#kept.grid !== grid) this.#record();
    const kept = this.#keep(grid);
    const blocks = positionBlocks(this.#gpu.reals.state);
    this.#take(kept, blocks, boundBlocks(grid, this.#residency, blocks));
    kept.motion = target;
    if (this.#gpu.accounts) kept.operators.add(this.#gpu.operator);
  }

  /** The blocks that the call made last, not recorded yet, fills with zeros, if that is all it does. */
  zeroing(grid: Grid): ReadonlySet<string> {
    const kept = this.#kept;
    const last = kept?.calls.at(-1);
    return last && kept!.grid === grid ? zeroedBlocks(last.functor, grid) : NOTHING;
  }

  /** Takes that call back, because the blocks are about to be overwritten. */
  dropZeroing(grid: Grid): void {
    if (this.zeroing(grid).size > 0) this.#kept!.calls.pop();
  }

  #keep(grid: Grid): Kept {
    if (this.#kept?.grid === grid) return this.#kept;
    let kept = this.#known.get(grid);
    if (!kept) {
      const nothing = { frame: null, calls: [], motion: null };
      kept = { grid, operators: new Set(), buffers: new NamedBuffers(), ...nothing };
      this.#known.set(grid, kept);
    }
    this.#begin(kept);
    return kept;
  }

  #begin(kept: Kept): void {
    while (kept.calls.length > 0) kept.calls.pop(); // the array keeps its room
    if (kept.operators.size > 0) kept.operators.clear();
    kept.buffers.clear();
    kept.motion = null;
    this.#kept = kept;
    this.#gpu.stream.keepBack(this.#recordKept);
  }

  /** Buffers are those of now: what the host writes after a call must not reach it. */
  #take(kept: Kept, blocks: UsedBlocks, bound: BoundBlocks): void {
    const buffers = bound.buffers();
    if (this.#kept !== kept) this.#begin(kept); // an upload has recorded what was kept
    for (let k = 0; k < blocks.length; k++) kept.buffers.put(blocks[k]!.name, buffers[k]!);
    kept.frame = this.#residency.peek(kept.grid.block('position'))?.frame ?? null;
  }

  #fits(kept: Kept, { grid }: CellCall, { blocks }: CellProgram): boolean {
    if (kept.calls.length === MOST_JOINED || kept.grid !== grid) return false;
    let bindings = kept.buffers.size + 3;
    for (const { name, written } of blocks) {
      // Motion is noted behind all calls of a kernel.
      if (kept.motion && written && name === 'position') return false;
      if (!kept.buffers.has(name)) bindings++;
    }
    return bindings <= this.#gpu.limits.maxStorageBuffersPerShaderStage;
  }

  #record(): void {
    const kept = this.#kept;
    this.#kept = null;
    const { stream, accounts } = this.#gpu;
    stream.keepBack(null);
    if (!kept || kept.grid.count === 0 || (kept.calls.length === 0 && !kept.motion)) return;
    const { grid, calls, motion, frame } = kept;
    let node = this.#programs;
    for (const call of calls) node = this.#next(node, call);
    const program = this.#program(node, calls, grid, motion !== null);
    const { values } = program;
    const buffers: GPUBuffer[] = [];
    for (const { name } of program.blocks) buffers.push(kept.buffers.get(name));
    values.count = grid.count;
    for (let k = 0; k < calls.length; k++) {
      const { functor, params } = calls[k]!;
      const tables = program.tables[k]!;
      if (program.params[k] !== params) tables.put(params, values);
      program.params[k] = params;
      if (tables.hasTables) buffers.push(tables.buffer(this.#gpu, functor.name, params));
    }
    if ((program.usesFrame || motion) && program.frame !== frame) {
      Object.assign(values, frameValues(frame!));
      program.frame = frame;
    }
    if (motion) {
      buffers.push(...motion.buffers);
      Object.assign(values, motion.values);
    }
    const present = this.#gpu.operator;
    if (accounts && kept.operators.size > 0) this.#gpu.operator = [...kept.operators].join(' + ');
    stream.dispatchThreads(program.kernel, buffers, values, grid.count);
    this.#gpu.operator = present;
  }

  /** The programs of the calls so far and one more. */
  #next(node: ProgramNode, { functor, grid }: CellCall): ProgramNode {
    const id = this.#idOf(functor, grid);
    let next = node.next.get(id);
    if (!next) {
      next = newNode();
      node.next.set(id, next);
    }
    return next;
  }

  #program(
    node: ProgramNode,
    calls: readonly CellCall[],
    grid: Grid,
    motion: boolean,
  ): CellProgram {
    const present = motion ? node.withMotion : node.program;
    if (present) return present;
    const { source, tables, blocks, usesFrame } = cellKernel(
      calls.map(({ functor }) => functor),
      grid,
      motion,
      false,
      this.#gpu.reals.state,
    );
    const kernel = this.#gpu.kernel(source);
    const cache = { values: {}, params: [], frame: null };
    const program: CellProgram = { kernel, tables, blocks, usesFrame, ...cache };
    if (motion) node.withMotion = program;
    else node.program = program;
    return program;
  }

  /** A number for a functor and the layout of the fields it uses; quick, because every call asks. */
  #idOf(functor: Functor, grid: Grid): number {
    let known = this.#ids.get(functor);
    if (known && known.blocks === grid.blocks.size && known.grid.deref() === grid) return known.id;
    const key = layoutKey(grid, Object.keys(functor.ir!.roles.i ?? {}));
    const byLayout = known?.byLayout ?? new Map<string, number>();
    let id = byLayout.get(key);
    if (id === undefined) {
      id = this.#nextId++;
      if (id % MOST_PROGRAMS === MOST_PROGRAMS - 1) this.#programs = newNode();
      byLayout.set(key, id);
    }
    known = { grid: new WeakRef(grid), blocks: grid.blocks.size, id, byLayout };
    this.#ids.set(functor, known);
    return id;
  }
}
