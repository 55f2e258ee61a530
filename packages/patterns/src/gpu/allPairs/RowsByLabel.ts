import type { Grid } from '@corpuscle/core';
import type { SharedArray } from '../../plan/createArray.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, KernelSource } from '../device/GpuKernel.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { Residency } from '../residency/Residency.js';

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

/** Rows of the particles that are named; a label that nobody has is noted in `fault`. */
const findSource: KernelSource = {
  label: 'all pairs: rows',
  about: 'Finds the rows of named particles.',
  workgroupSize: LANES,
  buffers: [
    { name: 'named', type: 'array<u32>', access: 'read' },
    { name: 'places', type: 'array<u32>', access: 'read' },
    { name: 'rows', type: 'array<u32>', access: 'read_write' },
    { name: 'fault', type: 'array<u32>', access: 'read_write' },
  ],
  params: { length: 'u32', count: 'u32' },
  body: `
  if (index >= P.length) { return; }
  let label = named[index];
  let place = select(0u, places[min(label, P.count)], label <= P.count);
  if (place == 0u) { fault[0] = 1u; }
  rows[index] = max(place, 1u) - 1u;`,
};

/** Finds the present rows of particles that are named by a field, on the device. */
export class RowsByLabel {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #note: GpuKernel;
  readonly #find: GpuKernel;
  readonly #places: GrowingBuffer;
  readonly #rows: Readonly<Record<'central' | 'neighbors', GrowingBuffer>>;

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#note = gpu.kernel(noteSource);
    this.#find = gpu.kernel(findSource);
    this.#places = new GrowingBuffer(gpu, 'all pairs: places of labels');
    this.#rows = {
      central: new GrowingBuffer(gpu, 'all pairs: central rows'),
      neighbors: new GrowingBuffer(gpu, 'all pairs: rows of neighbors'),
    };
  }

  /** Looks where the labels are; `find` then goes by this. */
  note(grid: Grid, labels: string): void {
    const { count } = grid;
    const block = grid.block(grid.field(labels).block);
    const places = this.#places.reserve(4 * (count + 1));
    this.#gpu.stream.clear(places);
    const buffers = [this.#residency.ensure(block, count).buffer, places];
    this.#gpu.stream.dispatchThreads(this.#note, buffers, { count }, count);
  }

  /** A buffer with the rows of a set. */
  find(
    set: 'central' | 'neighbors',
    { block, length }: SharedArray,
    count: number,
    fault: GPUBuffer,
  ): GPUBuffer {
    const rows = this.#rows[set].reserve(4 * length);
    const named = this.#residency.ensure(block, length).buffer;
    const buffers = [named, this.#places.buffer, rows, fault];
    this.#gpu.stream.dispatchThreads(this.#find, buffers, { length, count }, length);
    return rows;
  }
}
