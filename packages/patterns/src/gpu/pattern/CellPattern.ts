import type { Grid } from '@corpuscle/core';
import type { Functor } from '../../functor/Functor.js';
import type { CellCall } from '../../pattern/PatternEngine.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import { type CellKernelText, cellKernel } from './cellKernel.js';
import {
  layoutKey,
  noteWritten,
  ParticleAccess,
  particleBuffers,
  positionBlocks,
} from './ParticleAccess.js';

/** Functors joined at most; bounds the number of different kernels and the parameters of one. */
const MOST_JOINED = 6;

/** Where a kernel shall note how far particles have moved. */
export interface MotionTarget {
  /** Positions at the last build. */
  readonly reference: GPUBuffer;
  readonly records: GPUBuffer;
  readonly slot: number;
}

/** Calls that may still be joined by others, and what they work on. */
interface Kept {
  readonly grid: Grid;
  readonly buffers: Map<string, GPUBuffer>;
  calls: CellCall[];
  /** Operators that made them. */
  readonly operators: Set<string>;
  motion: MotionTarget | null;
  frame: PositionFrame | null;
}

type CellProgram = Omit<CellKernelText, 'source'> & { readonly kernel: GpuKernel };

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

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
  }

  run(call: CellCall): void {
    const { functor, grid } = call;
    if (grid.count === 0) return;
    // Compiled by itself too, so that what is wrong with a functor is said by its own call.
    const program = this.#program([functor], grid, false);
    const joins = !program.tables[0]!.hasTables && !functor.spec.wgsl;
    if (this.#kept && !(joins && this.#fits(this.#kept, call, program))) this.#record();
    const kept = this.#keep(grid);
    this.#take(kept, program.blocks);
    kept.calls.push({ ...call, params: { ...call.params } });
    kept.operators.add(this.#gpu.operator);
    noteWritten(grid, this.#residency, program.blocks);
    if (!joins) this.#record();
  }

  /** Notes how far the particles have moved, in the same kernel as the calls just before. */
  noteMotion(grid: Grid, target: MotionTarget): void {
    if (this.#kept && this.#kept.grid !== grid) this.#record();
    const kept = this.#keep(grid);
    this.#take(kept, positionBlocks(this.#gpu.reals.state));
    kept.motion = target;
    kept.operators.add(this.#gpu.operator);
  }

  #keep(grid: Grid): Kept {
    if (this.#kept?.grid === grid) return this.#kept;
    const kept: Kept = {
      grid,
      frame: null,
      calls: [],
      operators: new Set(),
      buffers: new Map(),
      motion: null,
    };
    this.#gpu.stream.keepBack(() => this.#record());
    this.#kept = kept;
    return kept;
  }

  /** Buffers are those of now: what the host writes after a call must not reach it. */
  #take(kept: Kept, blocks: readonly { name: string }[]): void {
    const { buffers } = particleBuffers(kept.grid, this.#residency, blocks);
    if (this.#kept !== kept) {
      // An upload has recorded what was kept.
      kept.calls = [];
      kept.operators.clear();
      kept.motion = null;
      kept.buffers.clear();
      this.#kept = kept;
      this.#gpu.stream.keepBack(() => this.#record());
    }
    blocks.forEach(({ name }, k) => {
      kept.buffers.set(name, buffers[k]!);
    });
    kept.frame = this.#residency.peek(kept.grid.block('position'))?.frame ?? null;
  }

  #fits(kept: Kept, { grid }: CellCall, program: CellProgram): boolean {
    if (kept.calls.length === MOST_JOINED || kept.grid !== grid) return false;
    // Motion is noted behind all calls of a kernel.
    if (kept.motion && program.blocks.some(({ name, written }) => written && name === 'position'))
      return false;
    const names = new Set([...kept.buffers.keys(), ...program.blocks.map(({ name }) => name)]);
    return names.size + 3 <= this.#gpu.device.limits.maxStorageBuffersPerShaderStage;
  }

  #record(): void {
    const kept = this.#kept;
    this.#kept = null;
    this.#gpu.stream.keepBack(null);
    if (!kept || kept.grid.count === 0 || (kept.calls.length === 0 && !kept.motion)) return;
    const { grid, calls, motion, frame } = kept;
    const program = this.#program(
      calls.map((call) => call.functor),
      grid,
      motion !== null,
    );
    const buffers = program.blocks.map(({ name }) => kept.buffers.get(name)!);
    const values: Record<string, number | readonly number[]> = { count: grid.count };
    calls.forEach(({ functor, params }, k) => {
      const tables = program.tables[k]!;
      Object.assign(values, tables.values(params));
      if (tables.hasTables) buffers.push(tables.buffer(this.#gpu, functor.name, params));
    });
    if (program.usesFrame) Object.assign(values, ParticleAccess.frameValues(frame!));
    if (motion) {
      buffers.push(motion.reference, motion.records);
      Object.assign(values, frameValues(frame!), { slot: motion.slot });
    }
    const names = this.#gpu.accounts ? [...kept.operators].join(' + ') : this.#gpu.operator;
    this.#gpu.inNameOf(names, () => {
      this.#gpu.stream.dispatchThreads(program.kernel, buffers, values, grid.count);
    });
  }

  #program(functors: readonly Functor<'cell'>[], grid: Grid, motion: boolean): CellProgram {
    let node = this.#programs;
    for (const functor of functors) {
      const id = this.#idOf(functor, grid);
      let next = node.next.get(id);
      if (!next) {
        next = newNode();
        node.next.set(id, next);
      }
      node = next;
    }
    const present = motion ? node.withMotion : node.program;
    if (present) return present;
    const { source, tables, blocks, usesFrame } = cellKernel(
      functors,
      grid,
      motion,
      false,
      this.#gpu.reals.state,
    );
    const program = { kernel: this.#gpu.kernel(source), tables, blocks, usesFrame };
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
