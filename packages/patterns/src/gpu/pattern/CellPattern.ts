import type { Grid } from '@corpuscle/core';
import type { CellCall } from '../../pattern/PatternEngine.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { motionText } from '../neighbours/motionText.js';
import type { Residency } from '../residency/Residency.js';
import type { BinTarget } from '../sort/Binning.js';
import { binFrameValues } from '../sort/binKernel.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import { type BoundBlocks, boundBlocks, type UsedBlocks } from './BoundBlocks.js';
import { cellKernel } from './cellKernel.js';
import {
  addProgram,
  type CellProgram,
  CellPrograms,
  type Ending,
  madeProgram,
  type ProgramNode,
} from './cellPrograms.js';
import { KeptCalls, type MotionTarget } from './KeptCalls.js';
import type { NamedBuffers } from './NamedBuffers.js';
import { mayExtend, type PairDispatch } from './PairDispatch.js';
import { NEXT, positionBlocks } from './ParticleAccess.js';
import { NOTHING, zeroedBlocks } from './zeroedBlocks.js';

/** Functors joined at most; bounds the number of different kernels and the parameters of one. */
const MOST_JOINED = 6;

/** How often calls must have followed a pair call before they become part of its kernel: short runs need not compile it. */
const OFTEN = 4;

/**
 * Cell functors on the device: one thread a particle. Calls that follow each other on one grid are kept back and become
 * one kernel: what works on a particle alone need not be stored and loaded in between.
 */
export class CellPattern {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #programs = new CellPrograms();
  #kept: KeptCalls | null = null;
  /** What was kept before: a step keeps calls two or three times. */
  readonly #known = new WeakMap<Grid, KeptCalls>();
  /** What a kernel binds, filled anew for each. */
  readonly #bound: GPUBuffer[] = [];
  /** The joined kernel with a note of motion that was recorded last, and commands when motion was noted last. */
  #recorded: ProgramNode | null = null;
  #commands = 0;
  /** Whether the calls between the last two notes of motion did nothing but record what the first found kept back, and left the same. */
  isSteady = false;
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
    const node = this.#programs.next(this.#programs.root, call);
    const program = node.program ?? this.#program(node, [call], grid, 'plain');
    const joins = !program.tables[0]!.hasTables && !functor.spec.wgsl;
    if (this.#kept && !(joins && this.#fits(this.#kept, call, program))) this.#record();
    const bound = boundBlocks(grid, this.#residency, program.blocks);
    if (program.moves) this.#maybeFuse(call, bound);
    const kept = this.#keep(grid);
    this.#take(kept, program.blocks, bound);
    kept.add(call, bound, this.#nextOf(kept, call));
    if (this.#gpu.accounts) kept.operators.add(this.#gpu.operator);
    bound.written();
    if (!joins) this.#record();
  }

  /** Records what is kept back. */
  settle(): void {
    this.#record();
  }

  /** Keeps a pair call back, which cell calls may follow in its kernel. */
  lead(call: PairDispatch): void {
    const kept = this.#keep(call.grid);
    kept.lead = call;
    if (this.#gpu.accounts) kept.operators.add(this.#gpu.operator);
  }

  /** Notes how far the particles have moved, in the same kernel as the calls just before. */
  noteMotion(grid: Grid, target: MotionTarget): void {
    if (this.#kept && this.#kept.grid !== grid) this.#record();
    const kept = this.#keep(grid);
    const blocks = positionBlocks(this.#gpu.reals.state);
    this.#take(kept, blocks, boundBlocks(grid, this.#residency, blocks));
    kept.motion = target;
    if (this.#gpu.accounts) kept.operators.add(this.#gpu.operator);
    const { commands } = this.#gpu.stream;
    const steadyAt = kept.lead ? this.#commands + kept.lead.kernels : Number.NaN;
    this.isSteady = commands === steadyAt && this.#recorded === kept.node;
    this.#commands = commands;
  }

  /**
   * Bins particles for a sort in the kernel that is kept back, if that is one kernel that moves them and notes how far, and
   * has been followed by a sort often enough for another kernel to pay.
   * @returns whether it will.
   */
  bin(grid: Grid, target: BinTarget): boolean {
    const kept = this.#kept;
    if (!kept?.fused || kept.grid !== grid || !kept.motion || kept.frame !== target.frame)
      return false;
    const node = kept.node!;
    if (++node.sorted < OFTEN) return false;
    node.bins ??= this.#programBehind(kept, 'bin') !== null;
    if (node.bins) kept.bin = target;
    return node.bins;
  }

  /**
   * What is kept back of a grid, if it is one kernel of a whole step, which `repeat` can make again; null otherwise. All its
   * calls have been made since anybody looked, for to look records what is kept back: the device's copies of what they write
   * count as the newest while they are held back again.
   */
  wholeStep(grid: Grid): ProgramNode | null {
    const kept = this.#kept;
    return kept?.grid === grid && kept.fused ? kept.node : null;
  }

  /**
   * Records the step that is kept back, and keeps it back once more: as if its calls had been made again.
   * @param motion where the new one notes how far particles have moved, if it does.
   */
  repeat(motion: MotionTarget | null): void {
    const kept = this.#kept!;
    const { grid, lead, bounds, buffers } = kept;
    this.#record();
    lead!.again();
    const position = this.#residency.ensurePositions(grid);
    position.padSpare();
    position.swap();
    buffers.put('position', position.buffer);
    for (let k = 0; k < bounds.length; k++) bounds[k]!.written();
    kept.motion = motion;
    this.#kept = kept;
    this.#gpu.stream.keepBack(this.#recordKept);
  }

  /** The blocks that the call made last, not recorded yet, fills with zeros, if that is all it does. */
  zeroing(grid: Grid): ReadonlySet<string> {
    const kept = this.#kept;
    const last = kept?.calls.at(-1);
    return last && kept!.grid === grid ? zeroedBlocks(last.functor, grid) : NOTHING;
  }

  /** Takes that call back, because the blocks are about to be overwritten. */
  dropZeroing(grid: Grid): void {
    if (this.zeroing(grid).size === 0) return;
    this.#kept!.dropLast();
  }

  #keep(grid: Grid): KeptCalls {
    if (this.#kept?.grid === grid) return this.#kept;
    let kept = this.#known.get(grid);
    if (!kept) {
      kept = new KeptCalls(grid);
      this.#known.set(grid, kept);
    }
    this.#begin(kept);
    return kept;
  }

  #begin(kept: KeptCalls): void {
    kept.clear();
    this.#kept = kept;
    this.#gpu.stream.keepBack(this.#recordKept);
  }

  /** Buffers are those of now: what the host writes after a call must not reach it. */
  #take(kept: KeptCalls, blocks: UsedBlocks, bound: BoundBlocks): void {
    const buffers = bound.buffers();
    if (this.#kept !== kept) this.#begin(kept); // an upload has recorded what was kept
    for (let k = 0; k < blocks.length; k++) kept.buffers.put(blocks[k]!.name, buffers[k]!);
    kept.frame = this.#residency.peek(kept.grid.block('position'))?.frame ?? null;
  }

  #fits(kept: KeptCalls, call: CellCall, program: CellProgram): boolean {
    if (kept.calls.length === MOST_JOINED || kept.grid !== call.grid) return false;
    // Motion is noted behind all calls of a kernel.
    if (kept.motion && program.moves) return false;
    if (kept.fused) return this.#fuses(kept, this.#nextOf(kept, call), call);
    let bindings = kept.buffers.size + motionText.buffers.length + 1;
    for (const { name } of program.blocks) if (!kept.buffers.has(name)) bindings++;
    return bindings <= this.#gpu.limits.maxStorageBuffersPerShaderStage;
  }

  /** The programs of all that is kept and one more call. */
  #nextOf({ node, lead }: KeptCalls, call: CellCall): ProgramNode {
    const root = lead ? lead.followers : this.#programs.root;
    return this.#programs.next(node ?? root, call);
  }

  /**
   * A call that moves particles, after others that follow a pair call: if they have followed each other often enough for a
   * kernel to pay, all are one from here on, and positions change buffers.
   */
  #maybeFuse(call: CellCall, bound: BoundBlocks): void {
    const kept = this.#kept;
    if (!kept?.lead || kept.fused) return;
    const node = this.#nextOf(kept, call);
    if (++node.seen < OFTEN || !this.#fuses(kept, node, call)) return;
    // An upload, or a copy of padding, records what is kept, and there is nothing to join.
    bound.buffers();
    const position = this.#residency.ensurePositions(kept.grid);
    position.padSpare();
    if (this.#kept !== kept) return;
    position.swap();
    kept.fused = true;
  }

  /** Whether the calls that are kept and one more may be part of the kernel of the pair call before them. */
  #fuses({ lead, calls }: KeptCalls, node: ProgramNode, call: CellCall): boolean {
    node.fuses ??= mayExtend(
      lead!.parts,
      [...calls, call].map((each) => this.#programs.next(this.#programs.root, each).program!),
      this.#gpu.limits.maxStorageBuffersPerShaderStage - lead!.otherBindings,
    );
    return node.fuses;
  }

  #record(): void {
    const kept = this.#kept;
    this.#kept = null;
    const { stream, accounts } = this.#gpu;
    stream.keepBack(null);
    if (kept?.lead && !kept.fused) kept.lead.record();
    if (!kept || kept.grid.count === 0 || (kept.calls.length === 0 && !kept.motion)) return;
    const { grid, calls, motion, bin, frame, ending } = kept;
    const lead = kept.fused ? kept.lead : null;
    const node = kept.lead && !lead ? this.#alone(calls) : (kept.node ?? this.#programs.root);
    this.#recorded = lead && motion ? node : null;
    const program =
      madeProgram(node, ending) ??
      (lead ? this.#programBehind(kept, ending)! : this.#program(node, calls, grid, ending));
    const { values } = program;
    const buffers = this.#bound;
    while (buffers.length > program.blocks.length) buffers.pop();
    for (let k = 0; k < program.blocks.length; k++)
      buffers[k] = bufferOf(program.blocks[k]!.name, kept.buffers, lead);
    if (values.count !== grid.count) outdate(program);
    values.count = grid.count;
    for (let k = 0; k < calls.length; k++) {
      const { functor, params } = calls[k]!;
      const tables = program.tables[k]!;
      if (program.params[k] !== params) {
        tables.put(params, values);
        program.params[k] = params;
        outdate(program);
      }
      if (tables.hasTables) buffers.push(tables.buffer(this.#gpu, functor.name, params));
    }
    if ((program.usesFrame || motion) && program.frame !== frame) {
      Object.assign(values, frameValues(frame!));
      program.frame = frame;
      outdate(program);
    }
    if (bin && program.binFrame !== bin.frame) {
      Object.assign(values, binFrameValues(bin.frame));
      program.binFrame = bin.frame;
      outdate(program);
    }
    const present = this.#gpu.operator;
    if (accounts && kept.operators.size > 0) this.#gpu.operator = [...kept.operators].join(' + ');
    if (lead) lead.recordWith(program, buffers, motion, bin);
    else {
      if (motion) Object.assign(values, motion.values);
      if (motion) buffers.push(...motion.buffers);
      stream.dispatchThreads(program.kernel, buffers, values, grid.count);
    }
    this.#gpu.operator = present;
  }

  /** Where programs of calls are that follow a pair call and have a kernel of their own. */
  #alone(calls: readonly CellCall[]): ProgramNode {
    return this.#programs.find(this.#programs.root, calls);
  }

  /** The kernel of some cell calls alone. */
  #program(node: ProgramNode, calls: readonly CellCall[], grid: Grid, ending: Ending): CellProgram {
    const functors = calls.map(({ functor }) => functor);
    const { state } = this.#gpu.reals;
    const { source, ...rest } = cellKernel(functors, grid, ending === 'motion', false, state);
    return addProgram(node, ending, { ...rest, kernel: this.#gpu.kernel(source) });
  }

  /** The kernel of a pair call and the cell calls behind it; null if it shall bin too and that is too much. */
  #programBehind({ node, calls, lead }: KeptCalls, ending: Ending): CellProgram | null {
    const functors = calls.map(({ functor }) => functor);
    const bin = ending === 'bin';
    const made = lead!.parts.extend!({ functors, motion: bin || ending === 'motion', bin });
    return made && addProgram(node!, ending, { ...made, usesFrame: false });
  }
}

/** Values of a program have changed. */
function outdate({ prepared }: CellProgram): void {
  if (prepared) prepared.isCurrent = false;
}

/** The buffer that a kernel sees under a block's name; behind a pair call, positions are those before and the next. */
function bufferOf(name: string, kept: NamedBuffers, lead: PairDispatch | null): GPUBuffer {
  if (lead && name === 'position') return lead.buffer(name)!;
  if (name === NEXT) return kept.get('position');
  return kept.has(name) ? kept.get(name) : lead!.buffer(name)!;
}
