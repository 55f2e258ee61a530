import type { Domain, FieldBlock, Grid } from '@corpuscle/core';
import { joinDouble } from '@corpuscle/functor/wgsl';
import { strainedBox, strainNames, strainTo } from '../../box/strainedBox.js';
import type { DeviceValues } from '../values/DeviceValues.js';

/** How much shorter than in the reference box a distance may become, at first and at most, before that box is another. */
const ALLOWANCE = { first: 0.005, most: 0.16 } as const;

/** The least that is left of a distance, whatever lists allow for. */
export const MOST_SHRUNK = 1 / (1 + ALLOWANCE.most);

/** What a strain is beside its values. */
export type StrainState = Pick<DeviceStrain, 'reference' | 'isMoved' | 'numbers' | 'part'>;

/** What texts of kernels take of a strain. */
export type SeenStrain = Pick<DeviceStrain, 'place' | 'isDouble' | 'isSheared'>;

/** The reference box with what the host has prescribed of the present one, and the strain from one to the other. */
interface Part {
  readonly box: Domain;
  readonly numbers: readonly number[];
}

/**
 * The box of a grid where values of the device say how it is deformed. Positions, cells and lists are those of a reference box
 * that stays. Kernels that want distances or Cartesian positions take them through the strain:
 *
 *   r = r_ref · (1 + E) + T          E lower triangular, nine numbers with T
 *
 * Lists reach farther by an allowance. Records tell when distances have shrunk by more; then the present box becomes the reference.
 */
export class DeviceStrain {
  readonly values: DeviceValues;
  /** Where its numbers begin among the values of the context. */
  readonly place: number;
  /** The box without strain. */
  reference: Domain;
  /** The box that the host believes in, which stands for the present one. */
  #known: Domain;
  /** All that have stood for it: calls that wait were made with these. */
  #stands = new WeakSet<Domain>();
  /** Whether it may be other than none. */
  isMoved = false;
  /** Its numbers where the host has prescribed them; null where values of the device decide. */
  numbers: readonly number[] | null = null;
  /** What the host has prescribed where values of the device decide the rest; null where it is nothing. */
  part: Part | null = null;
  allowance: number = ALLOWANCE.first;
  /** Whether kernels see its numbers in double-single; otherwise they see the high parts. */
  readonly isDouble: boolean;
  /** Whether its shears may be other than 0: kernels leave them out otherwise. */
  isSheared = false;

  constructor(values: DeviceValues, box: Domain, isDouble: boolean) {
    this.values = values;
    this.isDouble = isDouble;
    this.place = values.parameter(0);
    this.reference = this.#known = box;
    this.#stands.add(box);
  }

  get known(): Domain {
    return this.#known;
  }

  /** The host learns of the present box. */
  tell(grid: Grid, box: Domain): void {
    grid.domain = box;
    this.#know(grid.domain);
  }

  /** Windows that are made again may have taken a strain in that nothing has moved since: the host learns of the box. */
  tellReference(grid: Grid): void {
    if (grid.domain === this.#known) this.tell(grid, this.reference);
  }

  #know(box: Domain): void {
    this.#known = box;
    this.#stands.add(box);
  }

  /** Calls that the host makes from now on mean the present box by this one. */
  expect(box: Domain): void {
    this.#stands.add(box);
  }

  /** The host has prescribed the present box. */
  prescribe(box: Domain): readonly number[] {
    this.#know(box);
    this.isMoved = true;
    this.numbers = strainTo(this.reference, box);
    this.part = null;
    return this.numbers;
  }

  /** The host has prescribed a part of the present box. @param box the reference with this part */
  prescribePart(box: Domain): void {
    this.isMoved = true;
    this.numbers = null;
    this.part = { box, numbers: strainTo(this.reference, box) };
  }

  /** The present box is the reference from now on. */
  rest(box: Domain): void {
    this.restore({ reference: box, isMoved: false, numbers: null, part: null });
  }

  /** As it is now. */
  get state(): StrainState {
    const { reference, isMoved, numbers, part } = this;
    return { reference, isMoved, numbers, part };
  }

  /** As it was. */
  restore({ reference, isMoved, numbers, part }: StrainState): void {
    this.reference = reference;
    this.isMoved = isMoved;
    this.numbers = numbers;
    this.part = part;
  }

  /** Whether the host means the present box by this one. */
  isKnown(box: Domain): boolean {
    return this.#stands.has(box);
  }

  /** The host has made another box. */
  replace(box: Domain): void {
    this.#stands = new WeakSet([box]);
    this.reference = this.#known = box;
  }

  /** Its numbers as kernels see them, from a copy of the values that hold them. */
  numbersIn(data: ArrayBuffer): readonly number[] {
    const parts = new Float32Array(data);
    return strainNames.map((_, k) =>
      this.isDouble ? joinDouble(parts[2 * k]!, parts[2 * k + 1]!) : parts[2 * k]!,
    );
  }

  /** The present box, from the numbers that the device has. */
  boxAt(numbers: readonly number[]): Domain {
    return strainedBox(this.reference, numbers);
  }

  /** The least strain that lists allow for. */
  get least(): number {
    return -this.allowance / (1 + this.allowance);
  }

  /** Which part of what lists allow for a box that the host has prescribed has used up. */
  get used(): number {
    const numbers = this.numbers ?? this.part?.numbers;
    if (!numbers) return 0;
    const [xx, yy, zz, ...rest] = numbers as [number, number, number, ...number[]];
    const shears = Math.abs(rest[0]!) + Math.abs(rest[1]!) + Math.abs(rest[2]!);
    return (Math.min(0, xx, yy, zz) - shears) / this.least;
  }

  /** Allows for as much as at first. */
  narrow(): void {
    this.allowance = ALLOWANCE.first;
  }

  /** Allows for more. @returns false where that is too much. */
  widen(): boolean {
    if (2 * this.allowance > ALLOWANCE.most) return false;
    this.allowance *= 2;
    return true;
  }
}

const strains = new WeakMap<Grid, DeviceStrain>();
const byPositions = new WeakMap<FieldBlock, DeviceStrain>();

/** The strain that positions are seen through, if there is any by now. */
export function strainOfPositions(block: FieldBlock): DeviceStrain | null {
  const strain = byPositions.get(block);
  return strain?.isMoved ? strain : null;
}

/** The strain of a grid whose box is a value of the device; undefined for all others. */
export const strainOf = (grid: Grid): DeviceStrain | undefined => strains.get(grid);

/** From now on the box of a grid is a value of the device. */
export function setStrain(grid: Grid, strain: DeviceStrain): void {
  strains.set(grid, strain);
  byPositions.set(grid.block('position'), strain);
  grid.onFree(() => {
    strains.delete(grid);
    strain.values.free();
  });
}
