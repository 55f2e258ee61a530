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

/** Columns of one number a particle, by their names; `d_NAME` of LAMMPS is NAME. */
function numberColumns({ extra }: ParticleFrame): Map<string, Float64Array> {
  const columns = new Map<string, Float64Array>();
  for (const [name, { width, values }] of extra)
    if (width === 1 && values instanceof Float64Array && !values.some(Number.isNaN))
      columns.set(name.replace(/^[di]_/, ''), values);
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
  const names = [...frame.extra.keys()];
  const told = state.find(toldKey) ?? new Set();
  if (names.length === 0 || told.has(file)) return;
  state.set(toldKey, told.add(file));
  const [kept, other] = [
    numberColumns(frame),
    names.filter((name) => !numberColumns(frame).has(name.replace(/^[di]_/, ''))),
  ];
  const parts = [
    ...(kept.size > 0
      ? [`${[...kept.keys()].join(', ')} (particle_properties of that name takes it)`]
      : []),
    ...(other.length > 0 ? [`${other.join(', ')} (left out: not one number a particle)`] : []),
  ];
  state.say(`'${file}' has more columns: ${parts.join('; ')}`);
}
