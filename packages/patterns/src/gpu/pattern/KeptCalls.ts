import type { Grid } from '@corpuscle/core';
import type { CellCall } from '../../pattern/PatternEngine.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { BinTarget } from '../sort/Binning.js';
import type { BoundBlocks } from './BoundBlocks.js';
import type { Ending, ProgramNode } from './cellPrograms.js';
import { NamedBuffers } from './NamedBuffers.js';
import type { PairDispatch } from './PairDispatch.js';
import type { MotionValues } from './PreparedParams.js';

/** Where a kernel shall note how far particles have moved. */
export interface MotionTarget {
  /** What `motionText` binds, and values of its parameters. */
  readonly buffers: readonly GPUBuffer[];
  readonly values: MotionValues;
}

/** Cell calls on one grid that may still be joined by others, and what they work on. Cleared and filled many times. */
export class KeptCalls {
  readonly grid: Grid;
  /** Buffers of blocks as they were when the calls were made. */
  readonly buffers = new NamedBuffers();
  readonly calls: CellCall[] = [];
  /** The blocks of each. */
  readonly bounds: BoundBlocks[] = [];
  /** Operators that made them, where there are accounts. */
  readonly operators = new Set<string>();
  motion: MotionTarget | null = null;
  /** Where their kernel, which notes motion too, bins the particles for a sort. */
  bin: BinTarget | null = null;
  frame: PositionFrame | null = null;
  /** The pair call before them, which is kept back too, and whether they are part of its kernel. */
  lead: PairDispatch | null = null;
  fused = false;
  /** The programs of the calls up to each of them, behind those of the pair call if there is one. */
  readonly #path: ProgramNode[] = [];

  constructor(grid: Grid) {
    this.grid = grid;
  }

  /** What their kernel does besides. */
  get ending(): Ending {
    if (this.bin) return 'bin';
    return this.motion ? 'motion' : 'plain';
  }

  /** The programs of all calls, behind those of the pair call; null when there are none. */
  get node(): ProgramNode | null {
    const path = this.#path; // an element before the first would be looked up as a name, which is slow
    return path.length > 0 ? path[path.length - 1]! : null;
  }

  add(call: CellCall, bound: BoundBlocks, node: ProgramNode): void {
    this.calls.push(call);
    this.bounds.push(bound);
    this.#path.push(node);
  }

  dropLast(): void {
    this.calls.pop();
    this.bounds.pop();
    this.#path.pop();
  }

  clear(): void {
    while (this.calls.length > 0) this.dropLast(); // arrays keep their room
    if (this.operators.size > 0) this.operators.clear();
    this.buffers.clear();
    this.motion = null;
    this.bin = null;
    this.lead = null;
    this.fused = false;
  }
}
