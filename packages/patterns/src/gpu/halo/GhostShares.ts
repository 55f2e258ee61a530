import type { FieldBlock, Grid } from '@corpuscle/core';
import type { ArrivingRows, SentRows } from '../../engine/DeviceHalo.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { addShares, wordsOfNumber } from './addKernels.js';
import type { HaloBuffers } from './HaloBuffers.js';
import type { Staging } from './Staging.js';

/**
 * What ghosts receive of their neighbors, on its way back to those who own them, the way that rows have come:
 *
 *   ghosts ─ gather ─▶ packed ─▶ mapped ─▶ MPI ─▶ mapped ─▶ landed ─ add, one region after the other ─▶ own grid
 */
export class GhostShares {
  readonly #runner: CallRunner;
  readonly #buffers: HaloBuffers;
  readonly #staging: Staging;
  readonly #own: Grid;
  readonly #seen: Grid;

  constructor(runner: CallRunner, buffers: HaloBuffers, staging: Staging, own: Grid, seen: Grid) {
    this.#runner = runner;
    this.#buffers = buffers;
    this.#staging = staging;
    this.#own = own;
    this.#seen = seen;
  }

  /** Starts to send those of a block. */
  send({ spec: { name } }: FieldBlock, ghosts: number): SentRows {
    if (ghosts === 0) return { bytes: Promise.resolve(new Uint8Array(0)), release() {} };
    const { residency } = this.#runner;
    const block = residency.ensure(this.#seen.block(name), this.#seen.count);
    const bytes = block.bytesPerRow * ghosts;
    const packed = this.#buffers.reserve(`given back ${name}`, bytes);
    const rows = { buffer: this.#buffers.named('seen to'), length: ghosts };
    this.#buffers.gather(block, rows, packed);
    return this.#staging.read([{ from: packed, bytes }]);
  }

  /** @param regions rows that others see, region after region: one region has no row twice */
  arriving(block: FieldBlock, regions: readonly number[]): ArrivingRows {
    const { residency } = this.#runner;
    const { bytesPerRow, type } = residency.ensure(block, this.#own.count);
    const bytes = bytesPerRow * regions.reduce((sum, one) => sum + one, 0);
    if (bytes === 0) return { bytes: new Uint8Array(0), take() {} };
    const staged = this.#staging.write(bytes);
    const take = (): void => {
      const landed = this.#buffers.reserve(`received ${block.spec.name}`, bytes);
      staged.upload(landed);
      const { buffer } = residency.ensure(block, this.#own.count);
      const numbers = type.words / wordsOfNumber(type.scalar);
      let first = 0;
      for (const count of regions) {
        const buffers = [landed, this.#buffers.named('sent'), buffer];
        const params = { first, count, numbers };
        this.#buffers.dispatch(addShares(type.scalar), buffers, params, count * numbers);
        first += count;
      }
      residency.written(block);
    };
    return { bytes: staged.bytes, take };
  }
}
