import { CorpuscleError, imageFlags } from '@corpuscle/core';
import { stresses } from '../frames/gridFrame.js';
import { type OwnColumn, ownColumns } from '../frames/ownColumns.js';
import type { ParticleSource } from '../frames/ParticleSource.js';
import type { WriteColumn, WriteFrame } from './formatExtendedXyz.js';
import { writeColumnOf } from './formatFrame.js';

/** Columns that can be written, by their names in the file. */
export const writeFields = [
  'pos',
  'velo',
  'forces',
  'id',
  'energy',
  'mass',
  'charge',
  'image',
  'stress',
] as const;
/** A column that can be written. */
export type WriteField = (typeof writeFields)[number];

const BLOCKS: Readonly<
  Record<Exclude<WriteField, 'stress'>, { block: string; from: number; width: number }>
> = {
  pos: { block: 'position', from: 0, width: 3 },
  velo: { block: 'velocity', from: 0, width: 3 },
  forces: { block: 'force', from: 0, width: 3 },
  energy: { block: 'force', from: 3, width: 1 },
  id: { block: 'id', from: 0, width: 1 },
  mass: { block: 'mass', from: 0, width: 1 },
  charge: { block: 'charge', from: 0, width: 1 },
  image: { block: imageFlags.name, from: 0, width: 3 },
};

export interface FrameOptions {
  /** Rows in the order of the file. Default all, by id. */
  readonly rows?: Uint32Array;
  /** Further key=value pairs of the comment line. */
  readonly properties?: Readonly<Record<string, string | number>>;
  /** Fields of one's own, and columns of the file that particles were read from, as columns after the others. */
  readonly fields?: readonly (string | OwnColumn)[];
  /** Factors from internal units to those of the file, by field; `pos` also scales the box. Default 1. */
  readonly factors?: Readonly<Partial<Record<WriteField, number>>>;
  /**
   * Makes a file that ASE reads in full, by the factor from velocities of the grid to those of ASE: `velo` brings
   * `momenta` and `masses` along, `energy` is called `energies`, and their sum is written as the key `energy`.
   */
  readonly aseVelocity?: number;
}

/**
 * A grid as a frame to write, sorted by id, without copying the particles: columns read the host blocks, which must be
 * current (`newestOnHost`).
 *
 * @param species names of the particle types; types without a name are written as `T0`, `T1`, …
 * @throws CorpuscleError INVALID_VALUE when `fields` lacks pos.
 */
export function frameOf(
  grid: ParticleSource,
  species: readonly string[],
  fields: readonly WriteField[],
  options: FrameOptions = {},
): WriteFrame {
  if (!fields.includes('pos'))
    throw new CorpuscleError(
      'INVALID_VALUE',
      'fields lacks pos: a frame without positions cannot be read back',
    );
  const { domain } = grid;
  const { factors = {}, rows = grid.rowsById() } = options;
  const scale = (length: number) => length * (factors.pos ?? 1);
  const columns = [
    speciesColumn(grid, species),
    ...fields.map((field) => ({ ...column(grid, field), factor: factors[field] })),
  ];
  const named =
    options.aseVelocity === undefined ? null : inAse(grid, columns, rows, options.aseVelocity);
  return {
    count: rows.length,
    // Open boxes have a volume too, which the pressure refers to.
    lattice: domain.matrix.map(scale),
    origin: domain.origin.map(scale),
    periodic: domain.periodic,
    columns: withOwn(grid, named?.columns ?? columns, options.fields ?? []),
    properties: { ...options.properties, ...named?.properties },
    order: rows,
  };
}

/** The same columns under names of ASE, with what it derives velocities and the energy from. */
function inAse(
  grid: ParticleSource,
  columns: readonly WriteColumn[],
  rows: Uint32Array,
  factor: number,
) {
  const properties: Record<string, number> = {};
  const named = columns.flatMap((one): WriteColumn[] => {
    if (one.name === 'mass') return [];
    if (one.name === 'energy') {
      properties.energy = energySum(grid, rows) * (one.factor ?? 1);
      return [{ ...one, name: 'energies' }];
    }
    return one.name === 'velo' ? [one, momentumColumn(grid, factor)] : [one];
  });
  if (columns.some(({ name }) => name === 'velo' || name === 'mass'))
    named.push({ ...column(grid, 'mass'), name: 'masses' });
  return { columns: named, properties };
}

function momentumColumn(grid: ParticleSource, factor: number): WriteColumn {
  const velocity = grid.block('velocity').array as Float64Array;
  const mass = grid.block('mass').array as Float64Array;
  const values = new Float64Array(3 * grid.count);
  for (let row = 0; row < grid.count; row++)
    for (let axis = 0; axis < 3; axis++)
      values[3 * row + axis] = mass[row]! * velocity[4 * row + axis]!;
  return { name: 'momenta', type: 'R', width: 3, values, factor };
}

function energySum(grid: ParticleSource, rows: Uint32Array): number {
  const force = grid.block('force').array as Float64Array;
  let sum = 0;
  for (const row of rows) sum += force[4 * row + 3]!;
  return sum;
}

function speciesColumn(grid: ParticleSource, species: readonly string[]): WriteColumn {
  const values = grid.block('type').array as Uint32Array;
  let most = 0;
  for (let row = 0; row < grid.count; row++) most = Math.max(most, values[row]!);
  const names = Array.from({ length: most + 1 }, (_, k) => species[k] ?? `T${k}`);
  return { name: 'species', type: 'S', width: 1, values, names };
}

/** What the run has itself stands for a column of the file with its name. */
function withOwn(
  grid: ParticleSource,
  columns: readonly WriteColumn[],
  fields: readonly (string | OwnColumn)[],
): readonly WriteColumn[] {
  if (fields.length === 0) return columns;
  const own = [...ownColumns(grid, allRows(grid), fields)];
  const isNew = ([name]: readonly [string, unknown]) => columns.every((one) => one.name !== name);
  return [...columns, ...own.filter(isNew).map(([name, column]) => writeColumnOf(name, column))];
}

const allRows = ({ count }: ParticleSource): Uint32Array =>
  Uint32Array.from({ length: count }, (_, row) => row);

function stressColumn(grid: ParticleSource): WriteColumn {
  return { name: 'stress', type: 'R', width: 6, values: stresses(grid, allRows(grid), 1) };
}

function column(grid: ParticleSource, field: WriteField): WriteColumn {
  if (field === 'stress') return stressColumn(grid);
  const { block: name, from, width } = BLOCKS[field];
  const block = grid.block(name);
  return {
    name: field,
    type: field === 'id' || field === 'image' ? 'I' : 'R',
    width,
    values: block.array as Float64Array | BigUint64Array,
    stride: block.spec.width,
    from,
  };
}
