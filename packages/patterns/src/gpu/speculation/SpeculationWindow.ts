import type { Domain, Grid } from '@corpuscle/core';
import type { NeighborUpdate } from '../../plan/calls.js';
import { type StrainState, strainOf } from '../box/DeviceStrain.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { Readback } from '../device/Readbacks.js';
import { DisplacementRecords, type DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import { RECORD_WORDS } from '../neighbors/displacementText.js';
import { type FastLimits, fastLimits, mostFastOf, votesBeyond } from '../neighbors/fastLimits.js';
import type { ListUpdates } from '../neighbors/ListUpdates.js';
import { isClosed } from '../neighbors/listFrame.js';
import type { Extent } from '../residency/PositionFrame.js';
import type { Binner } from '../sort/Binning.js';
import type { Limits } from './listAge.js';
import { Snapshot } from './Snapshot.js';

/** An update of the lists in a window, and what the present attempt made of it. */
export class UpdateRecord {
  readonly call: ListUpdates;
  /** Whether it rebuilds the lists, once it has begun. */
  rebuilds = false;
  /** Whether the device decides on that. */
  votes = false;
  /** Updates since the build that it found, 0 for a rebuild. */
  age = 0;
  /** Its record on the device. */
  slot = 0;
  /** Whether particles that have gone far are listed there. */
  listsFast = false;
  /** The window that it is in. */
  window: SpeculationWindow;

  constructor(window: SpeculationWindow, call: ListUpdates) {
    this.window = window;
    this.call = call;
  }
}

/** Calls made while the engine runs ahead, to be made again if need be. */
export interface Entry {
  /** Its updates of the lists, in their order. */
  readonly updates: readonly UpdateRecord[];
  /** Records it, for the first time or again. */
  record(): void;
  /** The window has proved good: what was asked for is given. */
  deliver(found: (record: UpdateRecord) => NeighborUpdate): void;
  /** Nothing will come of it. */
  fail(error: unknown): void;
}

/** Particles that have gone far are listed from this part of a list's life on; sooner no particle has gone too far. */
const LATE = 2 / 3;

/** Which part of what lists allow for a prescribed strain may have used up at the beginning of a window. */
const TAKEN_IN = 0.25;

/** Workgroups vote for lists that would serve so many updates at least: lists of fewer have little time. */
const FEWEST_TO_VOTE = 4;

/** The batch of a window whose records have not been asked for. */
export const UNREAD = Infinity;

/**
 * Calls made one after the other without knowing yet whether the neighbor lists were good for them, and the state before
 * the first, which is always an update that rebuilds.
 */
export class SpeculationWindow {
  readonly grid: Grid;
  snapshot: Snapshot;
  readonly displacements: DisplacementRecords;
  readonly entries: Entry[] = [];
  number = 0;
  /** How many updates a list serves, and whether a longer interval has failed. */
  interval = 1;
  failed = false;
  /** Updates that it may have in which the device builds lists by itself. */
  mostVoted = 0;
  extent: Extent = { lower: [0, 0, 0], upper: [1, 1, 1] };
  /** The box of all its calls. */
  box: Domain;
  /** How far its lists reach beyond the cutoff; those of a later window may reach less or more. */
  skin = 0;
  /** Particles are fast that have gone farther than this part of it. */
  tauRatio = 0.5;
  /** How far particles may go beyond half of it, if fast ones do not meet; null where they may not. */
  fast: FastLimits | null = null;
  updates = 0;
  /** What the first update found when it was made first: squared displacement since the build before. */
  movedBefore: number | null = null;
  /** Calls with totals. */
  results = 0;
  /** In which batch its records were asked for. */
  batch = UNREAD;
  /** Entries whose results have been delivered. */
  delivered = 0;
  /** Updates since the last rebuild. */
  age = 0;
  /** The strain of its box when it began; null where there was none. */
  strain: StrainState | null = null;
  readonly #runner: CallRunner;
  /** Builds in place that may follow a sort, and those that may still follow the last one. */
  #mostInPlace = 0;
  #inPlaceLeft = 0;
  /** Whether it does so where steps are a series, see `residentSource`. */
  #votes = false;
  #readback: Readback | null = null;

  /** @param served a window that is no more needed, whose memory it takes. */
  constructor(runner: CallRunner, grid: Grid, served?: SpeculationWindow) {
    const { gpu, residency } = runner;
    this.#runner = runner;
    this.grid = grid;
    this.box = residency.boxOf(grid);
    this.snapshot = served?.snapshot ?? new Snapshot(gpu, residency);
    this.displacements = served?.displacements ?? new DisplacementRecords(gpu);
  }

  /** Prepares for a first or another attempt. */
  begin(): void {
    this.#takeStrainIn();
    this.updates = 0;
    this.age = 0;
    this.#readback = null;
    this.fast = null;
    const { neighbors } = this.#runner;
    this.#mostInPlace = neighbors.mostInPlace(this.grid, this.#lanes);
    this.#votes = this.mostVoted > 0 && this.#mostInPlace > 0 && this.interval >= FEWEST_TO_VOTE;
    this.#inPlaceLeft = 0; // it begins with a sort
    // Fast particles are compared by their cells, which stay behind where nothing is sorted.
    const comparesFast = isClosed(this.box) && this.#mostInPlace === 0;
    this.displacements.clear(comparesFast ? mostFastOf(this.grid.count) : 0);
    this.snapshot.take(this.grid);
  }

  /** Lists that are built now are those of the present box, where the host knows it: they allow for more strain. */
  #takeStrainIn(): void {
    const strain = strainOf(this.grid);
    if (strain && strain.used > TAKEN_IN) this.#runner.strains.takeKnownIn(this.grid, strain);
    if (strain) this.box = strain.reference;
    this.strain = strain ? strain.state : null;
  }

  /** Threads that share a particle. */
  get #lanes(): number {
    return this.#runner.pairs.lanesFor(this.grid.count);
  }

  /** Particles. */
  get count(): number {
    return this.grid.count;
  }

  /** How far particles may move while its lists stay good. */
  get limits(): Limits {
    const { skin, fast, count } = this;
    return { skin, tau: fast?.tau ?? skin / 2, mostFast: fast?.mostFast ?? 0, count };
  }

  /** Whether the next update rebuilds the lists. */
  get rebuildsNext(): boolean {
    return this.updates === 0 || this.age + 1 >= this.interval;
  }

  /** Whether the next update rebuilds the lists, without a sort. */
  get buildsInPlaceNext(): boolean {
    return this.updates > 0 && this.rebuildsNext && this.#inPlaceLeft > 0;
  }

  /** Updates before the next that rebuilds the lists. */
  get updatesToRebuild(): number {
    return this.updates === 0 ? 0 : Math.max(0, this.interval - 1 - this.age);
  }

  /** How many of them do nothing but note displacements. */
  get notesNext(): number {
    const all = this.updatesToRebuild;
    return this.fast === null ? all : Math.min(all, Math.max(0, this.#late - 1 - this.age));
  }

  /** How many may do so in a series where the device builds lists by itself. */
  get votesNext(): number {
    return this.#votes && this.skin > 0 ? Math.max(0, this.mostVoted - this.updates) : 0;
  }

  /** The age from which on particles that have gone far are listed. */
  get #late(): number {
    return Math.ceil(LATE * (this.interval - 1));
  }

  /** Whether fast particles of another list's whole life may find no room. */
  get isFull(): boolean {
    return this.fast !== null && this.displacements.listsLeft < this.interval - this.#late;
  }

  /** Decides what an update does. @param votes whether the device decides. @returns where displacements are noted. */
  update(record: UpdateRecord, votes = false): DisplacementTarget {
    record.votes = votes;
    record.rebuilds = !votes && this.rebuildsNext;
    record.slot = this.updates++;
    this.age = record.age = record.rebuilds ? 0 : this.age + 1;
    const isLate = !record.rebuilds && record.age >= this.#late;
    record.listsFast = isLate && this.fast !== null && this.displacements.listsLeft > 0;
    const { reference } = this.#runner.neighbors.lists(this.grid)!;
    const limits = record.listsFast ? this.fast : null;
    const beyond = this.#votes && this.skin > 0 ? votesBeyond(this.skin) : Infinity;
    return this.displacements.target(reference.buffer, record.slot, limits, beyond);
  }

  /** Rebuilds the lists for an update. @param binner may bin the particles on the way. */
  rebuild({ slot }: UpdateRecord, binner: Binner | null): void {
    const { neighbors } = this.#runner;
    const { buffer } = this.displacements;
    if (this.#inPlaceLeft > 0) {
      this.#inPlaceLeft--;
      neighbors.recordInPlace(this.grid, buffer, slot, this.#lanes);
      return;
    }
    this.#inPlaceLeft = this.#votes ? Infinity : this.#mostInPlace;
    const at = RECORD_WORDS * slot + 2;
    neighbors.recordRebuild(this.grid, this.extent, buffer, at, binner);
    const lists = neighbors.lists(this.grid)!;
    this.skin = lists.effectiveSkin;
    // The boxes where it is not null have one frame throughout.
    if (this.#mostInPlace === 0) this.fast ??= fastLimits(lists, this.tauRatio);
  }

  /** Whether the host has written to the grid, changed its box, or added a block. */
  get isStale(): boolean {
    return this.#runner.residency.boxOf(this.grid) !== this.box || this.snapshot.isStale(this.grid);
  }

  /** Asks for the records; they come some time after the next submit. */
  end(batch: number): void {
    this.batch = batch;
    this.#readback = this.#read();
  }

  /** Records of the updates of the present attempt; of those so far where the window has not ended. */
  async found(): Promise<Uint32Array> {
    const readback = this.#readback ?? this.#read();
    if (!this.#readback) readback.flush();
    return new Uint32Array(await readback.data);
  }

  #read(): Readback {
    return this.displacements.read(this.updates, this.#runner.neighbors.fastPairs, this.fast);
  }

  /** Gives its results to those who asked for them; what has been delivered before is left out. */
  deliver(found: Parameters<Entry['deliver']>[0]): void {
    const { entries } = this;
    for (let k = this.delivered; k < entries.length; k++) entries[k]!.deliver(found);
    this.delivered = entries.length;
  }

  /** Begins where another does, with its first entries; the other keeps the rest, and all results that wait. */
  takeFirst(other: SpeculationWindow, count: number): void {
    const { number, interval, failed, extent, tauRatio, movedBefore, batch, strain, box } = other;
    Object.assign(this, { number, interval, failed, extent, tauRatio });
    Object.assign(this, { movedBefore, batch, strain, box });
    this.entries.push(...other.entries.splice(0, count));
    for (const { updates } of this.entries) for (const record of updates) record.window = this;
    [this.snapshot, other.snapshot] = [other.snapshot, this.snapshot];
    this.delivered = Math.min(count, other.delivered);
    other.delivered -= this.delivered;
    other.movedBefore = null;
  }

  free(): void {
    this.snapshot.free();
    this.displacements.free();
  }
}
