import { idNumbers } from '@corpuscle/core';
import type { ExtraColumn } from '../extended_xyz/ParticleFrame.js';
import { type FileColumn, placeFinder } from './fileColumns.js';
import type { ParticleSource } from './ParticleSource.js';

/** A column of a frame that has no place of its own: fields of one's own, and columns of the file that particles were read from. */
export interface OwnColumn {
  readonly name: string;
  /** What each component is: a block of the grid, or a component of the file's column. */
  readonly parts: readonly (string | number)[];
  readonly file: FileColumn | null;
}

/** A field of one's own (`particle_properties`) as a column. */
export const fieldColumn = (name: string): OwnColumn => ({ name, parts: [name], file: null });

/** The blocks of which these columns are made. */
export const ownBlocks = (columns: readonly OwnColumn[]): readonly string[] =>
  columns.flatMap(({ parts }) => parts.filter((part) => typeof part === 'string'));

/**
 * Columns of particles in the order of `rows`. Particles that the file did not have, such as created ones, have 0, F or `-`.
 * @param columns as text: the name of a field
 */
export function ownColumns(
  source: ParticleSource,
  rows: ArrayLike<number>,
  columns: readonly (string | OwnColumn)[],
): Map<string, ExtraColumn> {
  const own = columns.map((column) => (typeof column === 'string' ? fieldColumn(column) : column));
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
    if (typeof from === 'string') {
      const { array, spec } = source.block(from);
      for (let k = 0; k < rows.length; k++)
        values[width * k + part] = array[rows[k]! * spec.width] as number;
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
