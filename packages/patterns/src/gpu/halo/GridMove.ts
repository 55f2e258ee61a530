import type { FieldBlock, Grid } from '@corpuscle/core';
import type { HaloCall, HaloMove } from '../../engine/DeviceHalo.js';
import { pairBlocks } from '../../plan/pairBlocks.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { type GpuStepCall, isOf } from '../calls/GpuCall.js';
import { JoinedCells, type RowsOnDevice } from '../calls/JoinedCells.js';
import { PairKernel } from '../calls/PairKernel.js';
import type { PairProgram } from '../calls/PairPrograms.js';
import { NOTHING } from '../kernels/usedBlocks.js';
import { boundBlocks } from '../pattern/BoundBlocks.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import { type Group, groupsOf } from '../step/groupsOf.js';
import { joiningRules, mostBindings } from '../step/joiningRules.js';
import type { FusedPairs } from '../step/PairGroup.js';
import type { NotedDisplacement } from './NotedDisplacement.js';

/** A group that ends a step and begins the next. */
type Moving = Group & { readonly pairs: FusedPairs };

/** The kernel of the pairs of own particles, which moves all but the border, and that of the border. */
export class GridMove implements HaloMove {
  readonly #runner: CallRunner;
  readonly #grid: Grid;
  readonly #group: Moving;
  readonly #noted: NotedDisplacement;
  readonly #border: () => RowsOnDevice;
  /** Blocks that go to second buffers. */
  readonly #apart: readonly FieldBlock[];
  readonly #cells: JoinedCells;
  /** The operators of its calls. */
  readonly #operator: string;
  #program: PairProgram | null = null;
  #kernel: PairKernel | null = null;

  /** @param border its rows, as they are now */
  constructor(
    runner: CallRunner,
    grid: Grid,
    group: Moving,
    noted: NotedDisplacement,
    border: () => RowsOnDevice,
  ) {
    this.#runner = runner;
    this.#grid = grid;
    this.#group = group;
    this.#noted = noted;
    this.#border = border;
    const apart = writtenApart(group.cells, group.pairs.zeroed);
    this.#apart = [...apart].map((name) => grid.block(name));
    this.#operator = [...new Set(group.calls.map(({ call }) => call.operator))].join(' + ');
    const functors = group.cells.map(({ call }) => call.functor);
    this.#cells = new JoinedCells(runner, grid, { functors, apart, notes: true, listed: true });
  }

  meet(): void {
    const { gpu, residency } = this.#runner;
    const grid = this.#grid;
    const { pairs, cells } = this.#group;
    const { call, args, zeroed } = pairs;
    gpu.check();
    gpu.stream.recordDeferred();
    gpu.enter({ operator: this.#operator, name: call.name });
    residency.setBox(grid, residency.boxFor(grid, grid.domain));
    this.#noted.begin();
    if (grid.count === 0) return;
    for (const block of this.#apart) this.#record(block).padSecond();
    const bound = call.take(args, zeroed);
    if (bound.program !== this.#program) this.#make(bound.program);
    const kernel = this.#kernel!;
    kernel.record(bound, grid.count, {
      blocks: boundBlocks(grid, residency, kernel.blocks).buffers(),
      sums: null,
      given: cells.map((one) => one.args.params),
      displacements: this.#noted.target,
    });
  }

  goOn(): void {
    const rows = this.#border();
    const given = this.#group.cells.map(({ args }) => args.params);
    if (rows.length > 0) this.#cells.record(given, { displacements: this.#noted.target, rows });
    if (this.#grid.count > 0)
      for (const block of this.#apart) {
        this.#record(block).swap();
        this.#runner.residency.written(block);
      }
    this.#noted.end();
  }

  #record(block: FieldBlock): DeviceBlock {
    const { residency } = this.#runner;
    if (block.spec.name === 'position') return residency.ensurePositions(this.#grid);
    return residency.ensure(block, this.#grid.count);
  }

  #make(program: PairProgram): void {
    const { call, zeroed } = this.#group.pairs;
    const { cells } = this.#group;
    const waiting = { apart: writtenApart(cells, zeroed) };
    const functors = cells.map((one) => one.call.functor);
    const ending = { functors, sums: [], sweeps: [], notes: true, bin: false, images: false };
    const made = program.extend!({ ...ending, waiting }, this.#grid);
    this.#kernel = new PairKernel(this.#runner.gpu, program, call.plan.rcut, made);
    this.#program = program;
  }
}

/** Blocks that cell calls write; not those that the pair call overwrites, which can be made again. */
function writtenApart(cells: Group['cells'], zeroed: ReadonlySet<string>): ReadonlySet<string> {
  const used = cells.flatMap(({ call }) => call.alone.program.text.blocks);
  const written = used.filter((one) => one.written && !zeroed.has(one.name));
  return new Set(written.map(({ name }) => name));
}

/** @returns null where these calls are not one kernel, or cannot be made again */
export function prepareMove(
  runner: CallRunner,
  grid: Grid,
  calls: readonly HaloCall[],
  noted: NotedDisplacement,
  border: () => RowsOnDevice,
): GridMove | null {
  const own = calls.filter((one): one is GpuStepCall => 'kind' in one.call);
  const after = own.slice(own.findIndex((one) => isOf(one, 'pairs')) + 1);
  const cells = after.filter((one) => isOf(one, 'cells'));
  // What is written to second buffers is bound twice. This is known of positions.
  const more = writtenApart(cells, NOTHING).size - 1;
  const rules = joiningRules(grid, mostBindings(runner.gpu, grid) - more);
  const [group, ...others] = groupsOf(own, rules);
  if (own.length < calls.length || !group?.pairs || others.length > 0) return null;
  const { pairs } = group;
  const { added } = pairBlocks(pairs.call.plan);
  const mayRepeat = [...added].every((block) => pairs.zeroed.has(block));
  const moves = group.cells.some(({ call }) => call.alone.moves);
  const isPlain =
    group.reductions.length === 0 && group.sweeps.length === 0 && !rules.hasTotals(pairs);
  return mayRepeat && moves && isPlain
    ? new GridMove(runner, grid, { ...group, pairs }, noted, border)
    : null;
}
