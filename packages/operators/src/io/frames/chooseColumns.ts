import { CorpuscleError, type SimulationState } from '@corpuscle/core';
import { gridKey } from '../../run/stateKeys.js';
import { propertiesKey } from '../../sets/properties/fillProperty.js';
import type { ExtraColumn } from '../extended_xyz/ParticleFrame.js';
import { fieldNames, fileColumns, partName } from './fileColumns.js';
import { fieldColumn, type OwnColumn } from './ownColumns.js';

/** The columns that a writer writes, and what it has no place for. */
export interface ChosenColumns {
  readonly columns: readonly OwnColumn[];
  readonly lost: readonly string[];
}

/**
 * The columns that a writer writes beside those of particles.
 *
 * Where the file's column is a field of one's own too, the field is written: it may have changed.
 *
 * @param given names of fields and columns; undefined for all columns that the file had
 * @param keeps which columns the format has a place for, others are written by component
 * @throws CorpuscleError UNKNOWN_FIELD for a name that nothing has
 */
export function chooseColumns(
  state: SimulationState,
  given: readonly string[] | undefined,
  keeps: (column: ExtraColumn) => boolean,
): ChosenColumns {
  const declared = state.find(propertiesKey) ?? {};
  const known = [...fileColumns(state)].map(([name, file]): OwnColumn => {
    const fields = fieldNames(name, file);
    const parts = Array.from({ length: file.width }, (_, k) => {
      const field = fields[k];
      return field !== undefined && field in declared ? field : k;
    });
    return { name, parts, file };
  });
  const fits = ({ parts, file }: OwnColumn): boolean =>
    keeps({ type: file!.type, width: parts.length, values: file!.words ?? file!.values });
  const partsOf = ({ name, parts, file }: OwnColumn): OwnColumn[] =>
    parts.map((part, k) => ({ name: partName(name, file!, k), parts: [part], file }));
  const placed = (column: OwnColumn) => (fits(column) ? [column] : partsOf(column).filter(fits));
  if (!given) {
    const lost = known.filter((column) => placed(column).length === 0);
    return { columns: known.flatMap(placed), lost: lost.map(({ name }) => name) };
  }
  const { blocks } = state.get(gridKey);
  const columns = given.flatMap((name) => {
    if (blocks.has(name)) return [fieldColumn(name)];
    const whole = known.find((column) => column.name === name);
    if (whole) return placed(whole);
    for (const column of known) {
      const part = fieldNames(column.name, column.file!).indexOf(name);
      if (part >= 0) return [{ name, parts: [part], file: column.file }];
    }
    throw new CorpuscleError(
      'UNKNOWN_FIELD',
      `particles have no field '${name}' to write: declare it with particle_properties`,
    );
  });
  return { columns, lost: [] };
}
