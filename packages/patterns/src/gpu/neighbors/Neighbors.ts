import type { Grid } from '@corpuscle/core';
import type { NeighborCall, NeighborUpdate, Plan } from '../../plan/calls.js';
import { notFinite } from '../../plan/refusals.js';
import { checkImages } from '../../plan/singleImages.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { Extent, PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import type { Binner } from '../sort/Binning.js';
import { CellSort, type Sorted } from '../sort/CellSort.js';
import { DeviceLists } from './DeviceLists.js';
import { DisplacementCheck } from './DisplacementCheck.js';
import { checkRows } from './EntryFormat.js';
import { FastPairs } from './FastPairs.js';
import { ListBuilder } from './ListBuilder.js';
import { type ListCall, ListReach } from './ListReach.js';
import { movedReason, staleReason } from './staleLists.js';

/** Lists get this much room beyond the longest one, so that most rebuilds fit. */
export const SPARE = 1.1;
/** The longest list of many particles changes little. */
const MANY = 2 ** 26;
const SPARE_OF_MANY = 1.04;

/** Keeps the neighbor lists of grids on the device: decides when they are stale, sorts, and rebuilds them. */
export class Neighbors {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #lists = new WeakMap<Grid, DeviceLists>();
  /** Where particles are known to be. */
  readonly #extents = new WeakMap<Grid, Extent>();
  readonly #garbage = new FinalizationRegistry<DeviceLists>((lists) => lists.free());
  /** How far lists reach. */
  readonly reach: ListReach;
  #sort: CellSort | null = null;
  #builder: ListBuilder | null = null;
  #displacements: DisplacementCheck | null = null;
  #fastPairs: FastPairs | null = null;
  /** Bytes of lists that are given back before larger ones are made. */
  largeLists = 2 ** 30;

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.reach = new ListReach(residency, () => this.builder.inPlace);
  }

  /** Made on first need. */
  get builder(): ListBuilder {
    this.#builder ??= new ListBuilder(this.#gpu);
    return this.#builder;
  }

  /** Made on first need. */
  get fastPairs(): FastPairs {
    this.#fastPairs ??= new FastPairs(this.#gpu);
    return this.#fastPairs;
  }

  /** Few particles at the ends of the region of another grid: they have cells of the same size, most of them empty. */
  setRegion(grid: Grid, other: Grid): void {
    this.reach.setRegion(grid, other);
  }

  /** Says where the particles of a grid are when `sort` next sorts them, so that the device is not asked. All positions are finite. */
  setExtent(grid: Grid, extent: Extent): void {
    const { periodic } = grid.domain;
    const ends = [...extent.lower, ...extent.upper];
    if (ends.every((end, k) => periodic[k % 3] || Number.isFinite(end)))
      this.#extents.set(grid, extent);
  }

  /** The lists of a grid, whether current or not. */
  lists(grid: Grid): DeviceLists | undefined {
    return this.#lists.get(grid);
  }

  /**
   * Brings the lists up to date.
   * @throws CorpuscleError BOX_TOO_THIN, NOT_FINITE, OUT_OF_MEMORY
   */
  async update(call: Plan<NeighborCall>): Promise<NeighborUpdate> {
    const { grid } = call;
    const lists = this.#listsFor(call);
    if (grid.count === 0) {
      lists.sortVersion = -1;
      return { rebuilt: false, reason: 'there are no particles', maxDisplacement: 0 };
    }
    const stale = this.staleReason(call);
    const known = await this.#examine(grid, lists, stale);
    const reason = stale ?? movedReason(known.maxDisplacement, lists.effectiveSkin);
    const { maxDisplacement } = known;
    if (reason === null) {
      return {
        rebuilt: false,
        reason: 'no particle moved more than half the skin',
        maxDisplacement,
      };
    }
    const build = this.#sortForLists(call, lists, known.extent);
    // The first build counts only; later ones find room enough nearly always.
    while (!(await build()));
    return { rebuilt: true, reason, maxDisplacement };
  }

  /**
   * Sorts within the extent that was set. The caller starts the search, and may do something else before.
   * @returns builds the lists without waiting, before another grid is sorted. It tells later whether they had room: else they have it now, and
   *   must be built again
   * @throws CorpuscleError BOX_TOO_THIN, NOT_FINITE, OUT_OF_MEMORY
   */
  async sort(call: ListCall): Promise<() => Promise<boolean>> {
    const { grid } = call;
    const lists = this.#listsFor(call);
    const extent = this.#extents.get(grid) ?? (await this.#examine(grid, lists, 'sort')).extent;
    this.#extents.delete(grid);
    return this.#sortForLists(call, lists, extent);
  }

  #sortForLists(call: ListCall, lists: DeviceLists, extent: Extent) {
    const { grid } = call;
    this.reach.set(lists, call, extent, 'now');
    const sorted = this.#sortFor(grid, lists);
    return async (): Promise<boolean> => {
      const longest = this.builder.build(lists, sorted);
      lists.sortVersion = grid.sortVersion;
      const most = await longest;
      if (most <= lists.capacity && lists.capacity > 0) return true;
      await this.#grow(lists, roomFor(most, lists.count));
      return false;
    };
  }

  /** @throws CorpuscleError BOX_TOO_THIN, OUT_OF_MEMORY */
  #listsFor({ grid, rcut }: ListCall): DeviceLists {
    const box = this.#residency.boxOf(grid);
    checkImages(grid, box, rcut);
    checkRows(grid.count, this.reach.formatFor(grid, rcut));
    let lists = this.#lists.get(grid);
    if (!lists) {
      lists = new DeviceLists(this.#gpu);
      this.#lists.set(grid, lists);
      this.#garbage.register(grid, lists);
    }
    return lists;
  }

  /** Copies the cells of the last sort to the host; does nothing when that sort was made elsewhere. */
  async fetchCells(grid: Grid): Promise<void> {
    const lists = this.#lists.get(grid);
    if (!lists?.frame || lists.sortVersion !== grid.sortVersion) return;
    const { sortVersion } = grid;
    if (grid.cells.sortVersion === sortVersion) return;
    const { dims } = lists.frame;
    const cells = dims[0] * dims[1] * dims[2];
    const readback = this.#gpu.stream.read(lists.start.buffer, 4 * (cells + 1));
    readback.flush();
    const start = new Uint32Array(await readback.data);
    grid.cells.resize(dims);
    grid.cells.start.set(start);
    grid.cells.sortVersion = sortVersion;
  }

  /** Why the lists of a grid cannot be used at all, whatever has moved; null when they can. */
  staleReason(call: Plan<NeighborCall>): string | null {
    const lists = this.#lists.get(call.grid);
    return lists ? staleReason(lists, call, this.#residency.boxOf(call.grid)) : 'first build';
  }

  /** Where particles are along open axes. @param waits for the device now; otherwise it comes with what is read next */
  async extent(grid: Grid, waits: boolean): Promise<Extent> {
    return (await this.#examine(grid, this.#lists.get(grid)!, 'extent', true, waits)).extent;
  }

  /** The farthest way of a particle since the lists were built; waits for the device. @throws CorpuscleError NOT_FINITE */
  async moved(grid: Grid): Promise<number> {
    return (await this.#examine(grid, this.#lists.get(grid)!, null, false)).maxDisplacement;
  }

  /**
   * Sorts, and builds the lists without waiting: whether they had room shows in word `at` of `most`, the largest number
   * of neighbors found.
   * @param binner of the particles, which may do so on the way.
   */
  recordRebuild(
    grid: Grid,
    extent: Extent,
    most: GPUBuffer,
    at: number,
    binner: Binner | null = null,
  ): void {
    const lists = this.#lists.get(grid)!;
    const { rcut, skin } = lists;
    this.reach.set(lists, { grid, rcut, skin }, extent, 'ahead');
    const sorted = this.#sortFor(grid, lists, binner);
    this.builder.record(lists, sorted, most, at);
    lists.sortVersion = grid.sortVersion;
  }

  /** How often in a row lists may be built in place, without a sort between. @param lanes threads that share a particle */
  mostInPlace(grid: Grid, lanes: number): number {
    const lists = this.#lists.get(grid);
    return lists ? this.builder.inPlace.most(lists, lanes) : 0;
  }

  /** The same as `recordRebuild`, but particles stay in their rows. @param slot record of the update in `displacements` */
  recordInPlace(grid: Grid, displacements: GPUBuffer, slot: number, lanes: number): void {
    const { buffer } = this.#residency.ensurePositions(grid);
    this.builder.inPlace.record(this.#lists.get(grid)!, lanes, buffer, displacements, slot);
  }

  /** Forgets the lists of a grid and their frame; their memory is kept. */
  forget(grid: Grid): void {
    const lists = this.#lists.get(grid);
    if (!lists) return;
    lists.frame = null;
    lists.frameMadeFor = { radius: 0, mostCells: 0 };
    lists.sortVersion = -1;
    lists.capacity = 0;
  }

  /** The box of a grid has become another with the same cells: lists serve what is called before they are built again. */
  followFrame(grid: Grid, frame: PositionFrame): void {
    const lists = this.#lists.get(grid);
    if (!lists?.frame) return;
    lists.frame = frame;
    lists.frameMadeFor = { radius: 0, mostCells: 0 };
    lists.isOfOtherBox = true;
  }

  /**
   * Gives lists room for `longest` neighbors a particle; they must be rebuilt. Large ones are replaced when the device has
   * done what it was asked, so that there is memory for them.
   */
  async makeRoom(grid: Grid, longest: number): Promise<void> {
    const lists = this.#lists.get(grid)!;
    await this.#grow(lists, Math.max(lists.capacity, roomFor(longest, lists.count)));
    lists.makeRoom(this.builder.mostBytes);
  }

  /** Old and new entries may not fit side by side. Dawn gives memory back when it sees that the device is done. */
  async #grow(lists: DeviceLists, capacity: number): Promise<void> {
    if (lists.bytes >= this.largeLists) {
      const { stream } = this.#gpu;
      lists.dropEntries();
      await stream.finished(); // the buffers are destroyed after this submit, and their memory is kept for the next one
      await stream.finished();
    }
    lists.capacity = capacity;
  }

  /** Displacements since the last build, and the extent along open axes; from the host where its positions are newer. */
  async #examine(
    grid: Grid,
    lists: DeviceLists,
    stale: string | null,
    withExtent = true,
    waits = true,
  ): Promise<{ maxDisplacement: number; extent: Extent }> {
    const block = grid.block('position');
    if (stale !== null && this.#residency.isStale(block)) {
      const extent = this.#residency.extents.of(grid, this.#residency.boxOf(grid));
      return { maxDisplacement: 0, extent };
    }
    const position = this.#residency.ensurePositions(grid);
    const reference = stale === null ? lists.reference.buffer : position.buffer;
    this.#displacements ??= new DisplacementCheck(this.#gpu);
    const found = await this.#displacements.run(grid, position, reference, withExtent, waits);
    if (found.notFinite >= 0) {
      await this.#residency.download(grid.block('id'));
      throw notFinite(grid, found.notFinite);
    }
    return found;
  }

  /** Sorts the particles into the cells that lists have now. */
  #sortFor(grid: Grid, lists: DeviceLists, binner: Binner | null = null): Sorted {
    this.#sort ??= new CellSort(this.#gpu);
    const packing = this.builder.packing(lists);
    return this.#sort.run(grid, this.#residency, lists.frame!, lists.start, packing, binner);
  }
}

function roomFor(longest: number, count: number): number {
  const spare = count > MANY ? SPARE_OF_MANY : SPARE;
  return Math.max(8, 4 * Math.ceil((longest * spare) / 4));
}
