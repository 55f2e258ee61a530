import { CorpuscleError, type Grid } from '@corpuscle/core';
import { type PairWeights, pairWeights } from '@corpuscle/patterns';
import { type Bond, type BondedScaling, defaultScaling } from './Bonds.js';
import { specialPairs } from './specialPairs.js';

interface Bonded {
  readonly bonds: readonly Bond[];
  readonly scaling: BondedScaling;
  /** Of pair potentials. */
  readonly weights: PairWeights;
  /** Kind of each bond plus one; 0 for pairs without. */
  readonly kinds: PairWeights;
}

const known = new WeakMap<Grid, Bonded>();
/** Whether any grid has bonds: forces ask in every step. */
let areAny = false;

/**
 * Tells a grid which of its particles are bonded. From then on pair potentials scale pairs along bonds, and bond
 * potentials know where to act.
 *
 * @param scaling what pair potentials count one, two and three bonds apart
 * @param ids of all particles, where the grid has a share of them
 * @throws CorpuscleError INVALID_VALUE for ids that are not there, bonds given twice, bonds of a particle with itself.
 * @example
 * bondParticles(grid, [{ ids: [0, 1] }, { ids: [1, 2] }]);
 */
export function bondParticles(
  grid: Grid,
  bonds: readonly Bond[],
  scaling: BondedScaling = defaultScaling,
  ids: ReadonlySet<number> = new Set(grid.values('id')),
): void {
  for (const bond of bonds) {
    const lost = bond.ids.find((id) => !ids.has(id));
    if (bond.ids[0] === bond.ids[1])
      throw new CorpuscleError(
        'INVALID_VALUE',
        `the bond ${bond.ids.join('-')} is of a particle with itself: remove it`,
      );
    if (lost === undefined) continue;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the bond ${bond.ids.join('-')} names id ${lost}, which no particle has: correct the bond, or the ids of the particles`,
    );
  }
  const kinds = bonds.map(({ ids, kind = 0 }) => ({ ids, weight: kind + 1 }));
  areAny = true;
  known.set(grid, {
    bonds,
    scaling,
    kinds: pairWeights(kinds, 0),
    weights: pairWeights(specialPairs(bonds, scaling)),
  });
}

/** Weights of pair potentials; undefined where nothing is bonded. */
export const weightsOf = (grid: Grid): PairWeights | undefined =>
  areAny ? known.get(grid)?.weights : undefined;

/** The bonds of a grid; null where it has none. */
export const bondsOf = (grid: Grid): Bonded | null => known.get(grid) ?? null;
