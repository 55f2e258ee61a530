import {
  type Big,
  exactAcos,
  exactAsin,
  exactAtan,
  exactAtan2,
  exactCosh,
  exactErf,
  exactErfc,
  exactSinh,
} from './highPrecision.js';
import type { LibraryName } from './libraryFunctors.js';
import { RandomSource } from './RandomSource.js';

/** Arguments of a function of the library, and what it must give. */
export interface LibraryCase {
  readonly name: Exclude<LibraryName, 'isNaN' | 'isFinite'>;
  readonly exact: (x: number, y: number) => Big;
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export interface SampleOptions {
  readonly count: number;
  /** What a precision can hold of a number. */
  readonly round: (x: number) => number;
  /** sinh, cosh up to e to this; erfc as far as this. */
  readonly exponent: number;
  readonly tail: number;
}

/** Samples over the whole domain of each function, close to its singular points too. */
export function libraryCases({ count, round, exponent, tail }: SampleOptions): LibraryCase[] {
  const random = new RandomSource(17);
  const between = (low: number, high: number) =>
    Array.from({ length: count }, () => random.between(low, high));
  const sign = () => (random.chance(0.5) ? 1 : -1);
  /** Magnitudes spread evenly over powers of two, both signs. */
  const spread = (low: number, high: number) => between(low, high).map((e) => sign() * 2 ** e);
  const nearOne = between(-22, -2).map((e) => sign() * (1 - 2 ** e));
  const unit = [...between(-1, 1), ...spread(-30, -1), ...nearOne];
  const [line, angles] = [
    [...between(-4, 4), ...spread(-30, 40)],
    [...between(-4, 4), ...spread(-18, 18)],
  ];
  const steep = [...between(-3, 3), ...between(-exponent, exponent), ...spread(-20, 2)];
  const make = (
    name: LibraryCase['name'],
    exact: LibraryCase['exact'],
    x: readonly number[],
    y = x,
  ): LibraryCase => ({ name, exact, x: x.map(round), y: y.map(round) });
  return [
    make('atan', exactAtan, line),
    make('atan2', (x, y) => exactAtan2(y, x), angles, [...angles].reverse()),
    make('asin', exactAsin, unit),
    make('acos', exactAcos, unit),
    make('sinh', exactSinh, steep),
    make('cosh', exactCosh, steep),
    make('erf', exactErf, [...between(-3, 3), ...spread(-30, 2.5)]),
    make('erfc', exactErfc, [...between(-3, 3), ...between(0, tail), ...spread(-30, 1)]),
  ];
}
