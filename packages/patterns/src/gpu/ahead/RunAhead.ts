import type { Grid } from '@corpuscle/core';
import { type Settable, settable } from '../../pattern/handles.js';
import type {
  CellCall,
  NeighbourCall,
  NeighbourUpdate,
  PairCall,
  ReduceCall,
  Totals,
} from '../../pattern/PatternEngine.js';
import type { PatternHandle } from '../../pattern/PatternHandle.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { Extent } from '../residency/PositionFrame.js';
import { examine, type Findings } from './examine.js';
import { KnownCalls } from './KnownCalls.js';
import { Pace } from './Pace.js';
import { passOn } from './passOn.js';
import { type HeldStep, Rhythm } from './Rhythm.js';
import type { Snapshot } from './Snapshot.js';
import { type Patterns, StepMaker } from './StepMaker.js';
import { Stretch, UNREAD, type UpdateStep } from './Stretch.js';

/**
 * Stretches without results whose records wait to be read with those of the next: with results a thousand steps apart
 * nothing else is read. With more, more steps would be made again when lists have been used too long.
 */
const MOST_UNREAD = 1;
/** Memory for snapshots: two batches of stretches, one being recorded and one on its way. */
const SNAPSHOT_BYTES = 2 ** 30;
/** Calls in a stretch; more make it end. */
const MOST_CALLS = 8192;
const INSIDE: Extent = { lower: [0, 0, 0], upper: [1, 1, 1] };

/**
 * Runs steps without asking the device whether the neighbour lists are still good: lists are rebuilt at an interval that
 * is learnt, every update in between only notes how far particles have moved, and the notes of a stretch or two are read
 * later, together with results that somebody asked for. If they say that a list was used too long or had too little room,
 * the state from before that stretch is put back and its calls are made again, with a shorter interval or more room. So
 * nothing is ever truncated or missed, and the device never waits for the host:
 *
 *   snapshot | rebuild, step … step | rebuild, step … | snapshot | rebuild …        recorded
 *            ^ closed stretch: its records are on their way       ^ open stretch
 *
 * Results reach the user when the stretch they belong to has proved good. Intervals depend only on what the particles
 * did and on the calls that were made, never on timing, so that two runs take the same steps. Where they must be the same
 * whoever looks at results, which and when (`deterministic`), stretches have a fixed length, each is read by itself, and what
 * it shows is learnt two stretches later.
 */
export class RunAhead {
  readonly #gpu: GpuDevice;
  readonly #patterns: Patterns;
  readonly #maker: StepMaker;
  /** Called to settle in the order of calls. */
  readonly #inOrder: (task: () => Promise<void>) => void;
  readonly #deterministic: boolean;
  readonly #closed: Stretch[] = [];
  readonly #spare: Stretch[] = [];
  #open: Stretch | null = null;
  #grid: Grid | null = null;
  readonly #known = new KnownCalls();
  readonly #rhythm: Rhythm;
  #pace: Pace;
  /** How often records have been asked for. */
  #batch = 0;
  /** Stretches repeated so far. */
  repeats = 0;
  /** Steps so far that were the one before over again, and were made as a whole. */
  get wholeSteps(): number {
    return this.#rhythm.repeated;
  }

  /** @param deterministic take the same steps whatever results are asked for: their records do not wait for results. */
  constructor(
    gpu: GpuDevice,
    patterns: Patterns,
    inOrder: (task: () => Promise<void>) => void,
    deterministic = false,
  ) {
    this.#deterministic = deterministic;
    this.#gpu = gpu;
    this.#pace = this.#newPace();
    this.#patterns = patterns;
    this.#maker = new StepMaker(gpu, patterns);
    this.#rhythm = new Rhythm(gpu, patterns, this.#maker);
    this.#inOrder = inOrder;
  }

  /** What must be awaited before a call can be made on a grid; null when nothing. */
  before(grid: Grid): Promise<void> | null {
    return !this.active || this.continues(grid) ? null : this.settle();
  }

  /** Whether a call on this grid simply goes on with the open stretch; `before` says what it waits for otherwise. */
  continues(grid: Grid): boolean {
    const open = this.#open;
    return open !== null && open.grid === grid && open.steps.length < MOST_CALLS && !open.isStale;
  }

  /** Whether anything is not proved yet. */
  get active(): boolean {
    return this.#open !== null || this.#closed.length > 0;
  }

  /** Whether calls on this grid are part of a stretch. */
  covers(grid: Grid): boolean {
    return this.#open !== null && this.#open.grid === grid;
  }

  /** Takes a call that goes on with the step before over again, without making it yet; null if it is another one. */
  hold(call: CellCall | PairCall, operator: string): HeldStep | null {
    return this.#rhythm.hold(call, operator);
  }

  cells(call: CellCall): void {
    this.#rhythm.release();
    const step = this.#known.cell(call, this.#gpu.operator);
    this.#open!.steps.push(step);
    this.#patterns.cells.run(step.call);
    this.#rhythm.made(step);
  }

  totals(kind: 'pair' | 'reduce', call: PairCall | ReduceCall): PatternHandle<Totals> {
    this.#rhythm.release();
    const open = this.#open!;
    const step = this.#known.totals(kind, call, this.#gpu.operator);
    this.#maker.make(open, step);
    open.steps.push(step);
    this.#rhythm.made(step);
    // Without totals there is nothing that could prove wrong.
    if (step.attempt!.done) {
      this.#known.remember(step);
      return step.attempt!;
    }
    step.result = this.#later(open);
    open.results++;
    this.#pace.asked(open);
    return step.result;
  }

  /**
   * Whether an update can be part of a stretch, after whatever must be awaited first: lists must exist and fit, and the
   * newest state must be on the device.
   */
  async ready(call: NeighbourCall): Promise<boolean> {
    const { neighbours, residency } = this.#patterns;
    const { grid } = call;
    const stale = [...grid.blocks.values()].some((block) => residency.isStale(block));
    return !stale && neighbours.staleReason(call) === null && grid.count > 0;
  }

  /** What must be awaited before an update, which may begin a new stretch. */
  beforeUpdate(call: NeighbourCall): Promise<void> | null {
    const open = this.#open;
    if (!open || open.grid !== call.grid) return this.#begin(call);
    const fits = this.#patterns.neighbours.staleReason(call) === null;
    const before = this.before(call.grid);
    if (before || !fits) return (before ?? this.settle()).then(() => this.#begin(call));
    if (this.#pace.isOver(open)) {
      this.#close();
      return this.#begin(call);
    }
    return null;
  }

  /** An update on a grid that a stretch covers. */
  update(call: NeighbourCall): PatternHandle<NeighbourUpdate> {
    const open = this.#open!;
    const { operator } = this.#gpu;
    const result = this.#later<NeighbourUpdate>(open);
    const step: UpdateStep = {
      kind: 'update',
      operator,
      call,
      result,
      rebuilt: false,
      age: 0,
      slot: 0,
      listsFast: false,
    };
    this.#rhythm.update(open, step);
    open.steps.push(step);
    return result;
  }

  /** Makes sure that everything called so far is done and good, and ends the stretch. */
  async settle(): Promise<void> {
    this.#gpu.stream.arrivals.hurry();
    this.#close();
    this.#ask();
    while (this.#closed.length > 0) await this.#confirm();
  }

  /**
   * The same, but the stretch goes on. So awaiting a result changes no step that follows: a run takes the same steps,
   * whoever looks at it and when.
   */
  async prove(): Promise<void> {
    this.#rhythm.release();
    this.#gpu.stream.arrivals.hurry();
    this.#ask();
    while (this.#closed.length > 0) await this.#confirm();
    const open = this.#open;
    while (open && this.#open === open && open.passedOn < open.steps.length)
      await this.#confirmOpen(open);
  }

  /** Forgets everything, for instance because the device is lost. */
  abandon(error: unknown): void {
    this.#rhythm.clear();
    for (const stretch of [...this.#closed, ...(this.#open ? [this.#open] : [])])
      for (const step of stretch.steps) if (step.kind !== 'cell') step.result?.reject(error);
    this.#closed.length = 0;
    this.#open = null;
  }

  /** Begins a stretch, when all have been proved whose records were asked for before the last time. */
  async #begin(call: NeighbourCall): Promise<void> {
    const { neighbours, residency } = this.#patterns;
    const { grid } = call;
    if (this.#open) await this.settle();
    if (this.#closed[0] && this.#closed[0].grid !== grid) await this.settle();
    while (this.#closed[0] && this.#closed[0].batch < this.#batch) await this.#confirm();
    if (!(await this.ready(call))) {
      await this.settle();
      return;
    }
    if (this.#grid !== grid) {
      this.#grid = grid;
      this.#known.clear();
      this.#rhythm.clear();
      this.#pace = this.#newPace();
      this.#freeSpares();
      grid.onFree(() => this.#forget(grid));
    }
    const stretch = this.#spare.pop() ?? new Stretch(this.#gpu, this.#patterns, grid);
    this.#pace.set(stretch);
    stretch.box = residency.boxOf(grid);
    stretch.extent = stretch.box.periodic.includes(false) ? await neighbours.extent(grid) : INSIDE;
    stretch.begin();
    this.#open = stretch;
  }

  #newPace(): Pace {
    return new Pace(this.#deterministic, this.#gpu.info.software);
  }

  #freeSpares(): void {
    for (const spare of this.#spare.splice(0)) spare.free();
  }

  #forget(grid: Grid): void {
    if (this.#grid !== grid) return;
    this.#grid = null;
    this.#known.clear();
    this.#rhythm.clear();
    this.#freeSpares();
  }

  #close(): void {
    const stretch = this.#open;
    if (!stretch) return;
    this.#rhythm.release();
    this.#closed.push(stretch);
    this.#open = null;
    const unread = this.#closed.filter(({ batch }) => batch === UNREAD).length;
    const waits = stretch.results === 0 && !this.#deterministic;
    if (!waits || unread > mostUnread(stretch.snapshot)) this.#ask();
  }

  /** Asks for the records of all closed stretches that nobody has asked for; nothing waits here. */
  #ask(): void {
    const unread = this.#closed.filter(({ batch }) => batch === UNREAD);
    if (unread.length === 0) return;
    this.#batch++;
    for (const stretch of unread) stretch.end(this.#batch);
    this.#gpu.stream.flush();
  }

  /** The handle of a result that waits for the proof of its stretch; those of one stretch are hurried by one function. */
  #later<R>(stretch: Stretch): Settable<R> {
    stretch.hurry ??= (handle) => {
      if (!handle.done) this.#inOrder(() => this.#finish(stretch, handle));
    };
    return settable<R>(stretch.hurry);
  }

  async #finish(stretch: Stretch, handle: PatternHandle<unknown>): Promise<void> {
    if (this.#open === stretch) await this.prove();
    this.#ask();
    this.#gpu.stream.arrivals.hurry();
    while (!handle.done && this.#closed.includes(stretch)) await this.#confirm();
  }

  /** Waits for the records of the oldest closed stretch; passes its results on, or repeats it and all behind it. */
  #confirm(): Promise<void> {
    return this.#orAbandon(async () => {
      const stretch = this.#closed[0]!;
      const words = await stretch.found();
      const found = this.#judge(stretch, words);
      if (found === null) return;
      this.#pace.learn(stretch, found);
      this.#closed.shift();
      passOn(stretch, words, found.brokenAt);
      stretch.clear();
      if (this.#grid === stretch.grid && this.#spare.length <= MOST_UNREAD)
        this.#spare.push(stretch);
      else stretch.free();
    });
  }

  /** The same for what the open stretch holds so far; it stays open. */
  #confirmOpen(stretch: Stretch): Promise<void> {
    return this.#orAbandon(async () => {
      const words = await stretch.foundSoFar();
      const found = this.#judge(stretch, words);
      if (found) passOn(stretch, words, found.brokenAt);
    });
  }

  async #orAbandon(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.abandon(error);
      throw error;
    }
  }

  /** Whether the lists were good; if not, null, and all calls since the snapshot have been made again. */
  #judge(stretch: Stretch, words: Uint32Array): Findings | null {
    const { neighbours } = this.#patterns;
    const { grid } = stretch;
    const lists = neighbours.lists(grid);
    const found = examine(stretch, words);
    if (!lists || grid.count === 0) return found;
    const isFull = found.longest > lists.capacity;
    const isTooOld = found.interval < stretch.interval;
    if (found.brokenAt < Infinity || !(isFull || isTooOld)) return found;
    if (isFull) neighbours.makeRoom(grid, found.longest);
    if (isTooOld) this.#pace.shorten(stretch, found);
    // Made again, the first update finds particles sorted differently than the lists were.
    stretch.movedBefore ??= new Float32Array(words.buffer)[0]!;
    this.#repeat(this.#pace.again(stretch));
    return null;
  }

  /**
   * Puts the state before the oldest unproved stretch back and makes all calls since then again.
   * @param limit of intervals.
   */
  #repeat(limit: number): void {
    this.repeats++;
    this.#rhythm.drop(); // what it holds back is among the steps of the open stretch
    const open = this.#open;
    const stretches = [...this.#closed, ...(open ? [open] : [])];
    stretches[0]!.snapshot.restore(stretches[0]!.grid);
    const { residency } = this.#patterns;
    const { grid } = stretches[0]!;
    const box = residency.boxOf(grid);
    for (const stretch of stretches) {
      residency.setBox(grid, stretch.box);
      stretch.interval = Math.min(stretch.interval, limit);
      stretch.begin();
      for (const step of stretch.steps) this.#maker.make(stretch, step);
      if (stretch.batch !== UNREAD) stretch.end(stretch.batch);
    }
    residency.setBox(grid, box);
    this.#gpu.stream.flush();
  }
}

const mostUnread = ({ bytes }: Snapshot): number =>
  Math.min(MOST_UNREAD, Math.floor((SNAPSHOT_BYTES / bytes - 1) / 2));
