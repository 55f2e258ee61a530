import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { CellCall, ParameterValues } from '../../pattern/PatternEngine.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { UsedBlocks } from './BoundBlocks.js';
import type { FunctorTables } from './FunctorTables.js';
import { layoutKey } from './ParticleAccess.js';
import type { PreparedParams } from './PreparedParams.js';

/** A kernel that runs cell calls one after the other, alone or behind a pair call. */
export interface CellProgram {
  readonly kernel: GpuKernel;
  /** One for each functor. */
  readonly tables: readonly FunctorTables[];
  readonly blocks: UsedBlocks;
  readonly usesFrame: boolean;
  /** Whether it writes positions. */
  readonly moves: boolean;
  /** Parameters of the kernel, and what they were last made from. */
  readonly values: Record<string, number | readonly number[]>;
  readonly params: ParameterValues[];
  frame: PositionFrame | null;
  /** Which parameters of the pair call before them `values` holds. */
  version: number;
  /** The same as the kernel wants them, behind a pair call; made on first need. */
  prepared: PreparedParams | null;
  /** The frame in whose cells it bins particles, if it does. */
  binFrame: PositionFrame | null;
}

/** What a program does besides its calls. With `bin`, motion is noted too. */
export type Ending = 'plain' | 'motion' | 'bin';

/** Programs by the calls they join, one after the other. */
export interface ProgramNode {
  readonly next: Map<number, ProgramNode>;
  /** How often these calls have followed a pair call, and whether they may share its kernel; null if nobody knows yet. */
  seen: number;
  fuses: boolean | null;
  program: CellProgram | null;
  withMotion: CellProgram | null;
  withBin: CellProgram | null;
  /** How often a sort has followed the calls, and whether its first step may be part of their kernel. */
  sorted: number;
  bins: boolean | null;
}

export const newNode = (): ProgramNode => ({
  next: new Map(),
  seen: 0,
  fuses: null,
  program: null,
  withMotion: null,
  withBin: null,
  sorted: 0,
  bins: null,
});

/** The program of a node, if it has been made. */
export function madeProgram(node: ProgramNode, ending: Ending): CellProgram | null {
  if (ending === 'plain') return node.program;
  return ending === 'motion' ? node.withMotion : node.withBin;
}

/** What a program is made of. */
export type ProgramParts = Pick<CellProgram, 'kernel' | 'tables' | 'blocks' | 'usesFrame'>;

/** Makes the program of a node. */
export function addProgram(node: ProgramNode, ending: Ending, made: ProgramParts): CellProgram {
  const moves = made.blocks.some(({ name, written }) => written && name === 'position');
  const program: CellProgram = {
    ...made,
    moves,
    values: {},
    params: [],
    frame: null,
    version: -1,
    prepared: null,
    binFrame: null,
  };
  if (ending === 'plain') node.program = program;
  else if (ending === 'motion') node.withMotion = program;
  else node.withBin = program;
  return program;
}

interface KnownFunctor {
  /** The number on a grid as it was when it had so many blocks; other grids may have another layout. */
  readonly onGrid: WeakMap<Grid, { readonly blocks: number; readonly id: number }>;
  readonly byLayout: Map<string, number>;
}

/** Functors that are garbage leave programs behind; beyond this number all are forgotten. */
const MOST_PROGRAMS = 4096;

/** Finds the programs of calls that follow each other. */
export class CellPrograms {
  root = newNode();
  readonly #ids = new WeakMap<Functor, KnownFunctor>();
  #nextId = 0;

  /** The programs of the calls so far and one more. */
  next(node: ProgramNode, { functor, grid }: CellCall): ProgramNode {
    const id = this.#idOf(functor, grid);
    let next = node.next.get(id);
    if (!next) {
      next = newNode();
      node.next.set(id, next);
    }
    return next;
  }

  /** The programs of some calls, from a root on. */
  find(root: ProgramNode, calls: readonly CellCall[]): ProgramNode {
    let node = root;
    for (let k = 0; k < calls.length; k++) node = this.next(node, calls[k]!);
    return node;
  }

  /** A number for a functor and the layout of the fields it uses; quick, because every call asks. */
  #idOf(functor: Functor, grid: Grid): number {
    let known = this.#ids.get(functor);
    const present = known?.onGrid.get(grid);
    if (present?.blocks === grid.blocks.size) return present.id;
    known ??= { onGrid: new WeakMap(), byLayout: new Map() };
    this.#ids.set(functor, known);
    const { onGrid, byLayout } = known;
    const key = layoutKey(grid, Object.keys(functor.ir!.roles.i ?? {}));
    let id = byLayout.get(key);
    if (id === undefined) {
      id = this.#nextId++;
      if (id % MOST_PROGRAMS === MOST_PROGRAMS - 1) this.root = newNode();
      byLayout.set(key, id);
    }
    onGrid.set(grid, { blocks: grid.blocks.size, id });
    return id;
  }
}
