import type { Domain, SimulationState } from '@corpuscle/core';
import type { PrescriptionOptions } from '@corpuscle/patterns/engines';
import { gridKey } from '../../run/stateKeys.js';
import type { BoxPart } from '../claimBox.js';
import { flipBox } from '../flipBox.js';
import { newBox } from '../newBox.js';
import { isSmallChange } from '../PrescribedBox.js';
import type { RunBox } from '../RunBox.js';
import { type DeformOptions, type DeformRun, deformedParts, type Moment } from './DeformRun.js';

/** Steps between looks whether the box leans too far: the host must ask for it. */
const LOOKS = 64;
/** Names of lengths and tilts among the numbers of a strain. */
const ofStrain = { xx: 'xx', yy: 'yy', zz: 'zz', xy: 'yx', xz: 'zx', yz: 'zy' } as const;

/** A box of which a barostat on a device moves one part and a deformation another: the host writes this part, and reads nothing. */
export class DeformBeside {
  /** The lengths and tilts that deform. */
  readonly own: readonly BoxPart[];
  /** Whether lattice vectors are exchanged where they lean too far. */
  readonly flips: boolean;
  readonly #state: SimulationState;
  readonly #options: DeformOptions;
  readonly #run: DeformRun;
  readonly #tilts: boolean;
  /** The box that has been told. */
  #known: RunBox | null = null;

  constructor(state: SimulationState, options: DeformOptions, run: DeformRun) {
    this.#state = state;
    this.#options = options;
    this.#run = run;
    this.own = deformedParts(options);
    this.flips = options.flip !== false;
    this.#tilts = this.own.some((part) => part[0] !== part[1]);
  }

  /** Tells the box of a barostat what becomes of it; a step of the host follows. @param isOnDevice whether steps of a device may come */
  begin(box: RunBox, isOnDevice: boolean): void {
    box.isFlippedByOther ||= this.flips || this.#tilts;
    this.#known = box;
    if (isOnDevice && this.#mayLean) box.shear();
  }

  /** Whether the box has tilts, or will have. */
  get #mayLean(): boolean {
    return this.#tilts || !this.#present.isOrthorhombic;
  }

  get #present(): Domain {
    return this.#state.get(gridKey).wholeDomain;
  }

  /** Whether barostats know of all that this part does to the rest: in a box that begins to lean they have another kind of step. */
  isReady(box: RunBox): boolean {
    return !this.#mayLean || (box === this.#known && !this.#present.isOrthorhombic);
  }

  /** Whether a step changes the box by more than lists outlast. */
  isLarge(then: Moment, dt: number): boolean {
    const before = { ...then, step: then.step - 1, time: then.time - dt };
    const at = (moment: Moment) => this.#run.straightAt(this.#options, moment);
    return !isSmallChange(at(before), at(then));
  }

  /** What is prescribed of the box. */
  partOf({ lengths, references: form }: RunBox): PrescriptionOptions['part'] {
    const own = this.own.map((part) => ofStrain[part]);
    return { own, basis: this.#run.basis, lengths, form };
  }

  /** Whether the host looks in this step whether the box leans too far. */
  get looks(): boolean {
    return this.flips && this.#mayLean && this.#state.step % LOOKS === 0;
  }

  /** Exchanges lattice vectors that lean too far. */
  async flip(box: RunBox): Promise<void> {
    await box.know();
    if (flipBox(this.#present) === this.#present) return;
    await box.settle();
    newBox(this.#state, this.#run.flipped(this.#present), 'none');
  }
}
