import { CorpuscleError, didYouMean } from '@corpuscle/core';
import type { MadeParticles, ParticleFrame } from '../../io/extended_xyz/ParticleFrame.js';
import { type CrystalStructure, type StructureName, structures } from './structures.js';

/** A crystal and its size. */
export interface LatticeOptions {
  readonly structure: StructureName;
  /** Particles per volume; give this or `latticeConstant`. */
  readonly density?: number;
  /** Edge of the cubic cell, in length units. */
  readonly latticeConstant?: number;
  /** Cells along x, y and z. */
  readonly repeat: readonly [number, number, number];
  /** One type for all sites, or one for each site of the basis. Default one type, 'A'. */
  readonly types?: readonly string[];
  /** Names in the order of their indices; default the distinct names of `types`. */
  readonly species?: readonly string[];
}

/**
 * A perfect crystal in a periodic box, ids from 0. Positions are (cell + basis) · constant, cells along x fastest
 * and the sites of a cell together, which is also the order and the rounding of LAMMPS.
 *
 * @throws CorpuscleError INVALID_VALUE for counts, densities or types that make no crystal.
 * @example
 * const crystal = lattice({ structure: 'fcc', density: 0.8442, repeat: [10, 10, 10] }); // 4,000 particles
 */
export function lattice(options: LatticeOptions): ParticleFrame {
  if (!Object.hasOwn(structures, options.structure)) {
    const names = Object.keys(structures);
    throw invalid(
      `there is no structure '${options.structure}'${didYouMean(String(options.structure), names)}`,
    );
  }
  const { edges, basis }: CrystalStructure = structures[options.structure];
  const sites = basis.length;
  if (!Array.isArray(options.repeat) || options.repeat.length !== 3)
    throw invalid('repeat is missing: give three whole numbers from 1');
  for (const n of options.repeat)
    if (!Number.isSafeInteger(n) || n < 1)
      throw invalid(`repeat is [${options.repeat.join(', ')}]: give three whole numbers from 1`);
  const [nx, ny, nz] = options.repeat;
  const constant = latticeConstant(options, sites, edges);
  const types = options.types ?? ['A'];
  if (types.length !== 1 && types.length !== sites)
    throw invalid(
      `types has ${types.length} names: ${options.structure} has ${sites} sites a cell, give one name or ${sites}`,
    );
  const species = options.species ?? [...new Set(types)];
  const siteTypes = basis.map((_, k) => species.indexOf(types[k % types.length]!));
  const wrong = siteTypes.indexOf(-1);
  if (wrong >= 0)
    throw new CorpuscleError(
      'UNKNOWN_TYPE',
      `'${types[wrong % types.length]}' is not a particle type: the types are ${species.join(', ')}`,
    );

  const step = edges.map((edge) => edge * constant) as [number, number, number];
  const count = nx * ny * nz * sites;
  if (count > 1e9) throw invalid(`the lattice would have ${count} particles: lower repeat`);
  return new Crystal(
    count,
    [nx * step[0], 0, 0, 0, ny * step[1], 0, 0, 0, nz * step[2]],
    species,
    sitesOf([nx, ny], step, basis, siteTypes),
  );
}

/** Positions and types of sites as functions of their numbers: the sites of a cell together, cells along x fastest. */
function sitesOf(
  [nx, ny]: readonly [number, number],
  step: readonly [number, number, number],
  basis: CrystalStructure['basis'],
  siteTypes: readonly number[],
): MadeParticles {
  const sites = basis.length;
  return {
    positions(rows, first) {
      let site = first % sites;
      const cell = Math.floor(first / sites);
      let x = cell % nx;
      let y = Math.floor(cell / nx) % ny;
      let z = Math.floor(cell / (nx * ny));
      const places = rows as Float64Array;
      for (let at = 0; at < places.length; at += 4) {
        const offset = basis[site]!;
        places[at] = (x + offset[0]) * step[0];
        places[at + 1] = (y + offset[1]) * step[1];
        places[at + 2] = (z + offset[2]) * step[2];
        if (++site < sites) continue;
        site = 0;
        if (++x < nx) continue;
        x = 0;
        if (++y < ny) continue;
        y = 0;
        z++;
      }
    },
    types(rows, first) {
      for (let k = 0; k < rows.length; k++) rows[k] = siteTypes[(first + k) % sites]!;
    },
    usedTypes: new Set(siteTypes),
  };
}

/**
 * A frame whose arrays are made when they are first read. They are properties of its own, so that copies by `{ ...frame }` have them;
 * `made` is not, and there is none once an array has been given away: it may have been changed.
 */
class Crystal implements ParticleFrame {
  readonly origin = [0, 0, 0] as const;
  readonly periodic = [true, true, true] as const;
  readonly velocity = null;
  readonly mass = null;
  readonly charge = null;
  readonly extra = new Map();
  readonly properties = new Map();
  declare readonly position: Float64Array;
  declare readonly type: Uint32Array;
  declare readonly id: Float64Array;
  #made: MadeParticles | undefined;

  constructor(
    readonly count: number,
    readonly lattice: readonly number[],
    readonly species: readonly string[],
    made: MadeParticles,
  ) {
    this.#made = made;
    this.#whenRead('position', () => {
      const rows = new Float64Array(4 * count);
      made.positions(rows, 0);
      const position = new Float64Array(3 * count);
      for (let k = 0; k < count; k++)
        for (let axis = 0; axis < 3; axis++) position[3 * k + axis] = rows[4 * k + axis]!;
      return position;
    });
    this.#whenRead('type', () => {
      const type = new Uint32Array(count);
      made.types(type, 0);
      return type;
    });
    this.#whenRead('id', () => new Float64Array(count).map((_, k) => k));
  }

  get made(): MadeParticles | undefined {
    return this.#made;
  }

  #whenRead(name: string, make: () => Float64Array | Uint32Array): void {
    let array: Float64Array | Uint32Array | undefined;
    const get = () => {
      this.#made = undefined;
      array ??= make();
      return array;
    };
    Object.defineProperty(this, name, { enumerable: true, get });
  }
}

/** The edges of the box of a crystal. @throws CorpuscleError INVALID_VALUE */
export function latticeEdges(
  options: Pick<LatticeOptions, 'structure' | 'density' | 'latticeConstant' | 'repeat'>,
): readonly [number, number, number] {
  const { edges, basis }: CrystalStructure = structures[options.structure];
  const constant = latticeConstant(options, basis.length, edges);
  const [x, y, z] = edges.map((edge, k) => edge * constant * options.repeat[k]!);
  return [x!, y!, z!];
}

/** How many particles a lattice has, and the volume of its box. */
export function latticeSize(
  options: Pick<LatticeOptions, 'structure' | 'density' | 'latticeConstant' | 'repeat'>,
): { readonly count: number; readonly volume: number } {
  const cells = options.repeat.reduce((product, n) => product * n, 1);
  const [x, y, z] = latticeEdges(options);
  return { count: cells * structures[options.structure].basis.length, volume: x * y * z };
}

function latticeConstant(
  { density, latticeConstant: constant }: Pick<LatticeOptions, 'density' | 'latticeConstant'>,
  sites: number,
  edges: readonly [number, number, number],
): number {
  if ((density === undefined) === (constant === undefined))
    throw invalid('a lattice needs either density or lattice_constant, one of the two');
  if (constant !== undefined) {
    if (!(constant > 0) || !Number.isFinite(constant))
      throw invalid(`lattice_constant is ${constant}: give a positive length`);
    return constant;
  }
  if (!(density! > 0) || !Number.isFinite(density!))
    throw invalid(`density is ${density}: give a positive number of particles per volume`);
  return (sites / (edges[0] * edges[1] * edges[2] * density!)) ** (1 / 3);
}

function invalid(message: string): CorpuscleError {
  return new CorpuscleError('INVALID_VALUE', message);
}
