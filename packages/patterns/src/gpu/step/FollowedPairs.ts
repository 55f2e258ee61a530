import type { ParameterValues } from '../../plan/calls.js';
import type { ExtendedPairs } from '../calls/PairDispatch.js';
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

/**
 * A pair kernel that goes on with cell functors, and its parameters: from one step to the next only those change that say where
 * displacements are noted and where a sort wants its particles, and dozens stay.
 */
export class FollowedPairs {
  readonly kernel: GpuKernel;
  readonly blocks: UsedBlocks;
  readonly #tables: readonly FunctorTables[];
  /** Rows of a workgroup. */
  readonly #perGroup: number;
  readonly #record: ParamRecord;
  /** Words of the parameters that change in every step. */
  readonly #displacementsAt: DisplacementValues | null;
  readonly #binAt: BinPlaces | null;
  /** All parameters but those of rows, displacements and places. */
  readonly #values: Record<string, number | readonly number[]> = {};
  readonly #params: ParameterValues[] = [];
  #count = -1;
  /** Which parameters of which pair call `#values` holds. */
  #pairs: Values | null = null;
  #version = -1;
  #binFrame: PositionFrame | null = null;
  #first = -1;
  #end = -1;
  #stride = -1;
  /** Whether the record holds all of `#values`. */
  #isCurrent = false;

  /** @param lanes threads a particle. */
  constructor({ kernel, blocks, tables }: ExtendedPairs, lanes: number, { notes, bin }: Ending) {
    this.kernel = kernel;
    this.blocks = blocks;
    this.#tables = tables;
    this.#perGroup = PAIR_LANES / lanes;
    this.#record = kernel.newRecord();
    const at = (name: string) => kernel.wordOf(name);
    this.#displacementsAt = notes
      ? { slot: at('slot'), list: at('list'), room: at('room'), tau2: at('tau2') }
      : null;
    this.#binAt = bin
      ? {
          last: at('last'),
          earlier: at('earlier'),
          counts: at('counts'),
          totals: at('totals'),
          tileBits: at('tileBits'),
        }
      : null;
  }

  /** Sets parameters of the cell calls, and the number of particles. */
  putCells(params: readonly ParameterValues[], count: number): void {
    for (let k = 0; k < params.length; k++) {
      if (this.#params[k] === params[k]) continue;
      this.#tables[k]!.put(params[k]!, this.#values);
      this.#params[k] = params[k]!;
      this.#isCurrent = false;
    }
    if (this.#count === count) return;
    this.#values.count = this.#count = count;
    this.#isCurrent = false;
  }

  /** Sets parameters of the pair call; the number says how often they have changed. */
  putPairs(values: Values, version: number): void {
    if (this.#pairs === values && this.#version === version) return;
    Object.assign(this.#values, values);
    this.#pairs = values;
    this.#version = version;
    this.#isCurrent = false;
  }

  /** Sets the cells that particles are binned by. */
  putBinFrame(frame: PositionFrame): void {
    if (this.#binFrame === frame) return;
    Object.assign(this.#values, binFrameValues(frame));
    this.#binFrame = frame;
    this.#isCurrent = false;
  }

  /** The record for some rows of the lists; good until the next is asked for. */
  params(
    first: number,
    end: number,
    stride: number,
    displacements: DisplacementValues | null,
    places: BinPlaces | null,
  ): ParamRecord {
    const hasSameRows = this.#first === first && this.#end === end && this.#stride === stride;
    if (hasSameRows && this.#isCurrent) {
      if (displacements) this.#writeDisplacements(displacements);
      if (places) this.#writePlaces(places);
      return this.#record;
    }
    const groups = Math.ceil(this.#count / this.#perGroup);
    const rows = { first, end, stride, groups, firstGroup: first / this.#perGroup };
    Object.assign(this.#values, rows, displacements, places);
    this.kernel.writeParams(this.#record, 0, this.#values);
    this.#first = first;
    this.#end = end;
    this.#stride = stride;
    this.#isCurrent = true;
    return this.#record;
  }

  #writeDisplacements({ slot, list, room, tau2 }: DisplacementValues): void {
    const { f32, u32 } = this.#record;
    const at = this.#displacementsAt!;
    u32[at.slot] = slot;
    u32[at.list] = list;
    u32[at.room] = room;
    f32[at.tau2] = tau2;
  }

  #writePlaces({ last, earlier, counts, totals, tileBits }: BinPlaces): void {
    const { u32 } = this.#record;
    const at = this.#binAt!;
    u32[at.last] = last;
    u32[at.earlier] = earlier;
    u32[at.counts] = counts;
    u32[at.totals] = totals;
    u32[at.tileBits] = tileBits;
  }
}
