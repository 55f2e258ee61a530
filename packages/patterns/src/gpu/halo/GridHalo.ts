import type { BlockSpec, FieldBlock, Grid } from '@corpuscle/core';
import type {
  ArrivingRows,
  DeviceHalo,
  HaloBricks,
  HaloCall,
  HaloFrame,
  HaloMove,
  HaloOrigin,
  HaloReach,
  HaloRegion,
  MovingRows,
  SentRows,
} from '../../engine/DeviceHalo.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { RowsOnDevice } from '../calls/JoinedCells.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { GhostShares } from './GhostShares.js';
import { prepareMove } from './GridMove.js';
import { HaloBuffers } from './HaloBuffers.js';
import { HaloWays } from './HaloWays.js';
import { findRows, firstRows } from './haloKernels.js';
import { endsOf, extentOf } from './haloRegions.js';
import { keepGhostPairs, keepNeighborhoods } from './keepKernel.js';
import { Migration } from './Migration.js';
import { NotedDisplacement } from './NotedDisplacement.js';
import { numbersFrom } from './numbersFrom.js';
import { PlacedRows } from './PlacedRows.js';
import { RowSelection } from './RowSelection.js';
import { Staging } from './Staging.js';
import { strainGrid } from './strainGrid.js';

/** What tells after a sort which row was which. */
const place = { name: 'halo_place', type: 'u32', width: 1, members: ['halo_place'] } as const;

/** The halo of a grid on this device. Nothing is called on either grid while it works: those who use it see to that. */
export class GridHalo implements DeviceHalo {
  readonly #runner: CallRunner;
  readonly #own: Grid;
  readonly #seen: Grid;
  readonly #staging: Staging;
  readonly #buffers: HaloBuffers;
  readonly #selection: RowSelection;
  readonly #migration: Migration;
  readonly #noted: NotedDisplacement;
  readonly #ways: HaloWays;
  readonly #placed: PlacedRows;
  readonly #shares: GhostShares;
  /** Where all own particles are in the halo: the block that tells them from ghosts. */
  readonly #whole: FieldBlock | null;
  /** Rows that others see, by region, border particles and ghosts. */
  #sentOf: readonly number[] = [];
  #sent = 0;
  #border = 0;
  #ghosts = 0;

  /** @param own the particles of the rank. @param seen border particles and ghosts. @param whole see `HaloDevice` */
  constructor(runner: CallRunner, own: Grid, seen: Grid, whole?: BlockSpec) {
    this.#runner = runner;
    this.#own = own;
    this.#seen = seen;
    this.#staging = new Staging(runner.gpu);
    this.#buffers = new HaloBuffers(runner, this.#staging);
    this.#selection = new RowSelection(runner, this.#staging);
    const parts = [this.#buffers, this.#staging, this.#selection] as const;
    this.#migration = new Migration(runner, own, ...parts);
    this.#noted = new NotedDisplacement(runner, this.#buffers, own);
    this.#ways = new HaloWays(runner, this.#buffers, own, seen);
    this.#placed = new PlacedRows(runner, this.#buffers, own, seen);
    this.#shares = new GhostShares(runner, this.#buffers, this.#staging, own, seen);
    seen.addBlock(place);
    this.#whole = whole ? seen.addBlock(whole) : null;
    if (!whole) runner.neighbors.setRegion(seen, own);
  }

  get frame(): HaloFrame {
    return this.#frame;
  }

  get #frame(): PositionFrame {
    return this.#runner.residency.ensurePositions(this.#own).frame;
  }

  bytesPerRow(block: FieldBlock): number {
    return this.#isWay(block) ? this.#ways.bytesPerRow : 4 * this.#ofOwn(block).wordsTogether;
  }

  #isWay(block: FieldBlock): boolean {
    return this.#ways.areTold && block.spec.name === 'position';
  }

  leave(division: HaloBricks): Promise<readonly MovingRows[]> {
    this.#setBox(this.#own);
    return this.#migration.leave(division);
  }

  arrive(arriving: readonly MovingRows[], frames: readonly HaloFrame[]): number {
    return this.#migration.arrive(arriving, frames);
  }

  setRegion(region: HaloRegion): void {
    this.#runner.neighbors.setExtent(this.#own, extentOf(region));
  }

  async sort(which: 'own' | 'halo', reach: HaloReach): Promise<() => Promise<boolean>> {
    const grid = which === 'own' ? this.#own : this.#seen;
    this.#setBox(grid);
    this.#noted.forget();
    if (which === 'own') this.restart(reach);
    return grid.count === 0 ? async () => true : this.#runner.neighbors.sort({ grid, ...reach });
  }

  restart({ skin }: HaloReach): void {
    this.#ways.begin(skin);
  }

  async select(regions: readonly HaloRegion[]) {
    const { rows, counts } = await this.#selection.find(this.#own, regions, 'seen');
    const ofRegions = [...counts.subarray(0, regions.length)];
    this.#sentOf = ofRegions;
    this.#sent = ofRegions.reduce((sum, one) => sum + one, 0);
    this.#keepRows('sent', rows, 0, this.#sent);
    if (this.#whole) {
      this.#border = this.#own.count;
      this.#buffers.upload('border from', numbersFrom(0, this.#border));
    } else {
      this.#border = counts[regions.length]!;
      this.#keepRows('border from', rows, this.#sent, this.#border);
      this.#noted.mark(this.#borderFrom);
    }
    return { counts: ofRegions, border: this.#border };
  }

  #keepRows(name: string, rows: GPUBuffer, first: number, count: number): void {
    const buffer = this.#buffers.reserve(name, 4 * count);
    if (count > 0) this.#runner.gpu.stream.copy(rows, buffer, 4 * count, 4 * first);
  }

  begin(origins: readonly (HaloOrigin & { readonly ghosts: number })[], region: HaloRegion): void {
    const { residency, neighbors } = this.#runner;
    const ends = endsOf(origins);
    const ghosts = ends.at(-1) ?? 0;
    this.#setBox(this.#seen);
    this.#ghosts = ghosts;
    if (this.#isEmpty) return;
    neighbors.setExtent(this.#seen, extentOf(region));
    const { count } = this.#seen;
    const { buffer: places } = residency.resize(this.#seen.block(place.name), count);
    residency.resize(this.#seen.block('position'), count, this.#frame);
    const rows = [
      this.#buffers.upload('ends of origins', ends),
      places,
      this.#buffers.reserve('seen to', 4 * count),
      this.#buffers.reserve('seen from', 4 * count),
    ];
    this.#buffers.dispatch(firstRows, rows, { count, ghosts, origins: origins.length }, count);
    this.#placed.begin([{ frame: this.frame, shift: [0, 0, 0] }, ...origins]);
  }

  /** Whether nobody is here that own particles meet, or no particle at all. */
  get #isEmpty(): boolean {
    return this.#whole ? this.#seen.count === 0 : this.#ghosts === 0;
  }

  sorted(): void {
    const { residency } = this.#runner;
    const { count } = this.#seen;
    this.#ways.built(this.#isEmpty ? [this.#own] : [this.#own, this.#seen]);
    if (this.#isEmpty) return;
    const places = residency.ensure(this.#seen.block(place.name), count);
    const isGhost = this.#buffers.reserve('ghosts', 4 * count);
    const rows = [places.buffer, this.#buffers.named('seen to'), isGhost];
    this.#buffers.dispatch(findRows, rows, { count, ghosts: this.#ghosts }, count);
    const kept = [this.#runner, this.#buffers, this.#seen, isGhost] as const;
    if (this.#whole) keepNeighborhoods(...kept, this.#whole);
    else keepGhostPairs(...kept);
  }

  send(block: FieldBlock): SentRows {
    const count = this.#sent;
    if (count === 0) return { bytes: Promise.resolve(new Uint8Array(0)), release() {} };
    const bytes = this.bytesPerRow(block) * count;
    const packed = this.#buffers.reserve(`sent ${block.spec.name}`, bytes);
    this.#pack(block, { buffer: this.#buffers.named('sent'), length: count }, packed, 0);
    const read = { from: packed, bytes };
    if (block.spec.name !== 'position' || !this.#noted.isKnown) return this.#staging.read([read]);
    const { bytes: all, release } = this.#staging.read([this.#noted.record, read]);
    this.#noted.arrives(all);
    return { bytes: all.then((both) => both.subarray(-bytes)), release };
  }

  /** @param first rows before them in `packed` */
  #pack(block: FieldBlock, rows: RowsOnDevice, packed: GPUBuffer, first: number): void {
    if (this.#isWay(block)) this.#ways.pack(rows, packed, first);
    else this.#buffers.gather(this.#ofOwn(block), rows, packed, first);
  }

  /** Rows of the border are packed behind those that arrive. */
  arriving(block: FieldBlock): ArrivingRows {
    const bytesPerRow = this.bytesPerRow(block);
    const bytes = bytesPerRow * this.#ghosts;
    if (this.#isEmpty) return { bytes: new Uint8Array(0), take() {} };
    const staged = bytes === 0 ? null : this.#staging.write(bytes);
    const take = (): void => {
      const all = bytesPerRow * this.#seen.count;
      const landed = this.#buffers.reserve(`arrived ${block.spec.name}`, all);
      staged?.upload(landed);
      this.#pack(block, this.#borderFrom, landed, this.#ghosts);
      if (this.#isWay(block)) this.#ways.place(landed);
      else if (block.spec.name === 'position') this.#placed.positions(landed);
      else this.#placed.rows(block, landed);
    };
    return { bytes: staged?.bytes ?? new Uint8Array(0), take };
  }

  sendBack(block: FieldBlock): SentRows {
    return this.#shares.send(block, this.#ghosts);
  }

  arrivingBack(block: FieldBlock): ArrivingRows {
    return this.#shares.arriving(block, this.#sentOf);
  }

  strain(numbers: readonly number[], which: 'all' | 'halo'): void {
    if (which === 'all') strainGrid(this.#runner, this.#buffers, this.#own, numbers);
    if (!this.#isEmpty) strainGrid(this.#runner, this.#buffers, this.#seen, numbers);
  }

  moved(): Promise<number> {
    return this.#noted.isKnown ? this.#noted.read() : this.#runner.neighbors.moved(this.#own);
  }

  prepareMove(calls: readonly HaloCall[]): HaloMove | null {
    return prepareMove(this.#runner, this.#own, calls, this.#noted, () => this.#borderFrom);
  }

  submit(): void {
    this.#staging.submit();
  }

  clear(names: readonly string[]): void {
    const { gpu, residency } = this.#runner;
    for (const name of names) {
      const block = this.#seen.block(name);
      gpu.stream.clear(residency.ensure(block, this.#seen.count).buffer);
      residency.written(block);
    }
  }

  collect(names: readonly string[]): void {
    for (const name of names) this.#placed.collect(name, this.#ghosts);
    this.#staging.submit();
  }

  free(): void {
    this.#buffers.free();
    this.#selection.free();
    this.#staging.free();
  }

  /** A block of the own grid on the device. */
  #ofOwn(block: FieldBlock): DeviceBlock {
    const { residency } = this.#runner;
    if (block.spec.name === 'position') return residency.ensurePositions(this.#own);
    return residency.ensure(block, this.#own.count);
  }

  get #borderFrom(): RowsOnDevice {
    return { buffer: this.#buffers.named('border from'), length: this.#border };
  }

  /** Sets the present box of a grid for the calls that follow. */
  #setBox(grid: Grid): void {
    const { residency } = this.#runner;
    residency.setBox(grid, residency.boxFor(grid, grid.domain));
  }
}
