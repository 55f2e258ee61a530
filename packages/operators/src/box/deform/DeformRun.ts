import { CorpuscleError, Domain, type Saved } from '@corpuscle/core';
import type { BoxPart } from '../claimBox.js';
import { flipBox } from '../flipBox.js';
import { product } from '../matrix.js';
import {
  components,
  leanBox,
  lengthsOf,
  noStrain,
  type Strain,
  strainBox,
  unstrainedBox,
} from '../strainBox.js';
import { type StrainRow, tableRate, tableStrain } from './strainTable.js';

/** How each component of the strain goes with time; what is absent is 0. */
export interface DeformOptions {
  /** Strains per time, of the first box: L = L0 (1 + rate t). */
  readonly rate?: Partial<Strain> | undefined;
  /** Strains per time, of the present box: L = L0 exp(rate t). Shears are as in `rate`. */
  readonly trueRate?: Partial<Strain> | undefined;
  /** Strains that are reached at the end. */
  readonly strain?: Partial<Strain> | undefined;
  /** Strains that swing: amplitude · sin(2π t / period). */
  readonly wiggle?: { readonly amplitude: Partial<Strain>; readonly period: number } | undefined;
  /** Strains at times after the beginning, in their order; between them they are interpolated. */
  readonly table?: readonly StrainRow[] | undefined;
  /** Take whole lattice vectors back where the box leans too far. Default true. */
  readonly flip?: boolean;
  /** Whether strains take the tilts of the first box along, or are of lengths and tilts alone. Default `follow`. */
  readonly tilts?: 'follow' | 'stay';
}

/** A step of a run. */
export interface Moment {
  readonly step: number;
  readonly time: number;
  readonly endStep: number;
}

/** Where and when a deformation began. */
type SavedDeform = {
  readonly matrix: readonly number[];
  readonly origin: readonly number[];
  readonly step: number;
  readonly time: number;
  readonly basis: readonly number[];
  readonly latest?: number;
  readonly strain?: Strain;
  readonly tiltsStay?: boolean;
};

/** The strain at a time after the beginning, of which `part` of the whole has gone by. */
function strainAt(options: DeformOptions, time: number, part: number): Strain {
  const { rate, trueRate, strain, wiggle } = options;
  const swing = wiggle ? Math.sin((2 * Math.PI * time) / wiggle.period) : 0;
  const told = options.table ? tableStrain(options.table, time) : noStrain;
  const at = (name: (typeof components)[number]): number => {
    const grown = (trueRate?.[name] ?? 0) * time;
    const isLength = name[0] === name[1];
    return (
      (rate?.[name] ?? 0) * time +
      (isLength ? Math.expm1(grown) : grown) +
      (strain?.[name] ?? 0) * part +
      told[name] +
      (wiggle?.amplitude[name] ?? 0) * swing
    );
  };
  return Object.fromEntries(components.map((name) => [name, at(name)])) as unknown as Strain;
}

/** Where the lengths and tilts of a box are in its matrix. */
const places: Readonly<Record<BoxPart, number>> = { xx: 0, yy: 4, zz: 8, xy: 3, xz: 6, yz: 7 };

/** The lengths and tilts that options speak of. */
export function deformedParts(options: DeformOptions): readonly BoxPart[] {
  const { rate, trueRate, strain, wiggle, table = [] } = options;
  const all = [rate, trueRate, strain, wiggle?.amplitude, ...table];
  return components.filter((name) => all.some((given) => given?.[name] !== undefined));
}

/** A length of which a strain leaves nothing. */
const vanished = (strain: Strain) =>
  (['xx', 'yy', 'zz'] as const).find((name) => !(strain[name] > -1));

/** How fast that strain grows; `whole` is the time in which `strain` is reached. */
function strainRateAt(options: DeformOptions, time: number, whole: number): Strain {
  const { rate, trueRate, strain, wiggle } = options;
  const told = options.table ? tableRate(options.table, time) : noStrain;
  const omega = wiggle ? (2 * Math.PI) / wiggle.period : 0;
  const at = (name: (typeof components)[number]): number => {
    const own = trueRate?.[name] ?? 0;
    const isLength = name[0] === name[1];
    return (
      (rate?.[name] ?? 0) +
      (isLength ? own * Math.exp(own * time) : own) +
      (strain?.[name] ?? 0) / whole +
      told[name] +
      (wiggle?.amplitude[name] ?? 0) * omega * Math.cos(omega * time)
    );
  };
  return Object.fromEntries(components.map((name) => [name, at(name)])) as unknown as Strain;
}

/**
 * A box that deforms: a function of time, not a sum of steps, so that nothing drifts. Flips are whole numbers on the left
 * of the lattice vectors:
 *
 *   H(t) = B · (H0 + A · (F(t) − 1)ᵀ),      B: whole numbers, det B = 1
 *
 * A is H0, so that all lattice vectors are strained; or its diagonal, by which lengths and tilts change each for itself. Where another
 * box H is given in the meantime, H0 becomes the one that would be H by now: strains go on as they would have.
 */
export class DeformRun {
  #first: Domain;
  #step: number;
  #time: number;
  #basis: readonly number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  /** When the present box was made, and the strain that it has. */
  #latest: number;
  #strain = noStrain;
  /** Whether lengths and tilts change each for itself, though options say nothing of it. */
  #tiltsStay = false;

  constructor(domain: Domain, step: number, time: number) {
    this.#first = domain;
    this.#step = step;
    this.#time = this.#latest = time;
  }

  /** How fast the lattice vectors of the present box change: B · H0 · dF/dt. */
  boxRate(options: DeformOptions, { dt, endStep }: { dt: number; endStep: number }): number[] {
    const whole = Math.max(1, endStep - this.#step) * dt;
    const { xx, yy, zz, xy, xz, yz } = strainRateAt(options, this.#latest - this.#time, whole);
    const { matrix } = this.#first;
    const strained = this.#tilts(options) === 'stay' ? lengthsOf(matrix) : matrix;
    return product(this.#basis, product(strained, [xx, 0, 0, xy, yy, 0, xz, yz, zz]));
  }

  /** Whether there is a box at a moment. */
  isPossible(options: DeformOptions, now: Moment): boolean {
    return vanished(this.#strainAt(options, now)) === undefined;
  }

  #strainAt(options: DeformOptions, { step, time, endStep }: Moment): Strain {
    const part =
      endStep > this.#step ? Math.min(1, (step - this.#step) / (endStep - this.#step)) : 1;
    return strainAt(options, time - this.#time, part);
  }

  /**
   * The box of a moment, with the lattice vectors of before.
   * @param present the box in which a barostat moves what does not deform.
   * @throws CorpuscleError INVALID_VALUE when nothing is left of a length.
   */
  boxAt(options: DeformOptions, now: Moment, present?: Domain): Domain {
    const whole = this.straightAt(options, now);
    if (present && this.#tilts(options) !== 'stay' && !this.#first.isOrthorhombic)
      throw new CorpuscleError(
        'INVALID_VALUE',
        'deform beside a barostat changes lengths and tilts each for itself: give tilts: stay in a box that leans',
      );
    const { matrix, origin } = present ? this.#beside(options, whole, present) : whole;
    const { periodic } = this.#first;
    return Domain.triclinic(product(this.#basis, matrix), { origin, periodic });
  }

  /** The same with its first lattice vectors, and by time alone. */
  straightAt(options: DeformOptions, now: Moment): Domain {
    const strain = this.#strainAt(options, now);
    const gone = vanished(strain);
    if (gone !== undefined)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `deform shrinks the box to nothing along ${gone[0]} at step ${now.step}: lower its ${gone}, or end the run earlier`,
      );
    const strained = this.#tilts(options) === 'stay' ? leanBox : strainBox;
    return strained(this.#first, strain);
  }

  /** The present lattice vectors in those without flips, whole numbers by rows. */
  get basis(): readonly number[] {
    return this.#basis;
  }

  /** A strained box with the lengths and tilts of the present one where nothing says how they deform. */
  #beside(
    options: DeformOptions,
    whole: Domain,
    present: Domain,
  ): Pick<Domain, 'matrix' | 'origin'> {
    const own = deformedParts(options);
    const isOwn = (k: number) => own.some((part) => places[part] === k);
    const straight = product(Domain.triclinic(this.#basis).inverse, present.matrix);
    const [x, y, z] = present.origin.map((at, k) => (isOwn(4 * k) ? whole.origin[k]! : at));
    return {
      matrix: straight.map((at, k) => (isOwn(k) ? whole.matrix[k]! : at)),
      origin: [x!, y!, z!],
    };
  }

  /** The box is that of a moment now. */
  reached(options: DeformOptions, now: Moment): void {
    this.#latest = now.time;
    this.#strain = this.#strainAt(options, now);
  }

  #tilts({ tilts }: DeformOptions): DeformOptions['tilts'] {
    return this.#tiltsStay ? 'stay' : tilts;
  }

  /** Goes on from a box that something else has made. @param isBeside whether a barostat moves what does not deform */
  goOnFrom(present: Domain, options: DeformOptions, isBeside: boolean): void {
    // A box along x, y and z may lean by now.
    this.#tiltsStay ||= isBeside && this.#first.isOrthorhombic;
    const whole = unstrainedBox(present, this.#strain, this.#tilts(options) ?? 'follow');
    this.#first = flipBox(whole);
    this.#basis = product(whole.matrix, this.#first.inverse).map(Math.round);
  }

  /** A box of `boxAt` with other lattice vectors where it leans too far; they stay. */
  flipped(box: Domain): Domain {
    const flipped = flipBox(box);
    if (flipped !== box)
      this.#basis = product(product(flipped.matrix, box.inverse), this.#basis).map(Math.round);
    return flipped;
  }

  save(): SavedDeform {
    const { matrix, origin } = this.#first;
    return {
      matrix,
      origin,
      step: this.#step,
      time: this.#time,
      basis: this.#basis,
      latest: this.#latest,
      strain: this.#strain,
      tiltsStay: this.#tiltsStay,
    };
  }

  /** @throws CorpuscleError FILE_FORMAT for data that are no deformation. */
  restore(saved: Saved, { periodic }: Domain): void {
    const { matrix, origin, step, time, basis, ...rest } = (saved ?? {}) as Partial<SavedDeform>;
    if (![matrix, origin, basis].every(Array.isArray) || ![step, time].every(Number.isFinite))
      throw new CorpuscleError('FILE_FORMAT', 'the checkpoint has no deformation that makes sense');
    this.#first = Domain.triclinic(matrix!, {
      origin: origin as [number, number, number],
      periodic,
    });
    this.#step = step!;
    this.#time = time!;
    this.#latest = rest.latest ?? time!;
    this.#strain = rest.strain ?? noStrain;
    this.#tiltsStay = rest.tiltsStay ?? false;
    this.#basis = basis!;
  }
}
