import { type Grid, imageFlags } from '@corpuscle/core';
import type { ParameterValues } from '../../plan/calls.js';
import type { SweepBinding } from '../allPairs/DeviceSweep.js';
import type { SweepParts } from '../allPairs/sweepPart.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { BoundPairs } from '../calls/DevicePairs.js';
import type { StepCallOf } from '../calls/GpuCall.js';
import { PairKernel } from '../calls/PairKernel.js';
import type { PairProgram } from '../calls/PairPrograms.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import { boundBlocks } from '../pattern/BoundBlocks.js';
import type { FusedCells } from '../pattern/followingPart.js';
import type { PartialSums } from '../pattern/PartialSums.js';
import type { BinTarget } from '../sort/Binning.js';
import type { Group } from './groupsOf.js';

/** A pair call with its arguments. */
export interface LeadingPairs extends StepCallOf<'pairs'> {
  /** Blocks that a call before it would clear. */
  readonly zeroed: ReadonlySet<string>;
}

/**
 * A pair call and the cell calls and reductions that follow it, as one kernel: these find the forces in registers. Positions go to
 * the second buffer, since other threads still read the old ones.
 */
export class PairGroup {
  readonly #runner: CallRunner;
  readonly #grid: Grid;
  readonly #lead: LeadingPairs;
  readonly #given: readonly ParameterValues[];
  readonly #moves: boolean;
  readonly #functors: Pick<FusedCells, 'functors' | 'sums'>;
  readonly #sweep: StepCallOf<'sweep'> | null;
  readonly #notes: boolean;
  /** Where reductions leave what they find; null without any. */
  readonly #sums: PartialSums | null;
  #program: PairProgram | null = null;
  #sweepParts: SweepParts | null = null;
  #kernel: PairKernel | null = null;
  /** The kernel that bins particles too; undefined until it is asked for. */
  #binning: PairKernel | null | undefined = undefined;
  /** Whether that counts in image flags. */
  #hasImages = false;

  /** @param group the calls that follow. @param sums where totals and reductions leave what they find */
  constructor(
    runner: CallRunner,
    lead: LeadingPairs,
    { cells, reductions, sweep, lists }: Group,
    sums: PartialSums | null,
  ) {
    this.#runner = runner;
    this.#grid = lead.call.grid;
    this.#lead = lead;
    this.#given = [...cells, ...reductions].map(({ args }) => args.params);
    this.#functors = {
      functors: cells.map(({ call }) => call.functor),
      sums: reductions.map(({ call }) => call.functor),
    };
    this.#sweep = sweep;
    this.#sums = sums;
    this.#moves = cells.some(({ call }) => call.alone.moves);
    this.#notes = lists !== null;
  }

  /** Captures the pair call. Whatever is recorded before the rest finds it as it is now. */
  begin(): BoundPairs {
    const { call, args, zeroed } = this.#lead;
    const position = this.#runner.residency.ensurePositions(this.#grid);
    if (this.#moves) position.padSpare();
    const pairs = call.capture(args, zeroed);
    const swept = this.#swept?.parts ?? null;
    if (pairs.program !== this.#program || swept !== this.#sweepParts) {
      this.#program = pairs.program;
      this.#sweepParts = swept;
      this.#kernel = null;
      this.#binning = undefined;
    }
    return pairs;
  }

  /** The sweep as things are. */
  get #swept(): SweepBinding | null {
    return this.#sweep?.call.bind(this.#sweep.args.params) ?? null;
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
    pairs: BoundPairs,
    displacements: DisplacementTarget | null,
  ): (bin: BinTarget | null) => void {
    this.#kernel ??= this.#make(false)!;
    const bound = boundBlocks(this.#grid, this.#runner.residency, this.#kernel.blocks);
    const blocks = bound.buffers();
    if (this.#moves) this.#runner.residency.ensurePositions(this.#grid).swap();
    bound.written();
    const swept = this.#swept;
    return (bin) => {
      const kernel = bin ? this.#binning! : this.#kernel!;
      const sweep = swept?.values ?? null;
      const end = { given: this.#given, sweep, blocks, displacements, bin, sums: this.#sums };
      kernel.record(pairs, this.#grid.count, end);
    };
  }

  #make(bin: boolean): PairKernel | null {
    const program = this.#program!;
    const ending = {
      ...this.#functors,
      sweep: this.#sweepParts,
      notes: this.#notes,
      bin,
      images: this.#hasImages,
    };
    const made = program.extend!(ending, this.#grid);
    return made && new PairKernel(this.#runner.gpu, program, this.#lead.call.rcut, made);
  }
}
