import type { Grid } from '@corpuscle/core';
import type { EngineStep } from '../../engine/Engine.js';
import type { ParameterValues } from '../../plan/calls.js';
import { type CapturedBlocks, JoinedCells } from '../calls/JoinedCells.js';
import { mayExtend } from '../calls/PairDispatch.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import { displacementText } from '../neighbors/displacementText.js';
import { type ListUpdates, UPDATE } from '../neighbors/ListUpdates.js';
import type { Residency } from '../residency/Residency.js';
import type { Binner, BinTarget } from '../sort/Binning.js';
import { type GpuStepCall, type Group, groupsOf, type JoiningRules } from './groupsOf.js';
import { type BegunGroup, type JoinedCall, type LeadingPairs, PairGroup } from './PairGroup.js';
import { NOTHING, zeroedBlocks } from './zeroedBlocks.js';

/** Functors joined at most; bounds the number of parameters of a kernel. */
const MOST_JOINED = 6;
/** Steps made call by call before they are fused: short runs need not compile other kernels. */
const FIRST = 4;
/** Rebuilds before their first part joins the kernel that moves particles, for the same reason. */
const FIRST_REBUILDS = 4;

/** What a step needs of its engine. */
export interface StepRunner {
  readonly gpu: GpuDevice;
  readonly residency: Residency;
  /** Runs a step once, as a whole where that is possible. */
  runStep(step: FusedStep): void | Promise<void>;
}

/** What an update of the lists is recorded by. */
export interface WindowUpdate {
  /** Decides what it does. @returns where displacements are noted. */
  begin(): DisplacementTarget;
  /** Whether it rebuilds the lists, once it has begun. */
  readonly rebuilds: boolean;
  /** @param binner may bin the particles on the way. */
  rebuild(binner: Binner | null): void;
}

/** A group with what it is recorded by. */
interface ReadyGroup extends Group {
  /** The operators of its calls. */
  readonly operator: string;
  readonly params: readonly ParameterValues[];
  /** The cell calls as one kernel; null where there are none, or they are part of that of the pair call. */
  readonly joined: JoinedCells | null;
  readonly pairs: PairGroup | null;
}

/** The group that two steps share: its first part ends one, its second begins the next. */
interface Bridge extends ReadyGroup {
  readonly pairs: PairGroup;
  /** Its first cell calls, after the pair call of the same step. */
  readonly tail: JoinedCells | null;
  readonly tailParams: readonly ParameterValues[];
  readonly tailOperator: string;
  /** The others, when there is no step before. */
  readonly head: JoinedCells | null;
  readonly headParams: readonly ParameterValues[];
}

/** Groups in the order in which a step records them. */
interface Fusion {
  readonly bridge: Bridge | null;
  /** Up to the first update of the lists. */
  readonly head: readonly ReadyGroup[];
  readonly rest: readonly ReadyGroup[];
}

/** The first part of a bridge, captured and not recorded yet. */
interface OpenEnd {
  readonly begun: BegunGroup;
  readonly captured: CapturedBlocks | null;
}

/**
 * The calls of a step, fused once and recorded again and again. The end of one step and the beginning of the next may be one
 * kernel, so that the end of a step is left open until it is known what comes next:
 *
 *   run      head                 rest, and an open end
 *   run      end + head           rest, and an open end          one kernel where two steps meet
 *   other    end                                                 recorded before any other command
 */
export class FusedStep implements EngineStep {
  readonly grid: Grid;
  readonly calls: readonly GpuStepCall[];
  /** Its updates of the lists. */
  readonly updates: readonly ListUpdates[];
  readonly #runner: StepRunner;
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  /** Whether the device may rebuild lists at an interval it learns: to wait for it ends what is fused. */
  readonly #isAhead: boolean;
  #fusion: Fusion | null = null;
  #open: OpenEnd | null = null;
  #runs = 0;
  #rebuilds = 0;
  readonly #recordEnd = (): void => this.#end();
  /** Records what waits, once. */
  #record: ((bin: BinTarget | null) => void) | null = null;
  #bin: BinTarget | null = null;
  readonly #recordWaiting = (): void => this.#flush();

  constructor(runner: StepRunner, grid: Grid, calls: readonly GpuStepCall[]) {
    this.#runner = runner;
    this.#gpu = runner.gpu;
    this.#residency = runner.residency;
    this.grid = grid;
    this.calls = calls;
    this.updates = calls.map(({ call }) => call).filter((call) => call.kind === 'lists');
    this.#isAhead = this.updates.every(({ isAhead }) => isAhead);
  }

  run(): void | Promise<void> {
    return this.#runner.runStep(this);
  }

  close(): void {
    this.#fusion = null;
  }

  /** Whether the next run may be recorded as a whole; the first ones are made call by call. */
  mayRecord(): boolean {
    return this.#isAhead && ++this.#runs > FIRST && !this.#gpu.stream.times;
  }

  /** Records the step. @param updates what its updates of the lists are recorded by, in their order. */
  record(updates: readonly WindowUpdate[]): void {
    this.#fusion ??= this.#fuse();
    const { bridge, head, rest } = this.#fusion;
    let at = 0;
    if (bridge) this.#cross(bridge, bridge.lists ? updates[at++]! : null);
    for (let k = 0; k < head.length; k++)
      this.#group(head[k]!, head[k]!.lists ? updates[at++]! : null);
    for (let k = 0; k < rest.length; k++)
      this.#group(rest[k]!, rest[k]!.lists ? updates[at++]! : null);
    if (bridge) this.#leaveOpen(bridge);
  }

  #fuse(): Fusion {
    const groups = groupsOf(this.calls, this.#rules).map((group) => this.#ready(group));
    const shared = groups.find((group) => group.own > 0 && group.own < lengthOf(group));
    const bridge = shared?.pairs ? this.#bridge(shared as ReadyGroup & { pairs: PairGroup }) : null;
    const others = groups.filter((group) => group !== shared || !bridge);
    const head = others.filter(({ own }) => own === 0);
    return { bridge, head, rest: others.filter(({ own }) => own > 0) };
  }

  #ready(group: Group): ReadyGroup {
    const { lead, cells, lists, single } = group;
    const calls = [lead, ...cells, single].filter((one) => one !== null);
    const names = [...calls.map(({ call }) => call.operator), ...(lists ? [lists.operator] : [])];
    const follows = lead !== null && cells.length > 0;
    return {
      ...group,
      operator: [...new Set(names)].join(' + '),
      params: paramsOf(cells),
      joined: !follows && cells.length > 0 ? this.#joined(cells, lists !== null) : null,
      pairs: follows ? new PairGroup(this.#residency, lead, cells, lists !== null) : null,
    };
  }

  #joined(cells: readonly JoinedCall[], notes: boolean): JoinedCells {
    const functors = cells.map(({ call }) => call.functor);
    return new JoinedCells(this.#gpu, this.#residency, this.grid, functors, notes);
  }

  #bridge(group: ReadyGroup & { readonly pairs: PairGroup }): Bridge {
    const before = leadingCalls(group.lead!);
    const tail = group.cells.slice(0, group.own - before);
    const head = group.cells.slice(group.own - before);
    const notes = group.lists !== null;
    const ends = [group.lead!.call.operator, ...tail.map(({ call }) => call.operator)];
    return {
      ...group,
      tail: tail.length > 0 ? this.#joined(tail, false) : null,
      tailParams: paramsOf(tail),
      tailOperator: [...new Set(ends)].join(' + '),
      head: this.#joined(head, notes),
      headParams: paramsOf(head),
    };
  }

  /** From the end of the step before, if it was left open, to the beginning of this one. */
  #cross(bridge: Bridge, update: WindowUpdate | null): void {
    const open = this.#open;
    this.#enter(bridge.operator, update ? UPDATE : bridge.lead!.call.name);
    const displacements = update?.begin() ?? null;
    if (open === null) bridge.head!.record(bridge.headParams, displacements);
    else {
      this.#open = null;
      this.#gpu.stream.keepBack(null);
      this.#wait(bridge.pairs.finish(open.begun, displacements));
    }
    if (update) this.#update(update, bridge.pairs);
    this.#flush();
  }

  /** Captures the end of the step, which is recorded with what comes next. */
  #leaveOpen(bridge: Bridge): void {
    this.#enter(bridge.tailOperator, bridge.lead!.call.name);
    const begun = bridge.pairs.begin();
    const captured = bridge.tail ? bridge.tail.capture() : null;
    this.#open = { begun, captured };
    this.#gpu.stream.keepBack(this.#recordEnd);
  }

  /** Records an open end by itself. */
  #end(): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    const { bridge } = this.#fusion!;
    const { operator, operation } = this.#gpu;
    this.#enter(bridge!.tailOperator, bridge!.lead!.call.name);
    open.begun.dispatch.record();
    if (open.captured) bridge!.tail!.record(bridge!.tailParams, null, open.captured);
    this.#enter(operator, operation);
  }

  #group(group: ReadyGroup, update: WindowUpdate | null): void {
    const { lead, lists, single, pairs, joined } = group;
    this.#enter(group.operator, nameOf(group));
    const displacements = update?.begin() ?? null;
    if (single) single.call.record(single.args);
    else if (pairs) this.#wait(pairs.finish(pairs.begin(), displacements));
    else if (joined) joined.record(group.params, displacements);
    else if (lead) lead.call.recordOver(lead.args, lead.zeroed);
    else lists!.note.record([], displacements);
    if (update) this.#update(update, pairs);
    this.#flush();
  }

  /** Rebuilds the lists if they are due; the kernel that moved the particles may bin them on the way. */
  #update(update: WindowUpdate, pairs: PairGroup | null): void {
    if (!update.rebuilds) return;
    const bin = (_grid: Grid, target: BinTarget): boolean => {
      if (!this.#record || !pairs) return false;
      if (++this.#rebuilds <= FIRST_REBUILDS || !pairs.mayBin) return false;
      this.#bin = target;
      return true;
    };
    update.rebuild({ bin });
  }

  /** Something is recorded before the next command, and may be told to bin until then. */
  #wait(record: (bin: BinTarget | null) => void): void {
    this.#record = record;
    this.#bin = null;
    this.#gpu.stream.keepBack(this.#recordWaiting);
  }

  #flush(): void {
    const record = this.#record;
    if (record === null) return;
    this.#record = null;
    this.#gpu.stream.keepBack(null);
    record(this.#bin);
  }

  #enter(operator: string, operation: string): void {
    this.#gpu.operator = operator;
    this.#gpu.operation = operation;
  }

  get #rules(): JoiningRules {
    const { maxStorageBuffersPerShaderStage: most } = this.#gpu.limits;
    return {
      mayShare: ({ call: { functor, alone } }) =>
        !alone.text.tables[0]!.hasTables && !functor.spec.wgsl,
      mayJoin: (cells) => cells.length <= MOST_JOINED && bindingsOf(cells) <= most,
      mayFollow: ({ call, args, zeroed }, cells) => {
        if (cells.length > MOST_JOINED) return false;
        const { program, dispatch } = call.bind(args, zeroed);
        const texts = cells.map((cell) => cell.call.alone.text);
        return mayExtend(program, texts, most - dispatch.otherBindings);
      },
      cleared: ({ call: { functor } }, { call, args }) => {
        const zeroed = zeroedBlocks(functor, this.grid);
        if (zeroed.size === 0) return NOTHING;
        return call.bind(args, zeroed).program.fresh.size > 0 ? zeroed : NOTHING;
      },
    };
  }
}

/** Calls of a group. */
function lengthOf({ lead, cells, lists, single }: Group): number {
  const leading = lead ? leadingCalls(lead) : 0;
  return leading + cells.length + (lists ? 1 : 0) + (single ? 1 : 0);
}

/** The pair call, and the one before it that clears what it adds to. */
const leadingCalls = ({ zeroed }: LeadingPairs): number => (zeroed === NOTHING ? 1 : 2);

const paramsOf = (cells: readonly JoinedCall[]): readonly ParameterValues[] =>
  cells.map(({ args }) => args.params);

const nameOf = ({ lead, cells, lists, single }: Group): string =>
  (lead ?? single ?? cells[0])?.call.name ?? lists!.name;

/** Bindings of one kernel for some cell calls and a note of displacements. */
function bindingsOf(cells: readonly JoinedCall[]): number {
  const names = new Set(
    cells.flatMap(({ call }) => call.alone.text.blocks.map(({ name }) => name)),
  );
  names.add('position');
  return names.size + displacementText.buffers.length + 1;
}
