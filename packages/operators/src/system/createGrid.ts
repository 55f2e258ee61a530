import { CorpuscleError, Domain, Grid, type RowSource, SharedHeap } from '@corpuscle/core';
import type { ParticleFrame } from '../io/extended_xyz/ParticleFrame.js';

/** What a grid needs to know of a particle type. */
export interface TypeProperties {
  readonly name: string;
  readonly mass: number;
  readonly charge?: number;
}

/** The box of a frame; without a lattice it is open and spans the particles. */
export function domainOf(frame: ParticleFrame): Domain {
  const { lattice, origin, periodic } = frame;
  if (lattice) return Domain.triclinic(lattice, { origin, periodic });
  const lower: [number, number, number] = [0, 0, 0];
  const upper: [number, number, number] = [0, 0, 0];
  const { position, count } = frame;
  for (let axis = 0; axis < 3; axis++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < count; k++) {
      const x = position[3 * k + axis]!;
      if (x < low) low = x;
      if (x > high) high = x;
    }
    if (count > 0) {
      lower[axis] = low;
      upper[axis] = high;
    }
  }
  return Domain.open({ lower, upper });
}

/**
 * Puts a frame's particles into a new grid. Types are matched by name; a mass or charge of the frame wins over the
 * type's; without ids particles count from 0.
 *
 * @throws CorpuscleError NO_PARTICLES, UNKNOWN_TYPE, INVALID_VALUE (a mass that is not positive), MISSING_VALUE (no heap).
 * @example
 * const grid = createGrid(lattice({ structure: 'fcc', density: 1, repeat: [4, 4, 4] }), [{ name: 'A', mass: 1 }], ctx.heap);
 */
export function createGrid(
  frame: ParticleFrame,
  types: readonly TypeProperties[],
  heap: SharedHeap,
): Grid {
  if (!(heap instanceof SharedHeap))
    throw new CorpuscleError(
      'MISSING_VALUE',
      'createGrid needs a heap as its third argument: give context.heap',
    );
  const grid = new Grid(heap, domainOf(frame));
  fillGrid(grid, frame, types);
  return grid;
}

/**
 * Replaces everything in a grid by a frame's particles, as `createGrid` does; other fields become zero.
 * @throws CorpuscleError NO_PARTICLES for an empty frame; UNKNOWN_TYPE for a species that is no particle type.
 */
export function fillGrid(grid: Grid, frame: ParticleFrame, types: readonly TypeProperties[]): void {
  if (frame.count === 0)
    throw new CorpuscleError('NO_PARTICLES', 'there are no particles: a run needs at least one', {
      location: frame.source && {
        file: frame.source.file,
        line: Math.max(1, frame.source.firstLine - 2),
        column: 1,
      },
    });
  const used = frame.made?.usedTypes ?? new Set(frame.type);
  const typeOf = frame.species.map((name, k) => {
    const index = types.findIndex((type) => type.name === name);
    if (index < 0 && used.has(k))
      throw new CorpuscleError(
        'UNKNOWN_TYPE',
        `'${name}' is not a particle type: the types are ${types.map((type) => type.name).join(', ')}`,
      );
    return index;
  });
  grid.domain = domainOf(frame);
  grid.resize(frame.count);
  for (const block of grid.blocks.values()) block.clear();
  checkDistances(grid.domain, frame);
  const fill = (name: string, write: RowSource) => grid.block(name).fill(write, frame.count);
  fill('position', frame.made?.positions ?? vectors(frame.position));
  if (frame.velocity) fill('velocity', vectors(frame.velocity));
  const ofTypes = (value: (type: TypeProperties, index: number) => number): RowSource => {
    const values = typeOf.map((index) => (index < 0 ? 0 : value(types[index]!, index)));
    return typeValues(frame, values);
  };
  fill(
    'type',
    ofTypes((_, index) => index),
  );
  fill('mass', frame.mass ? numbers(frame.mass) : ofTypes(({ mass }) => mass));
  fill('charge', frame.charge ? numbers(frame.charge) : ofTypes(({ charge = 0 }) => charge));
  fill('id', !frame.made && frame.id ? numbers(frame.id) : rowNumbers);
  checkMasses(grid, frame);
}

/** Particles that are looked at together. */
const AT_ONCE = 2 ** 20;

function checkMasses(grid: Grid, { source, count }: ParticleFrame): void {
  for (let first = 0; first < count; first += AT_ONCE) {
    const masses = grid.block('mass').piece(first, Math.min(AT_ONCE, count - first));
    const wrong = (masses as Float64Array).findIndex((mass) => !(mass > 0));
    if (wrong < 0) continue;
    const [id] = grid.block('id').piece(first + wrong, 1);
    throw new CorpuscleError(
      'INVALID_VALUE',
      `particle ${id} has mass ${masses[wrong]}: masses must be positive`,
      {
        location: source && {
          file: source.file,
          line: source.firstLine + first + wrong,
          column: 1,
        },
      },
    );
  }
}

/** Vectors, three numbers each, to rows of four. */
const vectors =
  (values: Float64Array): RowSource =>
  (rows, first) => {
    for (let k = 0; k < rows.length / 4; k++)
      for (let axis = 0; axis < 3; axis++) rows[4 * k + axis] = values[3 * (first + k) + axis]!;
  };

const numbers =
  (values: Float64Array): RowSource =>
  (rows, first) => {
    if (rows instanceof BigUint64Array)
      for (let k = 0; k < rows.length; k++) rows[k] = BigInt(values[first + k]!);
    else for (let k = 0; k < rows.length; k++) rows[k] = values[first + k]!;
  };

const rowNumbers: RowSource = (rows, first) => {
  const words = new Uint32Array(rows.buffer, rows.byteOffset, 2 * rows.length); // numbers below 2^32
  for (let k = 0; k < rows.length; k++) words[2 * k] = first + k;
};

/** Values of types, of each particle. */
function typeValues(frame: ParticleFrame, values: readonly number[]): RowSource {
  const { made } = frame;
  if (!made) {
    const { type } = frame;
    return (rows, first) => {
      for (let k = 0; k < rows.length; k++) rows[k] = values[type[first + k]!]!;
    };
  }
  const [only, ...others] = made.usedTypes;
  if (others.length === 0) return (rows) => (rows as Float64Array).fill(values[only!]!);
  return (rows, first) => {
    const types = new Uint32Array(rows.length);
    made.types(types, first);
    for (let k = 0; k < rows.length; k++) rows[k] = values[types[k]!]!;
  };
}

/** How many boxes away a particle may be: beyond, rounding has blurred its place in the box. */
const FARTHEST = 1e9;

function checkDistances(domain: Domain, frame: ParticleFrame): void {
  if (frame.made || !domain.periodic.some(Boolean)) return;
  const { position, count, id, source } = frame;
  const size = Math.max(...domain.matrix.map(Math.abs), ...domain.origin.map(Math.abs));
  for (let k = 0; k < 3 * count; k++) {
    if (Math.abs(position[k]!) < FARTHEST * size) continue;
    const row = Math.floor(k / 3);
    throw new CorpuscleError(
      'INVALID_VALUE',
      `particle ${id ? id[row] : row} is at ${'xyz'[k % 3]} = ${position[k]}, so far from the box that its place in it is lost: wrap it into the box`,
      { location: source && { file: source.file, line: source.firstLine + row, column: 1 } },
    );
  }
}
