import { type SimulationState, stateKey } from '@corpuscle/core';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';

/** Columns of the file that was read last, by ids: what a frame has beside its own parts. */
export interface FileColumns {
  readonly id: Float64Array | null;
  readonly columns: ReadonlyMap<string, Float64Array>;
}

const columnsKey = stateKey<FileColumns>(
  'columns of a file',
  'put an operator that reads particles first',
);

/** Names that have been told, by file. */
const toldKey = stateKey<Set<string>>('told columns', 'put an operator that reads particles first');

/**
 * Columns of numbers by the names of fields that take them: `d_NAME` of LAMMPS is NAME, and a column of several numbers is `NAME_x`, `NAME_y`
 * and `NAME_z` where it is a vector, else `NAME_0`, `NAME_1` …
 */
function numberColumns({ extra, count }: ParticleFrame): Map<string, Float64Array> {
  const columns = new Map<string, Float64Array>();
  for (const [name, { width, values }] of extra) {
    if (!(values instanceof Float64Array) || values.some(Number.isNaN)) continue;
    const field = name.replace(/^[di]_/, '');
    for (let part = 0; part < width; part++)
      columns.set(
        width === 1 ? field : `${field}_${width === 3 ? 'xyz'[part] : part}`,
        width === 1
          ? values
          : Float64Array.from({ length: count }, (_, row) => values[width * row + part]!),
      );
  }
  return columns;
}

/** Notes the columns of a frame, for `particle_properties`. */
export function keepColumns(state: SimulationState, frame: ParticleFrame): void {
  state.set(columnsKey, { id: frame.id, columns: numberColumns(frame) });
}

/** The numbers of a column by id; null where the file has no such column. */
export function fileColumn(
  state: SimulationState,
  name: string,
): ((id: bigint) => number | undefined) | null {
  const { id, columns } = state.find(columnsKey) ?? {};
  const values = columns?.get(name);
  if (!values) return null;
  if (!id) return (wanted) => values[Number(wanted)];
  const rows = new Map(Array.from(id, (value, row) => [value, row] as const));
  return (wanted) => values[rows.get(Number(wanted)) ?? -1];
}

/** Says once for each file which columns it has beside those of particles, so that none is lost in silence. */
export function tellColumns(state: SimulationState, file: string, frame: ParticleFrame): void {
  const told = state.find(toldKey) ?? new Set();
  if (frame.extra.size === 0 || told.has(file)) return;
  state.set(toldKey, told.add(file));
  const names = [...numberColumns(frame).keys()];
  const other = [...frame.extra].filter(
    ([, { values }]) => !(values instanceof Float64Array) || values.some(Number.isNaN),
  );
  const how = `particle_properties: { fields: { ${names[0]}: {} } } keeps ${names[0]}, and a writer with properties: [${names[0]}] writes it`;
  const parts = [
    ...(names.length > 0 ? [`${names.join(', ')} (${how})`] : []),
    ...(other.length > 0
      ? [`${other.map(([name]) => name).join(', ')} (left out: not a number of each particle)`]
      : []),
  ];
  state.say(`'${file}' has more columns: ${parts.join('; ')}`);
}
