import type { Domain, Grid } from '@corpuscle/core';
import {
  type BoxStrain,
  boxStrain,
  type ExecutionContext,
  type PreparedCall,
  type ValueReference,
} from '@corpuscle/patterns';

const places = ['xx', 'xy', 'xz', 'yx', 'yy', 'yz', 'zx', 'zy', 'zz'] as const;
type Places<N extends string> = `${N}${(typeof places)[number]}`;

/** Parameters for a matrix, by rows. */
export const nine = <const N extends string>(letter: N) =>
  Object.fromEntries(places.map((place) => [`${letter}${place}`, 'real'])) as Record<
    Places<N>,
    'real'
  >;

/** Their values. */
export const valuesOf = <const N extends string>(letter: N, matrix: readonly number[]) =>
  Object.fromEntries(places.map((place, k) => [`${letter}${place}`, matrix[k]!])) as Record<
    Places<N>,
    number
  >;

/** Parameters of functors that look at the box: lattice vectors `mxx` …, and the inverse `ixx` …, which has nothing along open axes. */
export const boxParams = { ...nine('m'), ...nine('i') } as const;

/** Parameters for the origin of the box. */
export const originParams = { ox: 'real', oy: 'real', oz: 'real' } as const;

/** Values of `boxParams` in a box that the host knows. */
export const boxParamsOf = ({ matrix, inverse, periodic }: Domain) => ({
  ...valuesOf('m', matrix),
  ...valuesOf(
    'i',
    inverse.map((x, at) => (periodic[at % 3] ? x : 0)),
  ),
});

/** One of all these. */
export type BoxParam = keyof typeof boxParams | keyof typeof originParams;
const namesOf = (params: Partial<Record<BoxParam, 'real'>>) =>
  Object.keys(params) as readonly BoxParam[];
/** All `boxParams`, and these with the origin. */
export const everyBoxParam = namesOf(boxParams);
export const placedBoxParams = namesOf({ ...originParams, ...boxParams });

/** The box of a grid for prepared calls. */
export interface PresentBox {
  /** Those that are asked for. */
  readonly params: Readonly<Record<string, number | ValueReference>>;
  /** What is to be called before those that take them. */
  readonly calls: readonly PreparedCall[];
  /** Whether they are still those of the box. */
  isCurrent(): boolean;
}

const strains = new WeakMap<Grid, BoxStrain>();

/** The strain of a grid's box, which from now on is a value. @param form what may be written of it */
export function strainFor(
  grid: Grid,
  ctx: ExecutionContext,
  at: 'engine' | 'host',
  form: 'sheared' | 'stretched' = 'sheared',
): BoxStrain {
  const strain = boxStrain(grid, ctx, at, form);
  strains.set(grid, strain);
  return strain;
}

/** Tells the host the box of a grid where it is a value, which may have to be read. */
export const knowBox = async (grid: Grid): Promise<void> => strains.get(grid)?.know();

/** The box as parameters: numbers where it stays, values where something moves it in the course of a run. */
export function presentBox(grid: Grid, names: readonly BoxParam[]): PresentBox {
  const taken = <T>(of: (name: BoxParam) => T) =>
    Object.fromEntries(names.map((name) => [name, of(name)]));
  const strain = strains.get(grid);
  if (strain) {
    const params = taken((name) => strain.box.of(name));
    return { params, calls: [strain.measure], isCurrent: () => true };
  }
  const { domain } = grid;
  const [ox, oy, oz] = grid.wholeDomain.origin;
  const numbers = { ox, oy, oz, ...boxParamsOf(grid.wholeDomain) };
  return {
    params: taken((name) => numbers[name]),
    calls: [],
    isCurrent: () => grid.domain === domain && !strains.has(grid),
  };
}
