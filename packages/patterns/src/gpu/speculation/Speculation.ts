import type { Grid } from '@corpuscle/core';
import { type Settable, settable } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, NeighborUpdate } from '../../plan/calls.js';
import { strainOf } from '../box/DeviceStrain.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { Recordable } from '../calls/DeviceCall.js';
import type { ListUpdates } from '../neighbors/ListUpdates.js';
import type { FusedStep } from '../step/FusedStep.js';
import { CallEntry, UpdatesEntry } from './entries.js';
import { examine, type Findings, foundBy } from './examine.js';
import { repeatWindows, whyRepeat } from './repeatWindows.js';
import { type Entry, type SpeculationWindow, UNREAD } from './SpeculationWindow.js';
import { WindowPool } from './WindowPool.js';

/**
 * Bytes of a snapshot times updates up to which the records of a window without results wait to be read with those of the next: with
 * results a thousand steps apart nothing else is read. If more windows waited, more steps would be made again when lists have been used
 * too long.
 */
const MOST_UNREAD_WORK = 2 ** 34;
/** Entries of a window; more make it end. */
const MOST_ENTRIES = 8192;
/** Which part of what lists allow for a prescribed strain may use up in a window, unless a step takes more. */
const USED_UP = 0.75;

/**
 * Runs steps without asking the device whether the neighbor lists are still good; the page of the GPU engine (README.md) draws
 * it. Records of closed windows are read later, together with results. Where they say that a list was used too long or had too
 * little room, the snapshot of that window is put back, and all calls since then are recorded again.
 */
export class Speculation {
  readonly #runner: CallRunner;
  readonly #deterministic: boolean;
  readonly #closed: SpeculationWindow[] = [];
  #open: SpeculationWindow | null = null;
  /** Windows of the grid that had one last. */
  #pool: WindowPool | null = null;
  /** How often records have been asked for. */
  #batch = 0;
  /** Windows repeated so far. */
  repeats = 0;
  /** Steps recorded as a whole so far. */
  fusedSteps = 0;
  /** Bytes of a snapshot from which on a window is proved before the next begins. */
  largeSnapshot = 2 ** 32;

  /** @param deterministic take the same steps whatever results are asked for: their records do not wait for results. */
  constructor(runner: CallRunner, deterministic: boolean) {
    this.#runner = runner;
    this.#deterministic = deterministic;
  }

  /** What must be awaited before a call can be made on a grid, or on values alone; null when nothing. */
  before(grid: Grid | null): Promise<void> | null {
    return grid === null || this.continues(grid) ? null : this.settle();
  }

  /** Whether a call simply goes on with the open window; `before` says what it waits for otherwise. */
  continues(grid: Grid | null): boolean {
    const open = this.#open;
    if (open === null || !this.covers(grid)) return false;
    return open.entries.length < MOST_ENTRIES && !open.isStale;
  }

  /** Whether a step is within the open window from its first call to its last. */
  mayRecord({ grid, updates }: FusedStep): boolean {
    if (!this.continues(grid)) return false;
    if (updates.length > 0 && this.#isOver(this.#open!)) return false;
    const { neighbors } = this.#runner;
    return updates.every(({ plan }) => neighbors.staleReason(plan) === null);
  }

  /** Whether anything is not proved yet. */
  get active(): boolean {
    return this.#open !== null || this.#closed.length > 0;
  }

  /** Whether calls on this grid, or on values alone, are part of the open window. */
  covers(grid: Grid | null): boolean {
    return this.#open !== null && (grid === null || this.#open.grid === grid);
  }

  /** A call of the open window. Its result, if it has one, waits for the proof. */
  call<R>(call: Recordable<R>, args: CallArguments): PatternHandle<R> {
    const open = this.#open!;
    const entry = new CallEntry(this.#runner.gpu, call, args);
    this.#add(entry);
    // Without a result there is nothing that could prove wrong.
    if (entry.attempt!.done) return entry.attempt!;
    const result = this.#later<R>(open);
    entry.result = result;
    open.results++;
    this.#pool!.rebuilds.length.asked(open.updates);
    return result;
  }

  /** A step that `mayRecord`, once, or as often as it only notes displacements. @returns how often */
  steps(step: FusedStep, most: number): number {
    const open = this.#open!;
    const last = open.entries[open.entries.length - 1];
    const made = last instanceof UpdatesEntry ? last.takesMore(step, most) : 0;
    if (made === 0) this.#add(new UpdatesEntry(open, step, step.nextBoxes()));
    this.fusedSteps += made || 1;
    return made || 1;
  }

  #add(entry: Entry): void {
    const open = this.#open!;
    entry.record();
    open.entries.push(entry);
  }

  /** Whether an update can be part of a window: lists must exist and fit, and the newest positions must be on the device. */
  #isReady({ grid, plan }: ListUpdates): boolean {
    const { neighbors, residency } = this.#runner;
    if (grid.count === 0 || residency.isStale(grid.block('position'))) return false;
    return neighbors.staleReason(plan) === null;
  }

  /** Whether a window ends before its next update: also where a prescribed strain will soon be more than its lists allow for. */
  #isOver(open: SpeculationWindow): boolean {
    if (this.#pool!.rebuilds.length.isOver(open)) return true;
    return (strainOf(open.grid)?.used ?? 0) > USED_UP;
  }

  /** What must be awaited before an update, which may begin a new window. */
  beforeUpdate(call: ListUpdates): Promise<void> | null {
    const { neighbors } = this.#runner;
    const goesOn = this.continues(call.grid) && neighbors.staleReason(call.plan) === null;
    if (goesOn && !this.#isOver(this.#open!)) return null;
    if (goesOn) this.#close();
    return this.#begin(call);
  }

  /** An update on a grid that a window covers. */
  update(call: ListUpdates): PatternHandle<NeighborUpdate> {
    const open = this.#open!;
    const result = this.#later<NeighborUpdate>(open);
    this.#add(new UpdatesEntry(open, call, [], result));
    return result;
  }

  /** Makes sure that everything called so far is done and good, and ends the window; null where nothing is unproved. */
  settle(): Promise<void> | null {
    if (!this.active) return null;
    this.#close();
    return this.#prove();
  }

  /** The same, but the window goes on. So awaiting a result changes no step that follows. */
  prove(): Promise<void> | null {
    return this.active ? this.#prove() : null;
  }

  async #prove(): Promise<void> {
    this.#awaitRecords();
    const open = this.#open;
    const isBehind = () => open && open === this.#open && open.delivered < open.entries.length;
    while (this.#closed.length > 0 || isBehind()) await this.#proveWindow(this.#closed[0] ?? open!);
  }

  /** Forgets everything, for instance because the device is lost. */
  abandon(error: unknown): void {
    for (const window of this.#unproved) for (const entry of window.entries) entry.fail(error);
    this.#closed.length = 0;
    this.#open = null;
  }

  /** Begins a window, when all have been proved whose records were asked for before the last time. */
  async #begin(call: ListUpdates): Promise<void> {
    const { grid } = call;
    const { residency } = this.#runner;
    if (this.#open || this.#closed[0]?.grid !== grid) await this.settle();
    while (this.#closed[0] && this.#closed[0].batch < this.#batch) await this.#proveWindow();
    // There is memory for one large snapshot, and a window takes so long that a wait at its end does not count.
    const isLarge = (this.#closed[0]?.snapshot.bytes ?? 0) > this.largeSnapshot;
    if (isLarge || !this.#isReady(call)) await this.settle();
    if (!this.#isReady(call)) return;
    // What the host has written belongs to the snapshot too, whether or not a kernel will look at it.
    for (const block of grid.blocks.values())
      if (residency.isStale(block)) residency.ensure(block, grid.count);
    this.#open = await this.#poolOf(grid).next();
  }

  /** Forgets what was learned from a grid; nothing on it is under way. */
  forget(grid: Grid): void {
    if (this.#pool?.grid !== grid) return;
    this.#pool.free();
    this.#pool = null;
  }

  #poolOf(grid: Grid): WindowPool {
    if (this.#pool?.grid === grid) return this.#pool;
    this.#pool?.free();
    this.#pool = new WindowPool(this.#runner, grid, this.#deterministic);
    grid.onFree(() => this.forget(grid));
    return this.#pool;
  }

  #close(): void {
    const window = this.#open;
    if (!window) return;
    this.#runner.gpu.stream.recordDeferred(); // an open end of a step belongs to it
    this.#closed.push(window);
    this.#open = null;
    const [, another] = this.#closed.filter(({ batch }) => batch === UNREAD);
    const isLarge = window.snapshot.bytes * window.updates > MOST_UNREAD_WORK;
    if (window.results > 0 || this.#deterministic || isLarge || another) this.#requestRecords();
  }

  /** Asks for the records of all closed windows that have not been asked for; nothing waits here. */
  #requestRecords(): void {
    const unread = this.#closed.filter(({ batch }) => batch === UNREAD);
    if (unread.length === 0) return;
    this.#batch++;
    for (const window of unread) window.end(this.#batch);
    this.#runner.gpu.stream.flush();
  }

  /** The same for records that are awaited. */
  #awaitRecords(): void {
    this.#runner.gpu.stream.arrivals.watchClosely();
    this.#requestRecords();
  }

  /** The handle of a result that waits for the proof of its window. */
  #later<R>(window: SpeculationWindow): Settable<R> {
    return settable<R>((handle) => {
      if (!handle.done) this.#runner.inOrder(() => this.#finish(window, handle));
    });
  }

  async #finish(window: SpeculationWindow, handle: PatternHandle<unknown>): Promise<void> {
    if (this.#open === window) await this.prove();
    this.#awaitRecords();
    while (!handle.done && this.#closed.includes(window)) await this.#proveWindow();
  }

  /**
   * Waits for the records of the oldest window, and delivers its results, or repeats it and all after it.
   * @param window the oldest that is closed; or the open one, which stays open.
   */
  async #proveWindow(window = this.#closed[0]!): Promise<void> {
    const isClosed = window !== this.#open;
    try {
      const words = await window.found();
      const found = await this.#checkLists(window, words);
      if (found === null) return;
      if (isClosed) {
        this.#pool?.rebuilds.learn(window, found.ages);
        this.#closed.shift();
      }
      window.deliver(foundBy(window, words, found.brokenAt));
      if (!isClosed) return;
      if (this.#pool?.grid === window.grid) this.#pool.retire(window);
      else window.free();
    } catch (error) {
      this.abandon(error);
      throw error;
    }
  }

  /** Whether the lists were good; if not, null, and all calls since the snapshot have been made again. */
  async #checkLists(window: SpeculationWindow, words: Uint32Array): Promise<Findings | null> {
    const found = examine(window, words);
    if (found.isStopped) this.#runner.gpu.resident.didNotMeet(!this.#deterministic);
    const repetition = await whyRepeat(this.#runner, this.#pool!, window, found);
    if (repetition === null) return found;
    // Made again, the first update finds particles sorted differently than the lists were.
    if (found.isStopped || !found.isStrained)
      window.movedBefore ??= new Float32Array(words.buffer)[0]!;
    if (repetition.early) this.#closed.unshift(repetition.early);
    this.repeats++;
    repeatWindows(this.#runner, [...this.#unproved], repetition);
    return null;
  }

  /** Windows that are closed, and the open one. */
  get #unproved(): readonly SpeculationWindow[] {
    return this.#open ? [...this.#closed, this.#open] : this.#closed;
  }
}
