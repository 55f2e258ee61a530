import type { Grid } from '@corpuscle/core';
import { notFinite } from '../../plan/refusals.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { RowsOnDevice } from '../calls/JoinedCells.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import { RECORD_WORDS } from '../neighbors/displacementText.js';
import type { HaloBuffers } from './HaloBuffers.js';
import { markRows } from './haloKernels.js';
import type { StagedPart } from './Staging.js';

const RECORD = 4 * RECORD_WORDS;
/** One record, and no list of fast particles. */
const VALUES = { slot: 0, list: 0, mostFast: 0, tau2: 3e38 };

/**
 * The farthest way of a particle since the lists were built, as the kernels that move particles note it, and which particles wait in the
 * first of them:
 *
 *   [ record of the displacements, four words | 0 0 0 1 1 0 … a word for each particle ]
 */
export class NotedDisplacement {
  readonly #runner: CallRunner;
  readonly #buffers: HaloBuffers;
  readonly #grid: Grid;
  /** The version of positions that it is of; −1 for none. */
  #version = -1;
  /** The record on its way to the host, where something else has been read with it. */
  #arriving: Promise<Uint32Array> | null = null;

  constructor(runner: CallRunner, buffers: HaloBuffers, grid: Grid) {
    this.#runner = runner;
    this.#buffers = buffers;
    this.#grid = grid;
  }

  /** These rows wait, and no others. */
  mark({ buffer, length: count }: RowsOnDevice): void {
    const notes = this.#buffers.reserve('displacements', RECORD + 4 * this.#grid.count);
    this.#runner.gpu.stream.clear(notes);
    if (count > 0) this.#buffers.dispatch(markRows, [buffer, notes], { count }, count);
  }

  /** Nothing has been noted yet of the positions that come. */
  begin(): void {
    this.forget();
    this.#runner.gpu.stream.clear(this.#notes, 0, RECORD);
  }

  /** Where kernels note. */
  get target(): DisplacementTarget {
    const { reference } = this.#runner.neighbors.lists(this.#grid)!;
    return { buffers: [reference.buffer, this.#notes], values: VALUES };
  }

  /** All particles have been noted. */
  end(): void {
    this.#version = this.#grid.block('position').deviceVersion;
  }

  /** What was noted is of other lists. */
  forget(): void {
    this.#version = -1;
    this.#arriving = null;
  }

  /** Whether it is that of the present positions. */
  get isKnown(): boolean {
    const { deviceVersion, hostVersion } = this.#grid.block('position');
    return this.#version === deviceVersion && hostVersion <= deviceVersion;
  }

  /** The record, for those who read something else: one answer of the device for both. They give it to `arrives`. */
  get record(): StagedPart {
    return { from: this.#notes, bytes: RECORD };
  }

  /** @param bytes begin with the record; they may be gone as soon as they have been looked at */
  arrives(bytes: Promise<Uint8Array<ArrayBuffer>>): void {
    const record = bytes.then((all) => new Uint32Array(all.slice(0, RECORD).buffer));
    record.catch(() => {}); // those who wait for the bytes see the error
    this.#arriving = record;
  }

  /** @throws CorpuscleError NOT_FINITE */
  async read(): Promise<number> {
    const record = await (this.#arriving ?? this.#readAlone());
    const complement = record[1]!;
    if (complement > 0) {
      await this.#runner.residency.download(this.#grid.block('id'));
      throw notFinite(this.#grid, 0xffffffff - complement);
    }
    return Math.sqrt(new Float32Array(record.buffer)[0]!);
  }

  async #readAlone(): Promise<Uint32Array> {
    const readback = this.#runner.gpu.stream.read(this.#notes, RECORD);
    readback.flush();
    return new Uint32Array(await readback.data);
  }

  get #notes(): GPUBuffer {
    return this.#buffers.named('displacements');
  }
}
