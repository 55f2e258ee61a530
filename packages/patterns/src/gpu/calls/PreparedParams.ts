import type { GpuKernel, ParamRecord } from '../device/GpuKernel.js';
import type { DisplacementValues } from '../neighbors/DisplacementRecords.js';
import type { BinPlaces } from '../sort/binText.js';

/**
 * The parameters of a pair kernel and the cell calls after it, as the kernel wants them: from one step to the next only
 * those change that say where displacements are noted and where a sort wants its particles, and dozens stay.
 */
export class PreparedParams {
  readonly #kernel: GpuKernel;
  readonly #record: ParamRecord;
  readonly #perGroup: number;
  readonly #displacementsAt: DisplacementValues | null;
  readonly #binAt: BinPlaces | null;
  #first = -1;
  #end = -1;
  #stride = -1;
  /** False when values have changed besides those of displacements, places and rows. */
  isCurrent = false;

  /** @param perGroup rows of a workgroup. */
  constructor(kernel: GpuKernel, perGroup: number, notes: boolean, hasBin: boolean) {
    this.#kernel = kernel;
    this.#perGroup = perGroup;
    this.#record = kernel.newRecord();
    const at = (name: string) => kernel.wordOf(name);
    this.#displacementsAt = notes
      ? { slot: at('slot'), list: at('list'), room: at('room'), tau2: at('tau2') }
      : null;
    this.#binAt = hasBin
      ? {
          last: at('last'),
          earlier: at('earlier'),
          counts: at('counts'),
          totals: at('totals'),
          tileBits: at('tileBits'),
        }
      : null;
  }

  /**
   * The record for some rows of the lists; good until the next is asked for.
   * @param values all but those of rows, displacements and places, `count` among them.
   */
  of(
    values: Record<string, number | readonly number[]>,
    first: number,
    end: number,
    stride: number,
    displacements: DisplacementValues | null,
    places: BinPlaces | null,
  ): ParamRecord {
    const hasSameRows = this.#first === first && this.#end === end && this.#stride === stride;
    if (!hasSameRows || !this.isCurrent) {
      const groups = Math.ceil((values.count as number) / this.#perGroup);
      const firstGroup = first / this.#perGroup;
      Object.assign(values, { first, end, stride, groups, firstGroup }, displacements, places);
      this.#kernel.writeParams(this.#record, 0, values);
      this.#first = first;
      this.#end = end;
      this.#stride = stride;
      this.isCurrent = true;
    } else {
      if (displacements) this.#writeDisplacements(displacements);
      if (places) this.#writePlaces(places);
    }
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
