import { idNumbers } from '@corpuscle/core';
import type { ExtraColumn } from '../extended_xyz/ParticleFrame.js';
import { type FileColumn, placeFinder } from './fileColumns.js';
import type { ParticleSource } from './ParticleSource.js';

/** Where a field of the grid lies, and the factor from it to what is written. */
export interface FieldPart {
  readonly block: string;
  readonly component: number;
  readonly factor: number;
}

/**
 * A column of a frame that has no place of its own: fields of one's own, what analyses leave in particles, and columns of the file that
 * these were read from.
 */
export interface OwnColumn {
  readonly name: string;
  /** What each component is: a field of the grid, or a component of the file's column. */
  readonly parts: readonly (FieldPart | number)[];
  readonly file: FileColumn | null;
}

/** A field of one's own (`particle_properties`), which has a block for itself. */
export const ownField = (block: string): FieldPart => ({ block, component: 0, factor: 1 });

/** The blocks of which these columns are made. */
export const ownBlocks = (columns: readonly OwnColumn[]): readonly string[] =>
  columns.flatMap(({ parts }) =>
    parts.flatMap((part) => (typeof part === 'number' ? [] : [part.block])),
  );

/**
 * Columns of particles in the order of `rows`. Particles that the file did not have, such as created ones, have 0, F or `-`.
 * @param columns as text: the name of a field
 */
export function ownColumns(
  source: ParticleSource,
  rows: ArrayLike<number>,
  columns: readonly (string | OwnColumn)[],
): Map<string, ExtraColumn> {
  const own = columns.map((column) =>
    typeof column === 'string' ? { name: column, parts: [ownField(column)], file: null } : column,
  );
  const places = new Map<Float64Array, Int32Array>();
  const placesOf = ({ id }: FileColumn): Int32Array => {
    const made = places.get(id) ?? rowPlaces(source, rows, id);
    places.set(id, made);
    return made;
  };
  return new Map(own.map((column) => [column.name, valuesOf(source, rows, column, placesOf)]));
}

function valuesOf(
  source: ParticleSource,
  rows: ArrayLike<number>,
  { parts, file }: OwnColumn,
  placesOf: (file: FileColumn) => Int32Array,
): ExtraColumn {
  const width = parts.length;
  const values = new Float64Array(width * rows.length);
  const { words = null, type = 'R' } = file ?? {};
  const missing = words ? -1 : 0;
  for (const [part, from] of parts.entries())
    if (typeof from !== 'number') {
      const { array, spec } = source.block(from.block);
      for (let k = 0; k < rows.length; k++)
        values[width * k + part] =
          from.factor * Number(array[rows[k]! * spec.width + from.component]);
    } else {
      const places = placesOf(file!);
      for (let k = 0; k < rows.length; k++)
        values[width * k + part] =
          places[k]! < 0 ? missing : file!.values[file!.width * places[k]! + from]!;
    }
  if (words) {
    const none = type === 'L' ? 'F' : '-';
    return { type, width, values: Array.from(values, (place) => words[place] ?? none) };
  }
  const isAsRead = parts.every((part) => typeof part === 'number');
  return { type: isAsRead ? type : 'R', width, values };
}

/** Where the particles of rows are among ids; −1 where they are not. */
function rowPlaces(source: ParticleSource, rows: ArrayLike<number>, id: Float64Array): Int32Array {
  const ids = idNumbers(source.block('id').array as BigUint64Array, source.count);
  const find = placeFinder(id);
  return Int32Array.from(rows, (row) => find(ids[row]!));
}
