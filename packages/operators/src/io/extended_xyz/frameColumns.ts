import { allocateNumbers } from '@corpuscle/core';
import type { ExtraColumn } from './ParticleFrame.js';
import type { XyzColumn, XyzHeader } from './xyzHeader.js';

/** What is done with one column of an atom line. */
export type ColumnTarget =
  | { readonly kind: 'species' }
  | { readonly kind: 'skip' }
  | {
      readonly kind: 'text';
      readonly values: string[];
      readonly stride: number;
      readonly offset: number;
    }
  | {
      readonly kind: 'number';
      readonly label: string;
      readonly values: Float64Array;
      readonly stride: number;
      readonly offset: number;
      /** An id: a whole number from 0 to 2^53 − 1. */
      readonly whole: boolean;
    };

export interface FrameColumns {
  /** One target for each column of the line. */
  readonly targets: readonly ColumnTarget[];
  readonly hasSpecies: boolean;
  readonly position: Float64Array | null;
  readonly velocity: Float64Array | null;
  readonly id: Float64Array | null;
  readonly mass: Float64Array | null;
  readonly charge: Float64Array | null;
  readonly extra: Map<string, ExtraColumn>;
}

const SPECIES = ['species', 'type', 'element'];
/** Names other programs use for the same column. */
const KNOWN: ReadonlyMap<string, { readonly field: VectorName; readonly width: number }> = new Map([
  ['pos', { field: 'position', width: 3 }],
  ['positions', { field: 'position', width: 3 }],
  ['velo', { field: 'velocity', width: 3 }],
  ['vel', { field: 'velocity', width: 3 }],
  ['velocity', { field: 'velocity', width: 3 }],
  ['velocities', { field: 'velocity', width: 3 }],
  ['id', { field: 'id', width: 1 }],
  ['mass', { field: 'mass', width: 1 }],
  ['masses', { field: 'mass', width: 1 }],
  ['charge', { field: 'charge', width: 1 }],
  ['charges', { field: 'charge', width: 1 }],
]);
type VectorName = 'position' | 'velocity' | 'id' | 'mass' | 'charge';
const AXES = ['x', 'y', 'z'];

/**
 * Allocates the arrays of a frame and says where each column goes. The first of several species columns counts.
 * `count` must be a number that the file has room for.
 * @throws Error with a plain message when a known column has the wrong width; the reader adds the place.
 */
export function frameColumns(
  header: XyzHeader,
  count: number,
  keep: readonly string[] | 'all',
): FrameColumns {
  const arrays: Partial<Record<VectorName, Float64Array>> = {};
  const extra = new Map<string, ExtraColumn>();
  const targets: ColumnTarget[] = [];
  const species = SPECIES.map((name) => header.columns.find((column) => column.name === name)).find(
    (column) => column !== undefined,
  );
  for (const column of header.columns) {
    const known = KNOWN.get(column.name);
    if (column === species) {
      for (let k = 0; k < column.width; k++) targets.push({ kind: k === 0 ? 'species' : 'skip' });
    } else if (known && arrays[known.field] === undefined) {
      if (column.width !== known.width)
        throw new Error(`column '${column.name}' needs width ${known.width}, not ${column.width}`);
      const values = allocateNumbers(count * known.width, known.field);
      arrays[known.field] = values;
      for (let k = 0; k < known.width; k++)
        targets.push({
          kind: 'number',
          label: known.width === 3 ? `${known.field} ${AXES[k]}` : known.field,
          values,
          stride: known.width,
          offset: k,
          whole: known.field === 'id',
        });
    } else if (keep === 'all' || keep.includes(column.name))
      pushExtra(column, count, extra, targets);
    else for (let k = 0; k < column.width; k++) targets.push({ kind: 'skip' });
  }
  const take = (name: VectorName) => arrays[name] ?? null;
  return {
    targets,
    hasSpecies: species !== undefined,
    position: take('position'),
    velocity: take('velocity'),
    id: take('id'),
    mass: take('mass'),
    charge: take('charge'),
    extra,
  };
}

function pushExtra(
  column: XyzColumn,
  count: number,
  extra: Map<string, ExtraColumn>,
  targets: ColumnTarget[],
): void {
  const { name, type, width } = column;
  if (type === 'R' || type === 'I') {
    const values = allocateNumbers(count * width, `column '${name}'`);
    extra.set(name, { type, width, values });
    for (let k = 0; k < width; k++)
      targets.push({ kind: 'number', label: name, values, stride: width, offset: k, whole: false });
  } else {
    const values: string[] = new Array(count * width);
    extra.set(name, { type, width, values });
    for (let k = 0; k < width; k++)
      targets.push({ kind: 'text', values, stride: width, offset: k });
  }
}
