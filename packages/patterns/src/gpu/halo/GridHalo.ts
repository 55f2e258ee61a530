import type { FieldBlock, Grid } from '@corpuscle/core';
import type {
  ArrivingRows,
  DeviceHalo,
  HaloFrame,
  HaloRows,
  SentRows,
} from '../../engine/DeviceHalo.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { GpuKernel, KernelSource } from '../device/GpuKernel.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { ExactFrames, shiftBetween } from './ExactFrames.js';
import {
  addRows,
  copyRows,
  gatherRows,
  ORIGIN_ROWS,
  placeArrived,
  placeBorder,
  scatterRows,
} from './haloKernels.js';
import { keepKernel } from './keepKernel.js';
import { Staging } from './Staging.js';

/** Parameters of `placeKernel`. */
type PlaceParams = Record<string, number | readonly number[]>;

/** The halo of a grid on this device. Nothing is called on either grid while it works: those who use it see to that. */
export class GridHalo implements DeviceHalo {
  readonly #runner: CallRunner;
  readonly #own: Grid;
  readonly #seen: Grid;
  readonly #staging: Staging;
  readonly #buffers = new Map<string, GrowingBuffer>();
  readonly #kernels = new Map<KernelSource, GpuKernel>();
  #rows: HaloRows | null = null;
  #params: PlaceParams = {};

  /** @param own the particles of the rank. @param seen border particles and ghosts */
  constructor(runner: CallRunner, own: Grid, seen: Grid) {
    this.#runner = runner;
    this.#own = own;
    this.#seen = seen;
    this.#staging = new Staging(runner.gpu);
  }

  get frame(): HaloFrame {
    return this.#runner.residency.ensurePositions(this.#own).frame;
  }

  bytesPerRow(block: FieldBlock): number {
    return this.#blockOf(block, this.#own).bytesPerRow;
  }

  place(rows: HaloRows): void {
    this.#rows = rows;
    this.#upload('sent', rows.sent);
    this.#upload('border from', rows.border.from);
    this.#upload('border to', rows.border.to);
    this.#upload('ghosts from', rows.ghosts.from);
    this.#upload('ghosts to', rows.ghosts.to);
    if (rows.ghosts.to.length === 0) return;
    this.#placeFrames(rows);
    this.#keepGhostPairs(rows.ghosts.to);
  }

  send(block: FieldBlock): SentRows {
    const { bytesPerRow, buffer, words } = this.#ownRows(block);
    const count = this.#rows!.sent.length;
    if (count === 0) return { bytes: Promise.resolve(new Uint8Array(0)), release() {} };
    const bytes = bytesPerRow * count;
    const packed = this.#buffer(`sent ${block.spec.name}`, bytes);
    this.#move(gatherRows, [buffer, this.#named('sent'), packed], count, words);
    return this.#staging.read(packed, bytes);
  }

  arriving(block: FieldBlock): ArrivingRows {
    const { to } = this.#rows!.ghosts;
    const bytes = this.bytesPerRow(block) * to.length;
    if (bytes === 0) return { bytes: new Uint8Array(0), take() {} };
    const staged = this.#staging.write(bytes);
    const take = (): void => {
      const landed = this.#buffer(`arrived ${block.spec.name}`, bytes);
      staged.upload(landed);
      if (block.spec.name === 'position') this.#placePositions(landed);
      else this.#placeRows(block, landed);
    };
    return { bytes: staged.bytes, take };
  }

  async moved(): Promise<number> {
    const { neighbors } = this.#runner;
    return neighbors.moved(this.#own);
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
    const count = this.#rows!.border.to.length;
    for (const name of names) {
      const own = this.#own.block(name);
      const halo = residency.ensure(this.#seen.block(name), this.#seen.count);
      const { buffer, type } = residency.ensure(own, this.#own.count);
      const rows = [this.#named('border from'), this.#named('border to')];
      this.#move(addRows, [halo.buffer, ...rows, buffer], count, type.words);
      residency.written(own);
    }
    this.#staging.submit();
  }

  free(): void {
    for (const buffer of this.#buffers.values()) buffer.free();
    this.#buffers.clear();
    this.#staging.free();
  }

  /** Exact parts of all frames that positions come in and go to. */
  #placeFrames({ origins }: HaloRows): void {
    const { residency } = this.#runner;
    const { frame } = residency.ensurePositions(this.#seen);
    const all = [{ frame: this.frame, shift: [0, 0, 0] }, ...origins];
    const shifts = all.map((origin) => shiftBetween(origin, frame));
    const exact = new ExactFrames([frame, ...all.map((origin) => origin.frame)], shifts);
    const words = new Float32Array(4 * ORIGIN_ROWS * all.length);
    all.forEach((origin, n) => {
      const { edges } = origin.frame;
      const vectors = [edges.slice(0, 3), edges.slice(3, 6), edges.slice(6, 9), shifts[n]!];
      vectors.forEach((vector, k) => {
        const { high, low } = exact.parts(vector);
        words.set(high, 4 * (ORIGIN_ROWS * n + 2 * k));
        words.set(low, 4 * (ORIGIN_ROWS * n + 2 * k + 1));
      });
    });
    this.#upload('origins', words);
    this.#params = placeParams(frame, exact);
  }

  #placePositions(landed: GPUBuffer): void {
    const { residency, neighbors } = this.#runner;
    const placed = residency.ensurePositions(this.#seen);
    const { reference } = neighbors.lists(this.#seen)!;
    const place = (source: KernelSource, from: GPUBuffer, kind: 'ghosts' | 'border'): void => {
      const rows = [this.#named(`${kind} from`), this.#named(`${kind} to`)];
      const buffers = [from, ...rows, this.#named('origins'), reference.buffer, placed.buffer];
      const count = this.#rows![kind].to.length;
      const params = { ...this.#params, count };
      this.#runner.gpu.stream.dispatchThreads(this.#kernel(source), buffers, params, count);
    };
    place(placeArrived, landed, 'ghosts');
    place(placeBorder, residency.ensurePositions(this.#own).buffer, 'border');
    residency.written(this.#seen.block('position'));
  }

  #placeRows(block: FieldBlock, landed: GPUBuffer): void {
    const { residency } = this.#runner;
    const target = this.#seen.block(block.spec.name);
    const { buffer } = residency.ensure(target, this.#seen.count);
    const own = this.#ownRows(block);
    const { border, ghosts } = this.#rows!;
    this.#move(
      scatterRows,
      [landed, this.#named('ghosts to'), buffer],
      ghosts.to.length,
      own.words,
    );
    const rows = [this.#named('border from'), this.#named('border to')];
    this.#move(copyRows, [own.buffer, ...rows, buffer], border.to.length, own.words);
    residency.written(target);
  }

  #keepGhostPairs(ghosts: Uint32Array): void {
    const { gpu, neighbors } = this.#runner;
    const { count } = this.#seen;
    const isGhost = new Uint32Array(count);
    for (const row of ghosts) isGhost[row] = 1;
    const marks = this.#upload('ghosts', isGhost);
    const { chunks, counts, format, stride } = neighbors.lists(this.#seen)!;
    const kernel = gpu.kernel(keepKernel(format));
    for (const { first, end, entries } of chunks) {
      const buffers = [marks, counts.buffer, entries.buffer];
      gpu.stream.dispatchThreads(kernel, buffers, { first, end, count, stride }, end - first);
    }
  }

  #move(source: KernelSource, buffers: readonly GPUBuffer[], count: number, words: number): void {
    const kernel = this.#kernel(source);
    this.#runner.gpu.stream.dispatchThreads(kernel, buffers, { count, words }, count * words);
  }

  #ownRows(block: FieldBlock) {
    const { buffer, bytesPerRow, type } = this.#blockOf(block, this.#own);
    return { buffer, bytesPerRow, words: type.words };
  }

  #blockOf(block: FieldBlock, grid: Grid): DeviceBlock {
    const { residency } = this.#runner;
    if (block.spec.name === 'position') return residency.ensurePositions(grid);
    return residency.ensure(block, grid.count);
  }

  #upload(name: string, words: Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>): GPUBuffer {
    const buffer = this.#buffer(name, Math.max(4, words.byteLength));
    if (words.length > 0) this.#runner.gpu.stream.upload(buffer, new Uint8Array(words.buffer));
    return buffer;
  }

  #buffer(name: string, bytes: number): GPUBuffer {
    let buffer = this.#buffers.get(name);
    if (!buffer) {
      buffer = new GrowingBuffer(this.#runner.gpu, `halo: ${name}`);
      this.#buffers.set(name, buffer);
    }
    return buffer.reserve(bytes);
  }

  #named(name: string): GPUBuffer {
    return this.#buffers.get(name)!.buffer;
  }

  #kernel(source: KernelSource): GpuKernel {
    let kernel = this.#kernels.get(source);
    if (!kernel) {
      kernel = this.#runner.gpu.kernel(source);
      this.#kernels.set(source, kernel);
    }
    return kernel;
  }
}

function placeParams(frame: PositionFrame, exact: ExactFrames): PlaceParams {
  const { dims, edges, inverse, domain } = frame;
  const [a, b, c] = [0, 3, 6].map((k) => exact.parts(edges.slice(k, k + 3))) as [Two, Two, Two];
  return {
    dims: [...dims, 0],
    periodic: [...domain.periodic.map(Number), 0],
    edgeA: [...a.high, 0],
    edgeB: [...b.high, 0],
    edgeC: [...c.high, 0],
    edgeALow: [...a.low, 0],
    edgeBLow: [...b.low, 0],
    edgeCLow: [...c.low, 0],
    inverseX: [inverse[0]!, inverse[3]!, inverse[6]!, 0],
    inverseY: [inverse[1]!, inverse[4]!, inverse[7]!, 0],
    inverseZ: [inverse[2]!, inverse[5]!, inverse[8]!, 0],
  };
}

type Two = ReturnType<ExactFrames['parts']>;
