import {
  type Domain,
  type Grid,
  type Saved,
  type SimulationState,
  stateKey,
} from '@corpuscle/core';
import {
  type BoxStrain,
  type ContextValue,
  combined,
  type PatternHandle,
  type PreparedCall,
  type ValueReference,
} from '@corpuscle/patterns';
import { isDivided } from '../run/listBackend.js';
import { contextOf, gridKey, planKey } from '../run/stateKeys.js';
import { leansOf } from './coupling.js';
import { findPrescribedBox } from './PrescribedBox.js';
import { strainFor } from './presentBox.js';

/** Names of the numbers that functors which deform a box read and write: of its strain, how its lengths have grown, and how far it leans (`leansOf`). */
export const boxValues = {
  xx: 'real',
  yy: 'real',
  zz: 'real',
  yx: 'real',
  zx: 'real',
  zy: 'real',
  x: 'real',
  y: 'real',
  z: 'real',
  ex: 'real',
  ey: 'real',
  ez: 'real',
  tyx: 'real',
  tzx: 'real',
  tzy: 'real',
} as const;

/** What a checkpoint keeps of it. */
export type SavedRunBox = {
  readonly volume: number;
  readonly stretch: readonly [number, number, number];
  readonly leans?: readonly [number, number, number];
  readonly lengths?: readonly number[];
};

const GROWN = { ex: 0, ey: 0, ez: 0 };
/** Numbers of a box that has not grown. */
function formOf(domain: Domain) {
  const [tyx, tzx, tzy] = leansOf(domain);
  return { ...GROWN, tyx, tzx, tzy };
}

const lengthsAlong = ({ matrix }: Domain) => [matrix[0]!, matrix[4]!, matrix[8]!];

const runBoxKey = stateKey<RunBox>('box as a value', 'a barostat makes it');

/**
 * The box of a run as values, for barostats: none of them knows it on the host. Its volume is that of a moment, `volume`, times
 * (1 + ex) (1 + ey) (1 + ez).
 */
export class RunBox {
  readonly grid: Grid;
  readonly #state: SimulationState;
  /** The value itself. */
  readonly strain: BoxStrain;
  readonly #form: ContextValue<keyof ReturnType<typeof formOf>>;
  #volume: number;
  /** Along x, y and z, where none has grown. */
  #lengths: readonly number[];
  #isSheared = false;
  /** Whether a deformation takes the box back where it leans too far: barostats leave that to it. */
  isFlippedByOther = false;
  /** Grows when the host gives another box. */
  version = 0;

  constructor(state: SimulationState) {
    const ctx = contextOf(state);
    this.#state = state;
    this.grid = state.get(gridKey);
    this.strain = this.#strainOf('stretched');
    this.#form = ctx.value(formOf(this.grid.wholeDomain));
    this.#volume = this.grid.domain.volume;
    this.#lengths = lengthsAlong(this.grid.wholeDomain);
    this.grid.onFree(() => this.#form.close());
    if (ctx.device && ctx.backend === 'webgpu') state.knowBox = () => this.strain.know();
    this.needLists();
    state.renewCalls(); // kernels look at the strain from now on
  }

  /** The volume as it is after every call so far. It arrives later; asking stalls nothing. */
  presentVolume(): PatternHandle<number> {
    const volume = this.#volume;
    return combined([this.#form.read()], ([form]) => {
      const { ex, ey, ez } = form!;
      return volume * (1 + ex) * (1 + ey) * (1 + ez);
    });
  }

  /** For `prepareValues`. */
  get references(): { readonly [N in keyof typeof boxValues]: ValueReference } {
    const { value } = this.strain;
    const ofForm: readonly string[] = this.#form.names;
    const entries = Object.keys(boxValues).map((name) => [
      name,
      ofForm.includes(name) ? this.#form.of(name as 'ex') : value.of(name),
    ]);
    return Object.fromEntries(entries);
  }

  /** The volume where no length has grown. */
  get volume(): number {
    return this.#volume;
  }

  /** Those along x, y and z that have grown by 0. */
  get lengths(): readonly number[] {
    return this.#lengths;
  }

  /** Whether shears are written, too. */
  get isSheared(): boolean {
    return this.#isSheared;
  }

  /** Shears are written, too: before, only lengths are. */
  shear(): void {
    if (this.#isSheared) return;
    this.#isSheared = true;
    this.#strainOf('sheared');
    this.needLists();
    this.#state.renewCalls();
  }

  /**
   * Calls over all pairs see a box that leans through its strain, as long as that is within bounds. On a device those who update lists watch
   * them: a run without lists gets some, of next neighbors.
   */
  needLists(): void {
    const lists = this.#state.find(planKey)?.lists;
    const { volume, isOrthorhombic } = this.grid.domain;
    const mayLean = this.#isSheared || !isOrthorhombic;
    if (!lists || lists.rcut > 0 || !mayLean || !this.#state.knowBox) return;
    lists.serve(Math.cbrt(volume / Math.max(1, this.grid.count)));
  }

  #strainOf(form: 'sheared' | 'stretched'): BoxStrain {
    const at = isDivided(this.#state.simulation) ? 'host' : 'engine';
    return strainFor(this.grid, contextOf(this.#state), at, form);
  }

  /** After each change of the values. */
  get follow(): PreparedCall {
    return this.strain.follow;
  }

  /** The host learns of the box. */
  know(): Promise<void> {
    return this.strain.know();
  }

  /** The host may give another box. */
  settle(): Promise<void> {
    return this.strain.settle();
  }

  /** The host has given another box. */
  replaced(): void {
    this.version++;
    this.#volume = this.grid.domain.volume;
    this.#lengths = lengthsAlong(this.grid.wholeDomain);
    this.#form.write(formOf(this.grid.wholeDomain));
    this.#state.renewCalls();
  }

  /** What a checkpoint keeps beside the box itself. */
  async save(): Promise<SavedRunBox> {
    const { ex, ey, ez, tyx, tzx, tzy } = await this.#form.read();
    const [volume, lengths] = [this.#volume, this.#lengths];
    return { volume, lengths, stretch: [ex, ey, ez], leans: [tyx, tzx, tzy] };
  }

  /** Goes on from what a checkpoint kept. */
  restore(saved: Saved): void {
    const { volume, stretch, leans, lengths } = saved as SavedRunBox;
    const present = lengthsAlong(this.grid.wholeDomain);
    this.#lengths = lengths ?? present.map((length, k) => length / (1 + stretch[k]!));
    const [tyx, tzx, tzy] = leans ?? leansOf(this.grid.wholeDomain);
    this.#volume = volume;
    this.#form.write({ ex: stretch[0], ey: stretch[1], ez: stretch[2], tyx, tzx, tzy });
    this.#state.renewCalls();
  }
}

/** The box of a run as values; undefined before a barostat has made it. */
export function findRunBox(state: SimulationState): RunBox | undefined {
  const box = state.find(runBoxKey);
  return box?.grid === state.find(gridKey) ? box : undefined;
}

/** Makes the box of a run known and free to be replaced; null where no device deforms it. */
export const settledBox = (state: SimulationState): Promise<void> | null =>
  (findRunBox(state) ?? findPrescribedBox(state))?.settle() ?? null;

/** The box of a run as values. */
export function runBoxOf(state: SimulationState): RunBox {
  const present = findRunBox(state);
  if (present) return present;
  const made = new RunBox(state);
  state.set(runBoxKey, made);
  return made;
}
