import { CorpuscleError, type SimulationState } from '@corpuscle/core';
import { gridKey } from '../../run/stateKeys.js';
import { propertiesKey } from '../../sets/properties/fillProperty.js';
import type { ExtraColumn } from '../extended_xyz/ParticleFrame.js';
import { fieldNames, fileColumns, partName } from './fileColumns.js';
import { type OwnColumn, ownField } from './ownColumns.js';

/** The columns that a writer writes, and what it has no place for. */
export interface ChosenColumns {
  readonly columns: readonly OwnColumn[];
  readonly lost: readonly string[];
}

/** The error for a name that is neither that of a field nor that of a column. */
export const noField = (name: string): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    `particles have no field '${name}' to write: declare it with particle_properties, or put the analysis before that leaves it in them`,
  );

/**
 * The columns that a writer writes beside those of particles.
 *
 * Where the file's column is a field of one's own too, the field is written: it may have changed.
 *
 * @param given names of fields and columns; undefined for all columns that the file had
 * @param keeps which columns the format has a place for, others are written by component
 * @throws CorpuscleError INVALID_VALUE for a name that nothing has
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
      return field !== undefined && field in declared ? ownField(field) : k;
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
  const { units } = state.simulation.configuration;
  const grid = state.get(gridKey);
  const columns = given.flatMap((name) => {
    if (grid.hasField(name)) {
      const { block, component } = grid.field(name);
      const { dimension } = grid.block(block).spec;
      const factor = dimension ? units.fromInternal(1, dimension) : 1;
      return [{ name, parts: [{ block, component, factor }], file: null }];
    }
    const whole = known.find((column) => column.name === name);
    if (whole) return placed(whole);
    for (const column of known) {
      const part = fieldNames(column.name, column.file!).indexOf(name);
      if (part >= 0) return [{ name, parts: [part], file: column.file }];
    }
    throw noField(name);
  });
  return { columns, lost: [] };
}
