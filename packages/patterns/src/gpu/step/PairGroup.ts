import { type Grid, imageFlags } from '@corpuscle/core';
import type { CallArguments, ParameterValues } from '../../plan/calls.js';
import type { DeviceCells } from '../calls/DeviceCells.js';
import type { DevicePairs } from '../calls/DevicePairs.js';
import type { DeviceReduction } from '../calls/DeviceReduction.js';
import type { PairDispatch } from '../calls/PairDispatch.js';
import type { PairProgram } from '../calls/PairPrograms.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import { boundBlocks } from '../pattern/BoundBlocks.js';
import type { FoldedSums } from '../pattern/FoldedSums.js';
import type { FusedCells } from '../pattern/fusedCells.js';
import type { Residency } from '../residency/Residency.js';
import type { BinTarget } from '../sort/Binning.js';
import { FollowedPairs } from './FollowedPairs.js';

/** A pair call with its arguments. */
export interface LeadingPairs {
  readonly call: DevicePairs;
  readonly args: CallArguments;
  /** Blocks that a call before it would clear. */
  readonly zeroed: ReadonlySet<string>;
}

/** A cell call with its arguments. */
export interface JoinedCall {
  readonly call: DeviceCells;
  readonly args: CallArguments;
}

/** A reduction into values, with its arguments. */
export interface FoldedCall {
  readonly call: DeviceReduction;
  readonly args: CallArguments;
}

/** What a pair call is followed by. */
export interface PairFollowers {
  readonly cells: readonly JoinedCall[];
  readonly reductions: readonly FoldedCall[];
  readonly sums: FoldedSums | null;
  /** Whether displacements are noted at its end. */
  readonly notes: boolean;
}

/** A group that has been begun: the pair call is captured, and nothing is recorded yet. */
export interface BegunGroup {
  readonly dispatch: PairDispatch;
  readonly program: PairProgram;
}

/**
 * A pair call and the cell calls and reductions that follow it, as one kernel: these find the forces in registers. Positions go to
 * the second buffer, since other threads still read the old ones.
 */
export class PairGroup {
  readonly #residency: Residency;
  readonly #grid: Grid;
  readonly #lead: LeadingPairs;
  readonly #params: readonly ParameterValues[];
  readonly #moves: boolean;
  readonly #functors: Pick<FusedCells, 'functors' | 'sums'>;
  readonly #notes: boolean;
  /** Where reductions leave what they find; null without any. */
  readonly #sums: FoldedSums | null;
  #program: PairProgram | null = null;
  #followed: FollowedPairs | null = null;
  /** Undefined until it is asked for. */
  #binning: FollowedPairs | null | undefined = undefined;
  /** Whether that counts in image flags. */
  #hasImages = false;

  constructor(
    residency: Residency,
    lead: LeadingPairs,
    { cells, reductions, sums, notes }: PairFollowers,
  ) {
    this.#residency = residency;
    this.#grid = lead.call.grid;
    this.#lead = lead;
    this.#params = [...cells, ...reductions].map(({ args }) => args.params);
    this.#functors = {
      functors: cells.map(({ call }) => call.functor),
      sums: reductions.map(({ call }) => call.functor),
    };
    this.#sums = sums;
    this.#moves = cells.some(({ call }) => call.alone.moves);
    this.#notes = notes;
  }

  /** Captures the pair call. Whatever is recorded before the rest finds it as it is now. */
  begin(): BegunGroup {
    const { call, args, zeroed } = this.#lead;
    const position = this.#residency.ensurePositions(this.#grid);
    if (this.#moves) position.padSpare();
    const { program } = call.bind(args, zeroed);
    if (program !== this.#program) {
      this.#program = program;
      this.#followed = null;
      this.#binning = undefined;
    }
    return { dispatch: call.capture(args, zeroed), program };
  }

  /** Whether its kernel may bin particles too. */
  get mayBin(): boolean {
    const hasImages = this.#grid.blocks.has(imageFlags.name);
    if (this.#binning === undefined || this.#hasImages !== hasImages) {
      this.#hasImages = hasImages;
      this.#binning = this.#moves ? this.#make(true) : null;
    }
    return this.#binning !== null;
  }

  /**
   * Moves on to what the kernel leaves: its blocks count as written.
   * @returns what records it; until then it may be told to bin.
   */
  finish(
    { dispatch }: BegunGroup,
    displacements: DisplacementTarget | null,
  ): (bin: BinTarget | null) => void {
    this.#followed ??= this.#make(false)!;
    const bound = boundBlocks(this.#grid, this.#residency, this.#followed.blocks);
    const blocks = bound.buffers();
    if (this.#moves) this.#residency.ensurePositions(this.#grid).swap();
    bound.written();
    return (bin) => {
      const followed = bin ? this.#binning! : this.#followed!;
      followed.putCells(this.#params, this.#grid.count);
      if (bin) followed.putBinFrame(bin.frame);
      dispatch.recordWith(followed, blocks, displacements, bin, this.#sums);
    };
  }

  #make(bin: boolean): FollowedPairs | null {
    const { extend, lanes } = this.#program!;
    const ending = { notes: this.#notes, bin };
    const functors = { ...this.#functors, ...ending, images: this.#hasImages };
    const made = extend!(functors, this.#grid);
    return made && new FollowedPairs(made, lanes, ending);
  }
}
