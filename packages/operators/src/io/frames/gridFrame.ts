import { CorpuscleError, imageFlags, type SourceLocation } from '@corpuscle/core';
import { stressBlocks } from '../../analyses/particle_stress/particleStress.js';
import type { ExtraColumn, ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { memoryOf } from '../thread/spareMemory.js';
import { type OwnColumn, ownColumns } from './ownColumns.js';
import type { ParticleSource } from './ParticleSource.js';

/**
 * What a frame may hold beside positions, types and ids; images where they are counted (`countImages`), stresses where
 * `particleStress` has left them. With `unwrapped` positions are those of no box.
 */
export type GridField =
  | 'velocity'
  | 'force'
  | 'energy'
  | 'mass'
  | 'charge'
  | 'image'
  | 'unwrapped'
  | 'stress';

/** How a grid becomes a frame. */
export interface GridFrameOptions {
  /** Names of the particle types; types without a name are called T0, T1, … */
  readonly species: readonly string[];
  readonly fields: readonly GridField[];
  /** Fields of one's own (`particle_properties`), and columns of the file that particles were read from. Default none. */
  readonly properties?: readonly (string | OwnColumn)[];
  /** Rows in the order of the frame. Default all, by id. */
  readonly rows?: Uint32Array;
  readonly step?: number;
  readonly time?: number;
  /** Whether a particle that has gone had id 0. Default false. */
  readonly hadIdZero?: boolean;
  /** Factor from internal energies, which are forces times lengths, to those of the file. Default 1. */
  readonly energy?: number;
}

const BLOCKS: Readonly<Record<GridField, readonly string[]>> = {
  velocity: ['velocity'],
  force: ['force'],
  energy: ['force'],
  mass: ['mass'],
  charge: ['charge'],
  image: [imageFlags.name],
  unwrapped: [imageFlags.name],
  stress: stressBlocks.map(({ name }) => name),
};

/** The blocks that a frame with these fields is made of. */
export const blocksOf = (fields: readonly GridField[]): readonly string[] => [
  ...new Set(['position', 'type', 'id', ...fields.flatMap((field) => BLOCKS[field])]),
];

/** Whether a frame with these fields needs image flags. */
export const usesImages = (fields: readonly GridField[]): boolean =>
  blocksOf(fields).includes(imageFlags.name);

/** @throws CorpuscleError INVALID_VALUE where stresses are wanted that `particleStress` has not left */
export function assertStress(grid: ParticleSource, fields: readonly string[]): void {
  if (!fields.includes('stress') || BLOCKS.stress.every((name) => grid.blocks.has(name))) return;
  throw noMade({ what: 'stresses', maker: 'particle_stress' });
}

/** The error for what no analysis has made. */
export const noMade = (
  { what, maker }: { readonly what: string; readonly maker: string },
  location?: SourceLocation,
): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    `particles have no ${what} to write: put ${maker} before, with the same steps`,
    { location },
  );

/** Copies the particles of a grid, whose host blocks must be current (`newestOnHost`), or of another source. */
export function gridFrame(grid: ParticleSource, options: GridFrameOptions): ParticleFrame {
  const { fields, rows = grid.rowsById(), energy = 1 } = options;
  const { domain } = grid;
  const has = (field: GridField) => fields.includes(field);
  const component = (block: string, k: number, width: 1 | 3, factor = 1) => {
    const from = grid.block(block);
    return copy(from.array as Float64Array, from.spec.width, k, width, rows, factor);
  };
  const type = new Uint32Array(memoryOf(4 * rows.length));
  const types = grid.block('type').array as Uint32Array;
  let kinds = options.species.length;
  for (let k = 0; k < rows.length; k++) {
    const kind = types[rows[k]!]!;
    type[k] = kind;
    if (kind >= kinds) kinds = kind + 1;
  }
  const own = ownColumns(grid, rows, options.properties ?? []);
  const molecule = own.get('molecule')?.values;
  if (molecule instanceof Float64Array) own.delete('molecule');
  return {
    count: rows.length,
    lattice: domain.matrix,
    origin: [domain.origin[0], domain.origin[1], domain.origin[2]],
    periodic: domain.periodic,
    species: Array.from({ length: kinds }, (_, k) => options.species[k] ?? `T${k}`),
    type,
    id: numbers(grid.block('id').array as BigUint64Array, rows),
    ...((options.hadIdZero || (rows.length < grid.count && hasIdZero(grid))) && {
      hasIdZero: true,
    }),
    position: has('unwrapped') ? unwrapped(grid, rows) : component('position', 0, 3),
    velocity: has('velocity') ? component('velocity', 0, 3) : null,
    force: has('force') ? component('force', 0, 3, energy) : null,
    energy: has('energy') ? component('force', 3, 1, energy) : null,
    mass: has('mass') ? component('mass', 0, 1) : null,
    charge: has('charge') ? component('charge', 0, 1) : null,
    molecule: molecule instanceof Float64Array ? molecule : null,
    image: has('image') ? Int32Array.from(component(imageFlags.name, 0, 3)) : null,
    // Stresses of the run stand for those that the file had.
    extra: new Map<string, ExtraColumn>([
      ...own,
      ...(has('stress')
        ? [['stress', { type: 'R', width: 6, values: stresses(grid, rows, energy) }] as const]
        : []),
    ]),
    properties: new Map(),
    step: options.step,
    time: options.time,
  };
}

/** Ids as doubles, read in halves: a BigInt for each would take seven times as long. */
function numbers(ids: BigUint64Array, rows: Uint32Array): Float64Array {
  const halves = new Uint32Array(ids.buffer, ids.byteOffset, 2 * ids.length);
  const out = new Float64Array(memoryOf(8 * rows.length));
  for (let k = 0; k < rows.length; k++) {
    const at = 2 * rows[k]!;
    out[k] = halves[at]! + 2 ** 32 * halves[at + 1]!;
  }
  return out;
}

/** Ids of a group are those that all particles have in the file. */
const hasIdZero = (grid: ParticleSource): boolean =>
  (grid.block('id').array as BigUint64Array).subarray(0, grid.count).includes(0n);

function unwrapped(grid: ParticleSource, rows: Uint32Array): Float64Array {
  const positions = copy(grid.block('position').array as Float64Array, 4, 0, 3, rows, 1);
  const images = grid.block(imageFlags.name).array as Int32Array;
  const { matrix } = grid.domain;
  for (let k = 0; k < rows.length; k++)
    for (let vector = 0; vector < 3; vector++) {
      const boxes = images[4 * rows[k]! + vector]!;
      for (let axis = 0; axis < 3; axis++)
        positions[3 * k + axis]! += boxes * matrix[3 * vector + axis]!;
    }
  return positions;
}

/** xx yy zz xy xz yz of each particle. @throws CorpuscleError UNKNOWN_FIELD where `particleStress` has not left them. */
export function stresses(
  grid: ParticleSource,
  rows: ArrayLike<number>,
  factor: number,
): Float64Array {
  assertStress(grid, ['stress']);
  const blocks = BLOCKS.stress.map((name) => grid.block(name).array as Float64Array);
  const values = new Float64Array(6 * rows.length);
  for (let k = 0; k < rows.length; k++)
    for (let part = 0; part < 6; part++)
      values[6 * k + part] = blocks[part < 3 ? 0 : 1]![4 * rows[k]! + (part % 3)]! * factor;
  return values;
}

function copy(
  values: Float64Array,
  stride: number,
  from: number,
  width: 1 | 3,
  rows: Uint32Array,
  factor: number,
): Float64Array {
  const out = new Float64Array(memoryOf(8 * rows.length * width));
  const isVector = width === 3;
  for (let k = 0, to = 0; k < rows.length; k++, to += width) {
    const at = rows[k]! * stride + from;
    out[to] = values[at]! * factor;
    if (!isVector) continue;
    out[to + 1] = values[at + 1]! * factor;
    out[to + 2] = values[at + 2]! * factor;
  }
  return out;
}
