import { cubeRoot } from './cubeRoot.js';
import { mistake, type Place } from './readCommands.js';
import { Unmapped } from './Unmapped.js';

type Vector = readonly [number, number, number];

/** A lattice as `lattice` sets it. */
export interface Crystal {
  readonly style: string;
  /** Edge of the unit cube, in lengths. */
  readonly constant: number;
  /** The density that was given, in units lj. */
  readonly density?: number;
  readonly vectors: readonly Vector[];
  readonly basis: readonly Vector[];
  /** Directions along x, y and z, where they are not those of the crystal. */
  readonly orient?: readonly Vector[];
  /** Where the first site is, in spacings. */
  readonly origin: Vector;
  /** Lengths of a lattice unit along x, y and z. */
  readonly spacing: Vector;
}

const CUBE: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const FCC: readonly Vector[] = [
  [0, 0, 0],
  [0.5, 0.5, 0],
  [0.5, 0, 0.5],
  [0, 0.5, 0.5],
];
/** Sites in the order of LAMMPS, on which `basis` of create_atoms counts. */
const STYLES: Readonly<Record<string, { vectors: readonly Vector[]; basis: readonly Vector[] }>> = {
  none: { vectors: CUBE, basis: [] },
  sc: { vectors: CUBE, basis: [[0, 0, 0]] },
  bcc: { vectors: CUBE, basis: [FCC[0]!, [0.5, 0.5, 0.5]] },
  fcc: { vectors: CUBE, basis: FCC },
  hcp: {
    vectors: [
      [1, 0, 0],
      [0, Math.sqrt(3), 0],
      [0, 0, Math.sqrt(8 / 3)],
    ],
    basis: [
      [0, 0, 0],
      [0.5, 0.5, 0],
      [0.5, 5 / 6, 0.5],
      [0, 1 / 3, 0.5],
    ],
  },
  diamond: {
    vectors: CUBE,
    basis: [
      [0, 0, 0],
      [0, 0.5, 0.5],
      [0.5, 0, 0.5],
      [0.5, 0.5, 0],
      [0.25, 0.25, 0.25],
      [0.25, 0.75, 0.75],
      [0.75, 0.25, 0.75],
      [0.75, 0.75, 0.25],
    ],
  },
};

/** The lattice of a script that sets none. */
export const noCrystal: Crystal = {
  ...{ style: 'none', constant: 1, vectors: CUBE, basis: [] },
  ...{ origin: [0, 0, 0], spacing: [1, 1, 1] },
};

interface Keywords {
  origin: Vector;
  orient: Vector[] | null;
  spacing: Vector | null;
  vectors: Vector[];
  basis: Vector[];
}

/**
 * `lattice style scale keywords…`.
 * @param number reads a number of the script
 * @throws Unmapped for crystals in a plane; CorpuscleError SYNTAX
 */
export function crystalOf(
  args: readonly string[],
  isReduced: boolean,
  number: (word: string | undefined) => number,
  place: Place,
): Crystal {
  const [style = '', scale] = args;
  const known = style === 'custom' ? { vectors: CUBE, basis: [] } : STYLES[style];
  if (!known || !Object.hasOwn({ ...STYLES, custom: 0 }, style))
    throw new Unmapped(`there is no crystal ${style}`);
  const given = number(scale);
  if (!(given > 0))
    throw mistake(place, `the scale of lattice is ${scale}: give a positive number`);
  const { origin, orient, spacing, vectors, basis } = keywordsOf(args, known, number, place);
  if (style === 'custom' && basis.length === 0)
    throw mistake(place, 'lattice custom needs a basis');
  const [a, b, c] = vectors as [Vector, Vector, Vector];
  const volume =
    a[0] * (b[1] * c[2] - b[2] * c[1]) +
    a[1] * (b[2] * c[0] - b[0] * c[2]) +
    a[2] * (b[0] * c[1] - b[1] * c[0]);
  const byDensity = isReduced && style !== 'none';
  const constant = byDensity ? cubeRoot(basis.length / volume / given) : given;
  const lengths =
    style === 'none' ? [given, given, given] : widthsOf(vectors, orient ?? CUBE, constant);
  return {
    ...{ style, constant, vectors, basis, origin },
    ...(byDensity && { density: given }),
    ...(orient && { orient }),
    spacing: (spacing?.map((part) => part * constant) ?? lengths) as unknown as Vector,
  };
}

function keywordsOf(
  args: readonly string[],
  known: { readonly vectors: readonly Vector[]; readonly basis: readonly Vector[] },
  number: (word: string | undefined) => number,
  place: Place,
): Keywords {
  const found: Keywords = {
    ...{ origin: [0, 0, 0], orient: null, spacing: null },
    ...{ vectors: [...known.vectors], basis: [...known.basis] },
  };
  const vector = (at: number): Vector => [
    number(args[at]),
    number(args[at + 1]),
    number(args[at + 2]),
  ];
  for (let k = 2; k < args.length; ) {
    const word = args[k]!;
    if (word === 'origin') found.origin = vector(k + 1);
    else if (word === 'spacing') found.spacing = vector(k + 1);
    else if (/^a[123]$/.test(word)) found.vectors[Number(word[1]) - 1] = vector(k + 1);
    else if (word === 'basis') found.basis.push(vector(k + 1));
    else if (word === 'orient') {
      const axis = 'xyz'.indexOf(args[k + 1] ?? '?');
      if (axis < 0) throw mistake(place, 'orient needs x, y or z and three numbers');
      found.orient ??= [...CUBE];
      found.orient[axis] = vector(k + 2);
      k++;
    } else throw mistake(place, `'${word}' is no keyword of lattice`);
    k += 4;
  }
  return found;
}

/** Widths along x, y and z of the box around a cell, whose directions `orient` lie along them; rounded as LAMMPS does. */
function widthsOf(
  [a, b, c]: readonly Vector[],
  orient: readonly Vector[],
  constant: number,
): number[] {
  const dot = (u: readonly number[], v: readonly number[]) =>
    u[0]! * v[0]! + u[1]! * v[1]! + u[2]! * v[2]!;
  const axes = orient.map((axis) => axis.map((x) => x / Math.sqrt(dot(axis, axis))));
  const corners = Array.from({ length: 8 }, (_, corner) => {
    const s = [corner & 1, (corner >> 1) & 1, corner >> 2];
    const at = [0, 1, 2].map((k) => dot(s, [a![k]!, b![k]!, c![k]!]) * constant);
    return axes.map((axis) => dot(axis, at));
  });
  return [0, 1, 2].map((k) => {
    const along = corners.map((corner) => corner[k]!);
    return Math.max(...along) - Math.min(...along);
  });
}
