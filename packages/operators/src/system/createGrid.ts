import { CorpuscleError, Domain, Grid, SharedHeap } from '@corpuscle/core';
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
  const used = usedSpecies(frame);
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
  for (const block of grid.blocks.values()) {
    if (block.array instanceof BigUint64Array) block.array.fill(0n);
    else block.array.fill(0);
    block.hostWritten();
  }
  checkDistances(grid.domain, frame);
  fillVector(grid, 'position', frame.position);
  if (frame.velocity) fillVector(grid, 'velocity', frame.velocity);
  const type = grid.block('type').array;
  const mass = grid.block('mass').array;
  const charge = grid.block('charge').array;
  const id = grid.block('id').array as BigUint64Array;
  for (let k = 0; k < frame.count; k++) {
    const index = typeOf[frame.type[k]!]!;
    const properties = types[index]!;
    type[k] = index;
    mass[k] = frame.mass ? frame.mass[k]! : properties.mass;
    charge[k] = frame.charge ? frame.charge[k]! : (properties.charge ?? 0);
    id[k] = BigInt(frame.id ? frame.id[k]! : k);
    if (!(Number(mass[k]) > 0))
      throw new CorpuscleError(
        'INVALID_VALUE',
        `particle ${id[k]} has mass ${mass[k]}: masses must be positive`,
        {
          location: frame.source && {
            file: frame.source.file,
            line: frame.source.firstLine + k,
            column: 1,
          },
        },
      );
  }
}

/** How many boxes away a particle may be: beyond, rounding has blurred its place in the box. */
const FARTHEST = 1e9;

function checkDistances(domain: Domain, { position, count, id, source }: ParticleFrame): void {
  if (!domain.periodic.some(Boolean)) return;
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

function usedSpecies(frame: ParticleFrame): Set<number> {
  const used = new Set<number>();
  for (const type of frame.type) used.add(type);
  return used;
}

function fillVector(grid: Grid, name: string, values: Float64Array): void {
  const block = grid.block(name);
  const { array } = block;
  for (let k = 0; k < grid.count; k++)
    for (let axis = 0; axis < 3; axis++) array[4 * k + axis] = values[3 * k + axis]!;
}
