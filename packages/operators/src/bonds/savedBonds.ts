import type { Grid } from '@corpuscle/core';
import type { Bond, BondedScaling } from './Bonds.js';
import { bondParticles, bondsOf } from './bondParticles.js';

/** The bonds of a grid in a checkpoint: they may have been read, copied, or deleted since they were named. */
export type SavedBonds = {
  /** Two for each bond. */
  readonly ids: Float64Array;
  readonly kinds: Uint32Array;
  readonly scaling: readonly number[];
};

/** @returns null where nothing is bonded. */
export function savedBonds(grid: Grid): SavedBonds | null {
  const known = bondsOf(grid);
  if (!known) return null;
  const { bonds, scaling } = known;
  const ids = Float64Array.from(bonds.flatMap((bond) => bond.ids));
  const kinds = Uint32Array.from(bonds, ({ kind = 0 }) => kind);
  return { ids, kinds, scaling };
}

/** The bonds that a checkpoint holds. */
export const bondsIn = ({ ids, kinds }: SavedBonds): readonly Bond[] =>
  Array.from(kinds, (kind, k): Bond => ({ ids: [ids[2 * k]!, ids[2 * k + 1]!], kind }));

/** Tells a grid with all particles of a checkpoint which of them are bonded. */
export function restoreBonds(grid: Grid, saved: SavedBonds): void {
  bondParticles(grid, bondsIn(saved), saved.scaling as unknown as BondedScaling);
}

/** Whether data of a checkpoint are bonds. */
export function areBonds(saved: SavedBonds | null | undefined): boolean {
  if (saved === null || saved === undefined) return true;
  const { ids, kinds, scaling } = saved as Partial<SavedBonds>;
  return (
    ids instanceof Float64Array &&
    kinds instanceof Uint32Array &&
    ids.length === 2 * kinds.length &&
    Array.isArray(scaling) &&
    scaling.length === 3 &&
    scaling.every((factor) => Number.isFinite(factor) && factor >= 0)
  );
}
