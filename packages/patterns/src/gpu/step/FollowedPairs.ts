import type { ParameterValues } from '../../plan/calls.js';
import type { ExtendedPairs } from '../calls/PairDispatch.js';
import { PreparedParams } from '../calls/PreparedParams.js';
import type { GpuKernel, ParamRecord } from '../device/GpuKernel.js';
import type { DisplacementValues } from '../neighbors/DisplacementRecords.js';
import type { UsedBlocks } from '../pattern/BoundBlocks.js';
import type { FunctorTables } from '../pattern/FunctorTables.js';
import { PAIR_LANES } from '../pattern/pairText.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { binFrameValues } from '../sort/binKernel.js';
import type { BinPlaces } from '../sort/binText.js';

type Values = Readonly<Record<string, number | readonly number[]>>;

/** What the kernel of a pair call does besides the pairs and the cell calls after them. */
export interface Ending {
  readonly notes: boolean;
  readonly bin: boolean;
}

/** A pair kernel that goes on with cell functors, and its parameters: most stay from step to step. */
export class FollowedPairs {
  readonly kernel: GpuKernel;
  readonly blocks: UsedBlocks;
  readonly #tables: readonly FunctorTables[];
  readonly #values: Record<string, number | readonly number[]> = {};
  readonly #prepared: PreparedParams;
  readonly #params: ParameterValues[] = [];
  #count = -1;
  /** Which parameters of which pair call `#values` holds. */
  #pairs: Values | null = null;
  #version = -1;
  #binFrame: PositionFrame | null = null;

  /** @param lanes threads a particle. */
  constructor({ kernel, blocks, tables }: ExtendedPairs, lanes: number, { notes, bin }: Ending) {
    this.kernel = kernel;
    this.blocks = blocks;
    this.#tables = tables;
    this.#prepared = new PreparedParams(kernel, PAIR_LANES / lanes, notes, bin);
  }

  /** Sets parameters of cell calls and reductions, and the number of particles. */
  putCells(params: readonly ParameterValues[], count: number): void {
    for (let k = 0; k < params.length; k++) {
      if (this.#params[k] === params[k]) continue;
      this.#tables[k]!.put(params[k]!, this.#values);
      this.#params[k] = params[k]!;
      this.#prepared.isCurrent = false;
    }
    if (this.#count === count) return;
    this.#values.count = this.#count = count;
    this.#prepared.isCurrent = false;
  }

  /** Sets parameters of the pair call; the number says how often they have changed. */
  putPairs(values: Values, version: number): void {
    if (this.#pairs === values && this.#version === version) return;
    Object.assign(this.#values, values);
    this.#pairs = values;
    this.#version = version;
    this.#prepared.isCurrent = false;
  }

  /** Sets the cells that particles are binned by. */
  putBinFrame(frame: PositionFrame): void {
    if (this.#binFrame === frame) return;
    Object.assign(this.#values, binFrameValues(frame));
    this.#binFrame = frame;
    this.#prepared.isCurrent = false;
  }

  /** The record for some rows of the lists; good until the next is asked for. */
  params(
    first: number,
    end: number,
    stride: number,
    displacements: DisplacementValues | null,
    places: BinPlaces | null,
  ): ParamRecord {
    return this.#prepared.of(this.#values, first, end, stride, displacements, places);
  }
}
