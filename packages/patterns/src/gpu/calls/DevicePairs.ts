import type { Domain } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import {
  type CallArguments,
  type PairCall,
  type ParameterValues,
  type Plan,
  type Totals,
  totalsOf,
} from '../../plan/calls.js';
import { noNeighborLists } from '../../plan/refusals.js';
import { type DeviceStrain, strainOf } from '../box/DeviceStrain.js';
import { NEAR } from '../double/pairDoubles.js';
import type { DeviceLists } from '../neighbors/DeviceLists.js';
import type { EntryFormat } from '../neighbors/EntryFormat.js';
import type { Neighbors } from '../neighbors/Neighbors.js';
import { boundBlocks } from '../pattern/BoundBlocks.js';
import { finishTotals, type Outcome, totalsByName } from '../pattern/PartialSums.js';
import { PAIR_LANES } from '../pattern/pairText.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import { NOTHING } from '../step/zeroedBlocks.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import { DeviceCall, type Runner } from './DeviceCall.js';
import { PairDispatch } from './PairDispatch.js';
import { CUTOFF, type PairProgram, shapeKey } from './PairPrograms.js';

/** What stays as long as box, number and the shape of parameters do. */
interface Binding {
  readonly domain: Domain;
  readonly format: EntryFormat;
  readonly lanes: number;
  readonly strain: DeviceStrain | undefined;
  readonly shape: string;
  readonly zeroed: ReadonlySet<string>;
  readonly program: PairProgram;
  readonly dispatch: PairDispatch;
  /** Makes the totals that are wanted. */
  readonly outcome: Outcome;
  /** What the parameters of the kernel were last made from. */
  frame: PositionFrame | null;
  params: ParameterValues | null;
}

const NO_BUFFERS: readonly GPUBuffer[] = [];

/** A pair functor on the device, over full neighbor lists. */
export class DevicePairs extends DeviceCall<Totals> {
  readonly kind = 'pairs';
  readonly functor: Functor<'pair' | 'neighborhood'>;
  readonly outputs: PairCall['outputs'];
  readonly #plan: Plan<PairCall>;
  /** One for calls that add to what is there, one for those that follow a call which clears it. */
  #adding: Binding | null = null;
  #overwriting: Binding | null = null;

  constructor(runner: Runner, plan: Plan<PairCall>) {
    super(runner, plan.functor.name, plan.grid);
    this.#plan = plan;
    this.functor = plan.functor;
    this.outputs = plan.outputs;
  }

  record(args: CallArguments): PatternHandle<Totals> {
    return this.recordOver(args, NOTHING);
  }

  /** The same where blocks are zero that the call would only add to. */
  recordOver(args: CallArguments, zeroed: ReadonlySet<string>): PatternHandle<Totals> {
    const { grid } = this;
    if (grid.count === 0) return completed(zeros(totalsOf(this.#plan)));
    const { program, outcome } = this.bind(args, zeroed);
    const dispatch = this.capture(args, zeroed);
    dispatch.record();
    const { sums } = program;
    if (!sums) return nothing;
    const plan = this.#plan;
    return finishTotals(sums, plan.into, totalsOf(plan), outcome);
  }

  /** Its dispatch on the blocks of this moment, which count as written from now on. */
  capture(args: CallArguments, zeroed: ReadonlySet<string>): PairDispatch {
    const { gpu, residency } = this.runner;
    const { grid } = this;
    const binding = this.bind(args, zeroed);
    const { program, dispatch } = binding;
    const bound = boundBlocks(grid, residency, program.blocks);
    bound.buffers(); // an upload records what waits
    const { tables, sums } = program;
    let rest = NO_BUFFERS;
    if (tables.hasTables) rest = [tables.buffer(gpu, this.name, args.params)];
    if (sums) rest = rest.concat(sums.reserve(grid.count, PAIR_LANES / program.lanes));
    const { frame } = residency.ensurePositions(grid);
    if (binding.frame !== frame) dispatch.put(frameValues(frame));
    binding.frame = frame;
    if (binding.params !== args.params) {
      const rcut2 = this.#plan.rcut ** 2;
      dispatch.put(tables.values({ [CUTOFF]: rcut2, ...args.params }));
    }
    binding.params = args.params;
    dispatch.set(this.#lists(), bound, rest);
    bound.written();
    return dispatch;
  }

  /** Its program and dispatch as things are. */
  bind({ params }: CallArguments, zeroed: ReadonlySet<string>): Binding {
    const { frame, format } = this.#lists();
    const { domain } = frame!;
    const { pairs } = this.runner;
    const strain = strainOf(this.grid);
    const lanes = pairs.lanesFor(this.grid.count);
    const known = zeroed === NOTHING ? this.#adding : this.#overwriting;
    const isOfLists = known?.domain === domain && known.format === format;
    const isOfBox = isOfLists && known.strain === strain;
    const isSame = isOfBox && known.lanes === lanes && known.zeroed === zeroed;
    if (isSame && known.params === params) return known;
    const shape = shapeKey(this.functor, params);
    if (isSame && known.shape === shape) return known;
    const binding = this.#newBinding({ domain, format, lanes, strain, shape, zeroed }, params);
    if (zeroed === NOTHING) this.#adding = binding;
    else this.#overwriting = binding;
    return binding;
  }

  #newBinding(
    of: Pick<Binding, 'domain' | 'format' | 'lanes' | 'strain' | 'shape' | 'zeroed'>,
    params: ParameterValues,
  ): Binding {
    const { gpu, pairs } = this.runner;
    const { format, lanes, zeroed } = of;
    const orthorhombic = of.domain.isOrthorhombic;
    const program = pairs.of(this.#plan, { params, orthorhombic, format, lanes, zeroed });
    const dispatch = new PairDispatch(gpu, this.grid, program, this.operator);
    const rcut2 = this.#plan.rcut ** 2;
    dispatch.put({ rcut2, near2: rcut2 * NEAR, one: 1 });
    const outcome = totalsByName(totalsOf(this.#plan), program.totals);
    return { ...of, program, dispatch, outcome, frame: null, params: null };
  }

  #lists(): DeviceLists {
    const { neighbors, residency } = this.runner;
    return listsFor(this.#plan, neighbors, residency);
  }
}

/**
 * The lists that a pair call walks.
 * @throws CorpuscleError NO_NEIGHBOR_LISTS
 */
export function listsFor(
  { grid, rcut }: Pick<PairCall, 'grid' | 'rcut'>,
  neighbors: Neighbors,
  residency: Residency,
): DeviceLists {
  const lists = neighbors.lists(grid);
  const isOfThisBox = lists?.frame?.domain === residency.boxOf(grid);
  if (lists?.covers(grid, rcut) && isOfThisBox) return lists;
  if (!lists || lists.sortVersion === -1) throw noNeighborLists('none', rcut);
  if (rcut > lists.rcut) throw noNeighborLists({ reach: lists.rcut }, rcut);
  throw noNeighborLists(isOfThisBox ? 'resized or sorted' : 'another box', rcut);
}

/** Of calls without totals. */
const nothing: PatternHandle<Totals> = completed<Totals>(Object.freeze({}));

export const zeros = (names: readonly string[]): Totals =>
  Object.fromEntries(names.map((name) => [name, 0]));
