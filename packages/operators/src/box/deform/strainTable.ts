import { components, noStrain, type Strain } from '../strainBox.js';

/** Strains at a time after the beginning; what is absent is 0. */
export interface StrainRow extends Partial<Strain> {
  readonly time: number;
}

/** A straight line between two rows. */
interface Piece {
  readonly from: StrainRow;
  readonly to: StrainRow;
}

/** What is wrong with the times of a table; null where they grow. */
export function wrongTimes(rows: readonly StrainRow[]): string | null {
  const at = rows.findIndex((row, k) => k > 0 && !(row.time > rows[k - 1]!.time));
  return at < 0 ? null : `row ${at + 1} of table is not later than the row before: sort it by time`;
}

/** The strain of a table at a time: linear between rows, and before the first and after the last theirs. */
export function tableStrain(rows: readonly StrainRow[], time: number): Strain {
  const { from, to } = pieceAt(rows, time);
  const part = to.time > from.time ? (time - from.time) / (to.time - from.time) : 0;
  const at = (name: keyof Strain) => {
    const [low, high] = [from[name] ?? 0, to[name] ?? 0];
    return low + part * (high - low);
  };
  return ofComponents(at);
}

/** How fast that strain grows; at a row as after it. */
export function tableRate(rows: readonly StrainRow[], time: number): Strain {
  const { from, to } = pieceAt(rows, time);
  if (!(to.time > from.time)) return noStrain;
  return ofComponents((name) => ((to[name] ?? 0) - (from[name] ?? 0)) / (to.time - from.time));
}

function pieceAt(rows: readonly StrainRow[], time: number): Piece {
  const next = rows.findIndex((row) => row.time > time);
  if (next === 0) return { from: rows[0]!, to: rows[0]! };
  if (next < 0) return { from: rows.at(-1)!, to: rows.at(-1)! };
  return { from: rows[next - 1]!, to: rows[next]! };
}

const ofComponents = (at: (name: keyof Strain) => number): Strain =>
  Object.fromEntries(components.map((name) => [name, at(name)])) as unknown as Strain;
