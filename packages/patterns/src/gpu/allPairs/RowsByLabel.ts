import type { Grid } from '@corpuscle/core';
import type { SharedArray } from '../../plan/createArray.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, KernelSource } from '../device/GpuKernel.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { Residency } from '../residency/Residency.js';
import { NO_ROW } from './packParticles.js';

const LANES = 256;

/** Notes where each label is; rows count from 1, so that 0 is nowhere. */
const noteSource: KernelSource = {
  label: 'all pairs: labels',
  about: 'Notes where each label is.',
  workgroupSize: LANES,
  buffers: [
    { name: 'labels', type: 'array<u32>', access: 'read' },
    { name: 'places', type: 'array<u32>', access: 'read_write' },
  ],
  params: { count: 'u32' },
  body: `
  if (index >= P.count) { return; }
  let label = labels[index];
  if (label != 0u && label <= P.count) { places[label] = index + 1u; }`,
};

/** Rows of the particles that are named; a label that no particle has gets none. */
const findSource: KernelSource = {
  label: 'all pairs: rows',
  about: 'Finds the rows of named particles.',
  workgroupSize: LANES,
  buffers: [
    { name: 'named', type: 'array<u32>', access: 'read' },
    { name: 'places', type: 'array<u32>', access: 'read' },
    { name: 'rows', type: 'array<u32>', access: 'read_write' },
  ],
  params: { length: 'u32', count: 'u32' },
  body: `
  if (index >= P.length) { return; }
  let label = named[index];
  let place = select(0u, places[min(label, P.count)], label <= P.count);
  rows[index] = select(place - 1u, ${NO_ROW}u, place == 0u);`,
};

/** Finds the present rows of particles that are named by a field, on the device. */
export class RowsByLabel {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #note: GpuKernel;
  readonly #find: GpuKernel;
  readonly #places: GrowingBuffer;
  /** The version of the labels that `#places` was made from. */
  #version = -1;

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#note = gpu.kernel(noteSource);
    this.#find = gpu.kernel(findSource);
    this.#places = new GrowingBuffer(gpu, 'all pairs: places of labels');
  }

  /** Looks where the labels are, if they have moved. @returns a number that is another when they have. */
  note(grid: Grid, labels: string): number {
    const { count } = grid;
    const block = grid.block(grid.field(labels).block);
    const { buffer, version } = this.#residency.ensure(block, count);
    if (version === this.#version) return version;
    const places = this.#places.reserve(4 * (count + 1));
    this.#gpu.stream.clear(places);
    this.#gpu.stream.dispatchThreads(this.#note, [buffer, places], { count }, count);
    this.#version = version;
    return version;
  }

  /** Writes the rows of a set to a buffer, by the last `note`. */
  find({ block, length }: SharedArray, count: number, rows: GPUBuffer): void {
    const named = this.#residency.ensure(block, length).buffer;
    const buffers = [named, this.#places.buffer, rows];
    this.#gpu.stream.dispatchThreads(this.#find, buffers, { length, count }, length);
  }

  free(): void {
    this.#places.free();
    this.#version = -1;
  }
}
