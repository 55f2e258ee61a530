import { type SimulationState, stateKey } from '@corpuscle/core';
import type { ExtraColumn, ParticleFrame } from '../extended_xyz/ParticleFrame.js';

/**
 * A column of the file that particles were read from, beside those of a frame. It belongs to ids, not to rows, and lies beside the
 * grid: sorts, devices and ranks never move it, and every bit stays as it is.
 */
export interface FileColumn {
  /** Of all particles of the file, ascending. */
  readonly id: Float64Array;
  readonly type: ExtraColumn['type'];
  readonly width: number;
  /** `width` numbers for each id; of a column of words their places in `words`. */
  readonly values: Float64Array;
  readonly words: readonly string[] | null;
}

type Columns = ReadonlyMap<string, FileColumn>;

const columnsKey = stateKey<Columns>(
  'columns of a file',
  'put an operator that reads particles first',
);

/** Names that have been told, by file. */
const toldKey = stateKey<Set<string>>('told columns', 'put an operator that reads particles first');

/** What an integer or a real number of one's own is called in dumps: `d_NAME` is NAME. */
const bareName = (name: string): string => name.replace(/^[di]_/, '');

/** The columns of the file that particles were read from, by their names there. */
export const fileColumns = (state: SimulationState): Columns =>
  state.find(columnsKey) ?? new Map<string, FileColumn>();

/** What a component of a column is called as a field: NAME, `NAME_x` … of vectors, `NAME_0` … of others. */
export const partName = (name: string, { width }: { readonly width: number }, part: number) =>
  width === 1 ? name : `${name}_${width === 3 ? 'xyz'[part] : part}`;

/** The same of all components, as `particle_properties` names them; none of words. */
export const fieldNames = (name: string, column: FileColumn): readonly string[] =>
  column.words
    ? []
    : Array.from({ length: column.width }, (_, part) => partName(bareName(name), column, part));

/** Notes the columns of particles that have been read; those that other particles had are forgotten. */
export function keepColumns(state: SimulationState, frame: ParticleFrame): void {
  const extra = new Map(frame.extra);
  if (frame.molecule?.some((number) => number !== 0))
    extra.set('molecule', { type: 'I', width: 1, values: frame.molecule });
  const columns = new Map<string, FileColumn>();
  state.set(columnsKey, columns);
  if (extra.size === 0) return;
  const ids = frame.id ?? Float64Array.from({ length: frame.count }, (_, k) => k);
  const order = ascending(ids);
  const id = shared(frame.count, (k) => ids[order[k]!]!);
  for (const [name, { type, width, values }] of extra) {
    const words = values instanceof Float64Array ? null : [...new Set(values)];
    const places = words && new Map(words.map((word, k) => [word, k]));
    const sorted = shared(width * frame.count, (k) => {
      const value = values[width * order[Math.floor(k / width)]! + (k % width)]!;
      return places ? places.get(value as string)! : (value as number);
    });
    columns.set(name, { id, type, width, values: sorted, words });
  }
}

function ascending(ids: Float64Array): Uint32Array {
  const order = Uint32Array.from(ids.keys());
  const isSorted = ids.every((id, k) => k === 0 || ids[k - 1]! < id);
  return isSorted ? order : order.sort((a, b) => ids[a]! - ids[b]!);
}

/** Numbers that threads which make frames see without a copy. */
function shared(length: number, value: (k: number) => number): Float64Array {
  const numbers = new Float64Array(new SharedArrayBuffer(8 * length));
  for (let k = 0; k < length; k++) numbers[k] = value(k);
  return numbers;
}

/** Gives the place of an id, or −1; of ids that follow each other at once. */
export function placeFinder(id: Float64Array): (wanted: number) => number {
  let last = -1;
  return (wanted) => {
    if (id[last + 1] === wanted) return ++last;
    let [low, high] = [0, id.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (id[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    if (id[low] !== wanted) return -1;
    last = low;
    return low;
  };
}

/** The numbers that the file has for a field, by id; null where it has no such column. */
export function fileColumn(
  state: SimulationState,
  field: string,
): ((id: bigint) => number | undefined) | null {
  for (const [name, column] of fileColumns(state)) {
    const part = fieldNames(name, column).indexOf(field);
    if (part < 0) continue;
    const find = placeFinder(column.id);
    return (wanted) => column.values[column.width * find(Number(wanted)) + part];
  }
  return null;
}

/** Particles have been repeated: copy k of one has its id plus `k · span`. @param present ids of all particles before, ascending */
export function copyColumns(
  state: SimulationState,
  present: Float64Array,
  { copies, span }: { readonly copies: number; readonly span: number },
): void {
  const count = present.length;
  const id = shared(copies * count, (k) => present[k % count]! + Math.floor(k / count) * span);
  const columns = [...fileColumns(state)].map(([name, column]): [string, FileColumn] => {
    const { width } = column;
    const places = Array.from(present, placeFinder(column.id));
    // Molecules of each copy have numbers of their own; 0 means no molecule.
    const shift = name === 'molecule' ? column.values.reduce((a, b) => Math.max(a, b), 0) : 0;
    const values = shared(copies * count * width, (k) => {
      const row = Math.floor(k / width);
      const place = places[row % count]!;
      const value = place < 0 ? 0 : column.values[width * place + (k % width)]!;
      return value === 0 ? 0 : value + shift * Math.floor(row / count);
    });
    return [name, { ...column, id, values }];
  });
  state.set(columnsKey, new Map(columns));
}

/** Says once for each file which columns it has beside those of particles, and what becomes of them. */
export function tellColumns(state: SimulationState, file: string): void {
  const columns = fileColumns(state);
  const told = state.find(toldKey) ?? new Set();
  if (columns.size === 0 || told.has(file)) return;
  state.set(toldKey, told.add(file));
  const field = [...columns].flatMap(([name, column]) => fieldNames(name, column))[0];
  const how =
    field === undefined
      ? ''
      : `; particle_properties: { fields: { ${field}: {} } } makes ${field} a field that operators see`;
  state.say(
    `'${file}' has more columns: ${[...columns.keys()].join(', ')}; write_extended_xyz and write_lammps_dump write them as they are${how}`,
  );
}

/** Columns in a checkpoint. */
export type SavedColumns = {
  readonly id: Float64Array;
  readonly columns: readonly (Omit<FileColumn, 'id'> & { readonly name: string })[];
};

/** Null where there are none. */
export function savedColumns(state: SimulationState): SavedColumns | null {
  const columns = [...fileColumns(state)].map(([name, column]) => ({ name, ...column }));
  if (columns.length === 0) return null;
  return { id: columns[0]!.id, columns: columns.map(({ id, ...rest }) => rest) };
}

export function restoreColumns(state: SimulationState, saved: SavedColumns): void {
  const id = shared(saved.id.length, (k) => saved.id[k]!);
  const columns = saved.columns.map(({ name, values, ...rest }): [string, FileColumn] => [
    name,
    { ...rest, id, values: shared(values.length, (k) => values[k]!) },
  ]);
  state.set(columnsKey, new Map(columns));
}

/** Whether data of a checkpoint are columns. */
export function areColumns(saved: Partial<SavedColumns> | null | undefined): boolean {
  if (saved === null || saved === undefined) return true;
  const { id, columns } = saved;
  if (!(id instanceof Float64Array) || !Array.isArray(columns)) return false;
  return (columns as Partial<SavedColumns['columns'][number]>[]).every(
    ({ name, type, width, values, words }) =>
      typeof name === 'string' &&
      typeof type === 'string' &&
      values instanceof Float64Array &&
      values.length === width! * id.length &&
      (words === null || Array.isArray(words)),
  );
}
