import { LineReader } from '../../io/LineReader.js';
import { type PairTableSection, parsePairTable } from './parsePairTable.js';

/** The user's units in simulation units. */
export interface TableUnits {
  readonly length: number;
  readonly energy: number;
}

/**
 * Reads a section of a file in the format of LAMMPS's `pair_style table` and converts it to simulation units.
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT at the line.
 */
export function readPairTable(
  file: string,
  keyword: string,
  { length, energy }: TableUnits = { length: 1, energy: 1 },
): PairTableSection {
  const reader = new LineReader(file);
  let table: PairTableSection;
  try {
    table = parsePairTable(reader, keyword);
  } finally {
    reader.close();
  }
  const slope = energy / length ** 2;
  return {
    ...table,
    r: table.r.map((r) => r * length),
    energy: table.energy.map((u) => u * energy),
    force: table.force.map((f) => f * (energy / length)),
    slopes: table.slopes && [table.slopes[0] * slope, table.slopes[1] * slope],
  };
}
