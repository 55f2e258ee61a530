import type { Grid } from '@corpuscle/core';
import type { SweepParts } from '../allPairs/sweepPart.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { StepCallOf } from '../calls/GpuCall.js';
import { type BoundPairs, type PairExtras, PairKernel } from '../calls/PairKernel.js';
import type { PairProgram } from '../calls/PairPrograms.js';
import type { FusedCells } from '../kernels/followingPart.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import { boundBlocks } from '../pattern/BoundBlocks.js';
import type { PartialSums } from '../pattern/PartialSums.js';
import type { BinTarget } from '../sort/Binning.js';
import type { Group } from './groupsOf.js';

/** A pair call with its arguments. */
export interface FusedPairs extends StepCallOf<'pairs'> {
  /** Blocks that a call before it would clear. */
  readonly zeroed: ReadonlySet<string>;
}

type Following = Pick<FusedCells, 'functors' | 'sums' | 'notes'>;

/**
 * A pair call and the cell calls and reductions that follow it, as one kernel: these find the forces in registers. Positions go to
 * the second buffer, since other threads still read the old ones.
 */
export class PairGroup {
  readonly #runner: CallRunner;
  readonly #grid: Grid;
  readonly #call: FusedPairs;
  /** Whether it moves particles: positions are in the other buffer then. */
  readonly moves: boolean;
  readonly #parts: Following;
  readonly #sweeps: readonly StepCallOf<'sweep'>[];
  #program: PairProgram | null = null;
  #sweepParts: readonly SweepParts[] = [];
  #kernel: PairKernel | null = null;
  /** The kernel that bins particles too; undefined until it is asked for. */
  #binning: PairKernel | null | undefined = undefined;
  /** Whether that counts in image flags. */
  #hasImages = false;
  /** What is recorded next. */
  #pairs: BoundPairs | null = null;
  readonly #end: { -readonly [K in keyof PairExtras]: PairExtras[K] };

  /** @param group the calls. @param parts of those after the pair call. @param sums where totals and reductions leave what they find */
  constructor(
    runner: CallRunner,
    { pairs, cells, reductions, sweeps }: Group & { readonly pairs: FusedPairs },
    parts: Following,
    sums: PartialSums | null,
  ) {
    this.#runner = runner;
    this.#grid = pairs.call.grid;
    this.#call = pairs;
    this.#parts = parts;
    this.#sweeps = sweeps;
    this.moves = cells.some(({ call }) => call.alone.moves);
    const given = [...cells, ...reductions].map(({ args }) => args.params);
    this.#end = { given, sums, sweeps: [], blocks: [], displacements: null, bin: null };
  }

  /** The pair call works on the blocks of this moment. */
  capture(): void {
    this.#padSecond();
    const { call, args, zeroed } = this.#call;
    call.capture(args, zeroed);
  }

  /** Other threads still read positions: those that they move to go to the second buffer. */
  #padSecond(): void {
    if (this.moves) this.#runner.residency.ensurePositions(this.#grid).padSecond();
  }

  /** Lets its kernel bin particles too, until it is recorded. @returns whether it may */
  bin(target: BinTarget): boolean {
    const hasImages = target.images !== null;
    if (this.#binning === undefined || this.#hasImages !== hasImages) {
      this.#hasImages = hasImages;
      this.#binning = this.moves ? this.#make(true) : null;
    }
    if (this.#binning) this.#end.bin = target;
    return this.#binning !== null;
  }

  /** Moves on to what the kernel leaves: its blocks count as written. Until it is recorded it may be told to bin. */
  finish(displacements: DisplacementTarget | null): void {
    const { residency } = this.#runner;
    const { call, args, zeroed } = this.#call;
    this.#padSecond();
    const pairs = call.take(args, zeroed);
    const swept = this.#sweeps.map(({ call, args }, k) => call.bindAs(k, args.params));
    const { program } = pairs;
    const isSame = swept.every(({ parts }, k) => parts === this.#sweepParts[k]);
    if (program !== this.#program || !isSame) {
      this.#program = program;
      this.#sweepParts = swept.map(({ parts }) => parts);
      this.#kernel = this.#make(false);
      this.#binning = undefined;
    }
    const bound = boundBlocks(this.#grid, residency, this.#kernel!.blocks);
    const end = this.#end;
    end.blocks = bound.buffers();
    if (this.moves) residency.ensurePositions(this.#grid).swap();
    bound.written();
    end.sweeps = swept.map(({ values }) => values);
    end.displacements = displacements;
    end.bin = null;
    this.#pairs = pairs;
  }

  /** Records the kernel. */
  record(): void {
    const kernel = this.#end.bin ? this.#binning! : this.#kernel!;
    kernel.record(this.#pairs!, this.#grid.count, this.#end);
  }

  #make(bin: boolean): PairKernel | null {
    const program = this.#program!;
    const ending = { ...this.#parts, sweeps: this.#sweepParts, bin, images: this.#hasImages };
    const made = program.extend!(ending, this.#grid);
    return made && new PairKernel(this.#runner.gpu, program, this.#call.call.plan.rcut, made);
  }
}
