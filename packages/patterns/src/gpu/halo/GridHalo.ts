import type { FieldBlock, Grid } from '@corpuscle/core';
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
import type { KernelSource } from '../device/GpuKernel.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { prepareMove } from './GridMove.js';
import { HaloBuffers } from './HaloBuffers.js';
import { HaloWays } from './HaloWays.js';
import {
  addRows,
  copyRows,
  findRows,
  firstRows,
  gatherRows,
  placeArrived,
  placeBorder,
  scatterRows,
} from './haloKernels.js';
import { endsOf, extentOf } from './haloRegions.js';
import { keepGhostPairs } from './keepKernel.js';
import { Migration } from './Migration.js';
import { NotedDisplacement } from './NotedDisplacement.js';
import { type PlaceParams, placeFrames } from './placeFrames.js';
import { RowSelection } from './RowSelection.js';
import { Staging } from './Staging.js';
import { WAY_BYTES } from './wayKernels.js';

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
  /** Rows that others see, border particles and ghosts. */
  #sent = 0;
  #border = 0;
  #ghosts = 0;
  #origins: readonly HaloOrigin[] = [];
  #params: PlaceParams = {};

  /** @param own the particles of the rank. @param seen border particles and ghosts */
  constructor(runner: CallRunner, own: Grid, seen: Grid) {
    this.#runner = runner;
    this.#own = own;
    this.#seen = seen;
    this.#staging = new Staging(runner.gpu);
    this.#buffers = new HaloBuffers(runner);
    this.#selection = new RowSelection(runner);
    const parts = [this.#buffers, this.#staging, this.#selection] as const;
    this.#migration = new Migration(runner, own, ...parts);
    this.#noted = new NotedDisplacement(runner, this.#buffers, own);
    this.#ways = new HaloWays(runner, this.#buffers, own, seen);
    seen.addBlock(place);
    runner.neighbors.setRegion(seen, own);
  }

  get frame(): HaloFrame {
    return this.#frame;
  }

  get #frame(): PositionFrame {
    return this.#runner.residency.ensurePositions(this.#own).frame;
  }

  bytesPerRow(block: FieldBlock): number {
    return this.#isWay(block) ? WAY_BYTES : this.#ofOwn(block).bytesPerRow;
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
    if (which === 'own') this.#ways.begin(reach.skin);
    return grid.count === 0 ? async () => true : this.#runner.neighbors.sort({ grid, ...reach });
  }

  async select(regions: readonly HaloRegion[]) {
    const { rows, counts } = await this.#selection.find(this.#own, regions, 'seen');
    const { stream } = this.#runner.gpu;
    const ofRegions = [...counts.subarray(0, regions.length)];
    this.#sent = ofRegions.reduce((sum, one) => sum + one, 0);
    this.#border = counts[regions.length]!;
    const parts = [
      ['sent', 0, this.#sent],
      ['border from', this.#sent, this.#border],
    ] as const;
    for (const [name, first, count] of parts) {
      const buffer = this.#buffers.reserve(name, 4 * count);
      if (count > 0) stream.copy(rows, buffer, 4 * count, 4 * first);
    }
    this.#noted.mark(this.#borderFrom);
    return { counts: ofRegions, border: this.#border };
  }

  begin(origins: readonly (HaloOrigin & { readonly ghosts: number })[], region: HaloRegion): void {
    const { residency, neighbors } = this.#runner;
    const ends = endsOf(origins);
    const ghosts = ends.at(-1) ?? 0;
    const border = this.#border;
    this.#setBox(this.#seen);
    this.#ghosts = ghosts;
    this.#origins = [{ frame: this.frame, shift: [0, 0, 0] }, ...origins];
    if (ghosts === 0) return;
    neighbors.setExtent(this.#seen, extentOf(region));
    const { count } = this.#seen;
    const { buffer: places } = residency.resize(this.#seen.block(place.name), count);
    residency.resize(this.#seen.block('position'), count, this.#frame);
    const rows = [
      this.#buffers.upload('ends of origins', ends),
      places,
      this.#buffers.reserve('border to', 4 * border),
      this.#buffers.reserve('ghosts to', 4 * ghosts),
      this.#buffers.reserve('ghosts from', 4 * ghosts),
    ];
    this.#buffers.dispatch(firstRows, rows, { count, border, origins: origins.length }, count);
    const frames = placeFrames(this.#origins, residency.ensurePositions(this.#seen).frame);
    this.#buffers.upload('origins', frames.words);
    this.#params = frames.params;
  }

  sorted(): void {
    const { residency } = this.#runner;
    const { count } = this.#seen;
    this.#ways.areTold = true;
    if (this.#ghosts === 0) return;
    const places = residency.ensure(this.#seen.block(place.name), count);
    const isGhost = this.#buffers.reserve('ghosts', 4 * count);
    const to = [this.#buffers.named('border to'), this.#buffers.named('ghosts to')];
    const params = { count, border: this.#border };
    this.#buffers.dispatch(findRows, [places.buffer, ...to, isGhost], params, count);
    keepGhostPairs(this.#runner, this.#buffers, this.#seen, isGhost);
  }

  send(block: FieldBlock): SentRows {
    const { buffer, type } = this.#ofOwn(block);
    const count = this.#sent;
    if (count === 0) return { bytes: Promise.resolve(new Uint8Array(0)), release() {} };
    const bytes = this.bytesPerRow(block) * count;
    const packed = this.#buffers.reserve(`sent ${block.spec.name}`, bytes);
    const rows = [buffer, this.#buffers.named('sent'), packed];
    if (this.#isWay(block)) this.#ways.pack(packed, count);
    else this.#buffers.move(gatherRows, rows, count, type.words);
    const read = { from: packed, bytes };
    if (block.spec.name !== 'position' || !this.#noted.isKnown) return this.#staging.read([read]);
    const { bytes: all, release } = this.#staging.read([this.#noted.record, read]);
    this.#noted.arrives(all);
    return { bytes: all.then((both) => both.subarray(-bytes)), release };
  }

  arriving(block: FieldBlock): ArrivingRows {
    const bytes = this.bytesPerRow(block) * this.#ghosts;
    if (bytes === 0) return { bytes: new Uint8Array(0), take() {} };
    const staged = this.#staging.write(bytes);
    const take = (): void => {
      const landed = this.#buffers.reserve(`arrived ${block.spec.name}`, bytes);
      staged.upload(landed);
      if (this.#isWay(block)) this.#ways.place(landed, this.#ghosts, this.#border);
      else if (block.spec.name === 'position') this.#placePositions(landed);
      else this.#placeRows(block, landed);
    };
    return { bytes: staged.bytes, take };
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
    const { residency } = this.#runner;
    for (const name of names) {
      const own = this.#own.block(name);
      const halo = residency.ensure(this.#seen.block(name), this.#seen.count);
      const { buffer, type } = this.#ofOwn(own);
      this.#buffers.move(
        addRows,
        [halo.buffer, ...this.#borderRows, buffer],
        this.#border,
        type.words,
      );
      residency.written(own);
    }
    this.#staging.submit();
  }

  free(): void {
    this.#buffers.free();
    this.#selection.free();
    this.#staging.free();
  }

  get #borderFrom(): RowsOnDevice {
    return { buffer: this.#buffers.named('border from'), length: this.#border };
  }

  /** Sets the present box of a grid for the calls that follow. */
  #setBox(grid: Grid): void {
    const { residency } = this.#runner;
    residency.setBox(grid, residency.boxFor(grid, grid.domain));
  }

  get #borderRows(): readonly GPUBuffer[] {
    return [this.#buffers.named('border from'), this.#buffers.named('border to')];
  }

  #placePositions(landed: GPUBuffer): void {
    const { residency } = this.#runner;
    const placed = residency.ensurePositions(this.#seen);
    residency.written(this.#seen.block('position'));
    const put = (
      source: KernelSource,
      from: GPUBuffer,
      rows: readonly GPUBuffer[],
      count: number,
    ) => {
      const buffers = [from, ...rows, this.#buffers.named('origins'), placed.buffer];
      this.#buffers.dispatch(source, buffers, { ...this.#params, count }, count);
    };
    const ghosts = [this.#buffers.named('ghosts from'), this.#buffers.named('ghosts to')];
    put(placeArrived, landed, ghosts, this.#ghosts);
    const { buffer } = residency.ensurePositions(this.#own);
    put(placeBorder, buffer, this.#borderRows, this.#border);
  }

  #placeRows(block: FieldBlock, landed: GPUBuffer): void {
    const { residency } = this.#runner;
    const target = this.#seen.block(block.spec.name);
    const { buffer } = residency.ensure(target, this.#seen.count);
    const { buffer: own, type } = this.#ofOwn(block);
    const to = this.#buffers.named('ghosts to');
    this.#buffers.move(scatterRows, [landed, to, buffer], this.#ghosts, type.words);
    this.#buffers.move(copyRows, [own, ...this.#borderRows, buffer], this.#border, type.words);
    residency.written(target);
  }

  #ofOwn(block: FieldBlock): DeviceBlock {
    const { residency } = this.#runner;
    if (block.spec.name === 'position') return residency.ensurePositions(this.#own);
    return residency.ensure(block, this.#own.count);
  }
}
