import { CorpuscleError, type Domain, type Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { Expr, FunctorIR } from '@corpuscle/functor/ir';
import {
  fieldUse,
  flattenBranches,
  type OutputKind,
  sumOutputs,
  withOutputs,
} from '@corpuscle/functor/passes';
import { specialise } from '../../cpu/pair/specialise.js';
import { completed } from '../../pattern/handles.js';
import type { PairCall, ParameterValue, Totals } from '../../pattern/PatternEngine.js';
import type { PatternHandle } from '../../pattern/PatternHandle.js';
import { AllPairsPattern } from '../allPairs/AllPairsPattern.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { mayBeOne } from '../device/GpuKernel.js';
import { NEAR } from '../double/pairDoubles.js';
import { NeighbourhoodPattern } from '../neighbourhood/NeighbourhoodPattern.js';
import type { DeviceLists } from '../neighbours/DeviceLists.js';
import type { Neighbours } from '../neighbours/Neighbours.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import type { DeviceResult } from '../wgsl/reduceWgsl.js';
import { boundBlocks } from './BoundBlocks.js';
import type { CellPattern } from './CellPattern.js';
import type { Epilogue } from './epilogue.js';
import { FunctorTables } from './FunctorTables.js';
import { functorText } from './functorText.js';
import { KernelCache } from './KernelCache.js';
import { PairDispatch, type PairParts } from './PairDispatch.js';
import { type Outcome, PartialSums, totalsByName } from './PartialSums.js';
import { layoutKey, ParticleAccess } from './ParticleAccess.js';
import { PAIR_LANES, pairKernel } from './pairKernel.js';
import { NOTHING } from './zeroedBlocks.js';

interface PairProgram extends PairParts {
  readonly tables: FunctorTables;
  readonly totals: readonly DeviceResult[];
  readonly sums: PartialSums | null;
  /** Blocks it overwrites without looking at what is there. */
  readonly fresh: ReadonlySet<string>;
}

/** What a program depends on besides the call. */
interface Variant {
  /** Threads wanted for a particle. */
  readonly lanes: number;
  /** Blocks that are zero before the call. */
  readonly zeroed: ReadonlySet<string>;
}

/** A call, and what does not change as long as calls are like it. */
interface Prepared {
  readonly call: PairCall;
  /** The last call like it. */
  latest: PairCall | null;
  readonly domain: Domain;
  readonly blocks: number;
  readonly variant: Variant;
  readonly program: PairProgram;
  /** Makes the totals that are wanted. */
  readonly outcome: Outcome;
  frame: PositionFrame | null;
  /** Parameters of the functor that the caller does not give. */
  readonly given: Record<string, ParameterValue>;
  readonly dispatch: PairDispatch;
}

const NO_BUFFERS: readonly GPUBuffer[] = [];
/** Kinds of calls remembered for a functor and a grid: with and without energies, and so on. */
const KINDS = 8;
/** Particles from which fewer threads a particle keep a large device busy while each waits for memory. */
const MANY = 2 ** 18;
const SOME = 2 ** 14;
/** Operations up to which a functor without branches costs less than one with. */
const FLAT = 64;

/** A pair functor on the device, over full neighbour lists. */
export class PairPattern {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #neighbours: Neighbours;
  readonly #cells: CellPattern;
  readonly #programs = new KernelCache<PairProgram>();
  readonly #byShape = new KernelCache<PairProgram>();
  readonly #prepared = new WeakMap<Grid, Map<Functor, Prepared[]>>();
  #allPairs: AllPairsPattern | null = null;
  #neighbourhoods: NeighbourhoodPattern | null = null;
  /** Threads that share a particle's neighbours; null for a number that suits the device and the number of particles. */
  lanes: 1 | 2 | 4 | 8 | null = null;

  constructor(gpu: GpuDevice, residency: Residency, neighbours: Neighbours, cells: CellPattern) {
    this.#cells = cells;
    this.#gpu = gpu;
    this.#residency = residency;
    this.#neighbours = neighbours;
  }

  run(call: PairCall): PatternHandle<Totals> {
    if (call.allPairs) {
      this.#allPairs ??= new AllPairsPattern(this.#gpu, this.#residency);
      return this.#allPairs.run(call);
    }
    const { grid, functor, params } = call;
    if (grid.count === 0) return completed(zeros(totalsOf(call)));
    const lists = this.#listsFor(call);
    if (functor.kind === 'neighbourhood' || functor.ir?.start) {
      this.#neighbourhoods ??= new NeighbourhoodPattern(this.#gpu, this.#residency);
      return this.#neighbourhoods.run(call, lists);
    }
    const prepared = this.#prepare(call, lists);
    const { program, dispatch } = prepared;
    const bound = boundBlocks(grid, this.#residency, program.blocks);
    bound.buffers(); // an upload records what is kept back
    if (program.fresh.size > 0) this.#cells.dropZeroing(grid);
    this.#cells.settle();
    const { tables, sums } = program;
    const groups = Math.ceil(grid.count / (PAIR_LANES / program.lanes));
    let rest = NO_BUFFERS;
    if (tables.hasTables) rest = [tables.buffer(this.#gpu, functor.name, params)];
    if (sums) rest = rest.concat(sums.partials(groups));
    const { frame } = this.#residency.ensurePositions(grid);
    if (prepared.frame !== frame) dispatch.put(ParticleAccess.frameValues(frame));
    prepared.frame = frame;
    // Calls do not change: the same one has the same parameters.
    if (prepared.latest !== call) dispatch.put(tables.values({ ...prepared.given, ...params }));
    prepared.latest = call;
    dispatch.set(lists, bound, rest);
    // While kernels are timed, each is of one operator.
    if (program.extend && !this.#gpu.stream.times) this.#cells.lead(dispatch);
    else dispatch.record();
    bound.written();
    return sums ? sums.finish(groups, prepared.outcome) : nothing;
  }

  #listsFor({ grid, functor, rcut }: PairCall): DeviceLists {
    const lists = this.#neighbours.lists(grid);
    const isOfThisBox = lists?.frame?.domain === this.#residency.boxOf(grid);
    if (lists?.covers(grid, rcut) && isOfThisBox) return lists;
    const why =
      !lists || lists.sortVersion === -1
        ? 'it has no neighbour lists on the GPU'
        : rcut > lists.rcut
          ? `its neighbour lists reach ${lists.rcut}, less than rcut ${rcut}`
          : isOfThisBox
            ? 'its particles were sorted or resized since'
            : 'its box changed since the lists were built';
    throw new CorpuscleError(
      'NO_NEIGHBOUR_LISTS',
      `functor '${functor.name}' needs pairs of the grid, but ${why}: call updateNeighbours(grid, ctx, { rcut: ${rcut}, skin }) first`,
    );
  }

  /** What calls of the same kind have in common. */
  #prepare(call: PairCall, lists: DeviceLists): Prepared {
    const { grid, functor, rcut } = call;
    let known = this.#prepared.get(grid);
    if (!known) {
      known = new Map();
      this.#prepared.set(grid, known);
    }
    let kinds = known.get(functor);
    if (!kinds) {
      kinds = [];
      known.set(functor, kinds);
    }
    const zeroed = this.#cells.zeroing(grid);
    const lanes = this.#lanesFor(grid.count);
    for (let k = 0; k < kinds.length; k++)
      if (isLike(kinds[k]!, call, lists, lanes, zeroed)) return kinds[k]!;
    const variant = { lanes, zeroed };
    const rcut2 = rcut * rcut;
    const program = this.#program(call, lists, variant);
    const dispatch = new PairDispatch(this.#gpu, grid, program);
    dispatch.put({ rcut2, near2: rcut2 * NEAR, one: 1 });
    const prepared: Prepared = {
      call,
      latest: null,
      domain: lists.frame!.domain,
      blocks: grid.blocks.size,
      variant,
      program,
      outcome: totalsByName(totalsOf(call), program.totals),
      frame: null,
      given: { [CUTOFF]: rcut2 },
      dispatch,
    };
    if (kinds.length === KINDS) kinds.shift();
    kinds.push(prepared);
    return prepared;
  }

  /** Shapes of parameters lead to few programs: many numbers make the same choices in the functor. */
  #program(call: PairCall, lists: DeviceLists, variant: Variant): PairProgram {
    const { functor, params } = call;
    const { lanes, zeroed } = variant;
    const wanted = `${lanes}${[...zeroed]}`;
    return this.#byShape.get(functor, `${wanted}|${shapeKey(call, lists)}`, () => {
      const { ir, choices } = specialise(functor.ir!, params);
      const key = `${wanted}|${layoutOf(call, lists)}|${choices}`;
      return this.#programs.get(functor, key, () => this.#build(call, ir, lists, variant));
    });
  }

  /** Few particles leave most of a device idle, and each of its threads waits long for its neighbours. */
  #lanesFor(count: number): number {
    if (this.lanes !== null) return this.lanes;
    if (this.#gpu.info.software) return 2;
    if (count >= MANY) return 2;
    return count >= SOME ? 4 : 8;
  }

  #build(call: PairCall, special: FunctorIR, lists: DeviceLists, variant: Variant): PairProgram {
    const { functor, grid, outputs, form } = call;
    const kept = new Set(Object.keys(outputs).filter((name) => outputs[name] !== 'none'));
    const reduced = withOutputs(special, kept);
    const handWritten = functor.spec.wgsl !== undefined;
    const onlySums = handWritten || [...sumOutputs(reduced).values()].every(isSum);
    const bufferless = form !== 'buffered';
    const { reals } = this.#gpu;
    const mayFlatten = bufferless && onlySums && !handWritten && reals.state === 'f32';
    const flattened = mayFlatten ? withoutBranches(reduced) : null;
    const ir = flattened ?? reduced;
    const lanes = bufferless && onlySums ? variant.lanes : 1;
    const fresh = onlySums && !handWritten ? overwritten(call, variant.zeroed) : NOTHING;
    const tables = new FunctorTables(ir, '', reals.pair);
    const lowered = functorText(functor, ir, tables);
    const orthorhombic = lists.frame!.domain.isOrthorhombic;
    const flat = flattened !== null;
    const request = {
      functor,
      ir,
      lowered,
      tables,
      grid,
      outputs,
      form,
      orthorhombic,
      lanes,
      flat,
      reals,
      fresh,
      epilogue: null,
    };
    const { source, blocks, totals } = pairKernel(request);
    const sums = totals.length > 0 ? new PartialSums(this.#gpu, functor.name, totals) : null;
    const extend = (epilogue: Epilogue) => {
      const { source, blocks, cellTables } = pairKernel({ ...request, epilogue });
      const { maxStorageBuffersPerShaderStage: most } = this.#gpu.limits;
      if (epilogue.bin && !mayBeOne(source, most)) return null;
      return { kernel: this.#gpu.kernel(source), tables: cellTables, blocks };
    };
    const seen = Object.keys(ir.roles.j ?? {});
    return {
      kernel: this.#gpu.kernel(source),
      tables,
      blocks,
      neighbourBlocks: new Set(seen.map((field) => grid.field(field).block)),
      totals,
      sums,
      lanes,
      fresh,
      extend: sums === null && reals.state === 'f32' ? extend : null,
    };
  }
}

/** The zeroed blocks, if the call adds to all of them and looks at none. */
function overwritten(
  { grid, functor, outputs }: PairCall,
  zeroed: ReadonlySet<string>,
): ReadonlySet<string> {
  const { i = {}, j = {} } = functor.ir!.roles;
  const blockOf = (field: string): string => grid.field(field).block;
  const added = new Set(
    Object.keys(outputs)
      .filter((field) => /^(particles|both)$/.test(outputs[field]!))
      .map(blockOf),
  );
  const inputs = Object.keys(i).filter((field) => !i[field]!.writable);
  const seen = new Set([...inputs, ...Object.keys(j)].map(blockOf));
  return [...zeroed].every((block) => added.has(block) && !seen.has(block)) ? zeroed : NOTHING;
}

/** Of calls without totals. */
const nothing: PatternHandle<Totals> = completed<Totals>(Object.freeze({}));

/** The square of the call's cutoff, as a parameter of the functor. */
const CUTOFF = '__rcut2';

/** A small functor that looks at the cutoff itself and has no branches; null where that would not pay. */
function withoutBranches(ir: FunctorIR): FunctorIR | null {
  const p = { ...ir.roles.p, [CUTOFF]: { type: 'real', array: false, writable: false } } as const;
  const within: Expr = {
    kind: 'compare',
    type: 'bool',
    op: '<',
    left: { kind: 'field', type: 'real', role: 'd', field: 'r2' },
    right: { kind: 'field', type: 'real', role: 'p', field: CUTOFF },
  };
  // Attributes of neighbours are better read for those within the cutoff only.
  if (Object.keys(ir.roles.j ?? {}).some((field) => fieldUse(ir).reads.get('j')?.has(field)))
    return null;
  return flattenBranches({ ...ir, roles: { ...ir.roles, p } }, within, FLAT);
}

const isSum = (kind: OutputKind): boolean => kind === 'sum';

function totalsOf({ outputs }: PairCall): string[] {
  return Object.keys(outputs).filter(
    (name) => outputs[name] === 'total' || outputs[name] === 'both',
  );
}

const zeros = (names: readonly string[]): Totals =>
  Object.fromEntries(names.map((name) => [name, 0]));

/** Whether a call needs what an earlier one needed: the same outputs, cutoff, form, and shapes of parameters. */
function isLike(
  known: Prepared,
  call: PairCall,
  lists: DeviceLists,
  lanes: Variant['lanes'],
  zeroed: Variant['zeroed'],
): boolean {
  const { functor, outputs, params, rcut, form, grid } = known.call;
  if (known.variant.lanes !== lanes || known.variant.zeroed !== zeroed) return false;
  if (known.domain !== lists.frame!.domain) return false;
  if (known.latest === call && known.blocks === call.grid.blocks.size) return true;
  if (known.blocks !== grid.blocks.size || rcut !== call.rcut || form !== call.form) return false;
  if (outputs !== call.outputs)
    for (const name in outputs) if (outputs[name] !== call.outputs[name]) return false;
  for (const name in params) {
    const [before, now] = [params[name]!, call.params[name]!];
    if (before === now) continue;
    const bothTables = typeof before === 'object' && typeof now === 'object';
    if (bothTables ? before.length !== now.length : functor.ir!.roles.p?.[name]?.type !== 'real')
      return false;
  }
  return true;
}

/** What the kernel's text depends on besides the functor. */
function layoutOf({ functor, grid, outputs, form }: PairCall, lists: DeviceLists): string {
  const { i = {}, j = {} } = functor.ir!.roles;
  let key = `${form}${lists.frame!.domain.isOrthorhombic ? 'o' : 't'}`;
  key += layoutKey(grid, [...Object.keys(i), ...Object.keys(j)]);
  for (const name in outputs) key += `,${name}:${outputs[name]}`;
  return key;
}

/** The layout, and all of the parameters that `specialise` looks at. */
function shapeKey(call: PairCall, lists: DeviceLists): string {
  let key = layoutOf(call, lists);
  for (const [name, { type, array }] of Object.entries(call.functor.ir!.roles.p ?? {})) {
    const value = call.params[name];
    if (typeof value === 'object') key += `,${array && value.length === 1 ? 1 : 0}`;
    else if (type !== 'real') key += `,${value}`;
  }
  return key;
}
