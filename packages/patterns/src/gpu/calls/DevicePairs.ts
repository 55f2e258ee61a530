import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import {
  type CallArguments,
  type PairCall,
  type ParameterValues,
  type Plan,
  type Totals,
  zeroTotals,
} from '../../plan/calls.js';
import { noNeighborLists } from '../../plan/refusals.js';
import { strainOf } from '../box/DeviceStrain.js';
import { NOTHING } from '../kernels/usedBlocks.js';
import { CUTOFF } from '../kernels/withoutBranches.js';
import type { DeviceLists } from '../neighbors/DeviceLists.js';
import { boundBlocks } from '../pattern/BoundBlocks.js';
import { placedResults } from '../pattern/PartialSums.js';
import { tableBuffers } from '../pattern/UploadCache.js';
import { NO_TOTALS } from '../values/CallSums.js';
import type { PlacedResult } from '../wgsl/reduceWgsl.js';
import type { CallRunner } from './CallRunner.js';
import { DeviceCall } from './DeviceCall.js';
import { type BoundPairs, PairKernel } from './PairKernel.js';
import type { PairProgram } from './PairPrograms.js';

/** A pair functor on the device, over full neighbor lists. */
export class DevicePairs extends DeviceCall<Totals> {
  readonly kind = 'pairs';
  readonly plan: Plan<PairCall>;
  readonly #zeros: Totals;
  /** By the blocks that are zero before: calls add to what is there, or follow a call that clears it. */
  readonly #bindings = new Map<ReadonlySet<string>, BoundPairs>();

  constructor(runner: CallRunner, plan: Plan<PairCall>) {
    super(runner, plan.functor.name, plan.grid);
    this.plan = plan;
    this.#zeros = zeroTotals(plan);
  }

  record(args: CallArguments): PatternHandle<Totals> {
    this.runner.gpu.stream.recordDeferred();
    return this.recordOver(args, NOTHING);
  }

  /** The same where blocks are zero that the call would only add to; as it was captured, if it was. */
  recordOver(args: CallArguments, zeroed: ReadonlySet<string>): PatternHandle<Totals> {
    const { count } = this.grid;
    if (count === 0) return completed(this.#zeros);
    const pairs = this.take(args, zeroed);
    const { sums } = pairs.program;
    pairs.alone.record(pairs, count, { blocks: pairs.blocks, sums });
    return sums ? sums.finish(this.#zeros, this.plan.into) : NO_TOTALS;
  }

  /** Its totals and where they go among the values of the context; null where the host gets them. */
  intoValues(args: CallArguments, zeroed: ReadonlySet<string>): readonly PlacedResult[] | null {
    const { totals } = this.programFor(args, zeroed);
    if (totals.length === 0) return [];
    const { into } = this.plan;
    return into ? placedResults(totals, into, Object.keys(this.#zeros)) : null;
  }

  /** What it works on where it is recorded now: as it was captured, if it was. */
  take(args: CallArguments, zeroed: ReadonlySet<string>): BoundPairs {
    const known = this.#bindings.get(zeroed);
    const binding = known?.isCaptured ? known : this.capture(args, zeroed);
    binding.isCaptured = false;
    return binding;
  }

  /** Finds the blocks of this moment, which count as written from now on, for the next time that it is recorded. */
  capture({ params }: CallArguments, zeroed: ReadonlySet<string>): BoundPairs {
    const { gpu, residency } = this.runner;
    const binding = this.#bind(params, zeroed);
    const { tables, blocks } = binding.program;
    const bound = boundBlocks(this.grid, residency, blocks);
    binding.blocks = bound.buffers();
    binding.tables = tableBuffers(gpu, this.name, tables, params);
    binding.frame = residency.ensurePositions(this.grid).frame;
    binding.lists = listsFor(this.plan, this.runner);
    bound.written();
    binding.isCaptured = true;
    return binding;
  }

  /** Its program as things are. */
  programFor({ params }: CallArguments, zeroed: ReadonlySet<string>): PairProgram {
    return this.#bind(params, zeroed).program;
  }

  #bind(params: ParameterValues, zeroed: ReadonlySet<string>): BoundPairs {
    const { gpu, pairs } = this.runner;
    const { rcut } = this.plan;
    const lists = listsFor(this.plan, this.runner);
    const { format } = lists;
    const frame = lists.frame!;
    const orthorhombic = frame.domain.isOrthorhombic;
    const lanes = pairs.lanesFor(this.grid.count);
    const strain = strainOf(this.grid);
    const known = this.#bindings.get(zeroed);
    const was = known?.variant;
    const isSame =
      was?.format === format && was.orthorhombic === orthorhombic && was.lanes === lanes;
    if (known && isSame && was.params === params && known.strain === strain) return known;
    const variant = { params, orthorhombic, format, lanes, zeroed };
    const program = pairs.of(this.plan, variant);
    const isKept = known?.program === program;
    const alone = isKept ? known.alone : new PairKernel(gpu, program, rcut, null);
    const given = { [CUTOFF]: rcut ** 2, ...params };
    const moment = { lists, frame, blocks: [], tables: [], isCaptured: false };
    const binding = { program, variant, strain, given, alone, ...moment };
    this.#bindings.set(zeroed, binding);
    return binding;
  }
}

/**
 * The lists that a pair call walks.
 * @throws CorpuscleError NO_NEIGHBOR_LISTS
 */
export function listsFor(
  { grid, rcut }: Pick<PairCall, 'grid' | 'rcut'>,
  { neighbors, residency }: CallRunner,
): DeviceLists {
  const lists = neighbors.lists(grid);
  const isOfThisBox = lists?.frame?.domain === residency.boxOf(grid);
  if (lists?.covers(grid, rcut) && isOfThisBox) return lists;
  if (!lists || lists.sortVersion === -1) throw noNeighborLists('none', rcut);
  if (rcut > lists.rcut) throw noNeighborLists({ reach: lists.rcut }, rcut);
  throw noNeighborLists(isOfThisBox ? 'resized or sorted' : 'another box', rcut);
}
