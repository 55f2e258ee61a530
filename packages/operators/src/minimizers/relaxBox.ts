import type { Domain } from '@corpuscle/core';
import { type BoxCoupling, checkCoupling } from '../box/coupling.js';
import { noStrain, strainBox } from '../box/strainBox.js';
import type { BoxSearch } from './BoxSearch.js';
import type { MakeSearch, Search, SearchProgress, Tolerances } from './Search.js';
import type { SearchVectors } from './SearchVectors.js';
import { StrainSearch } from './StrainSearch.js';
import { VolumeSearch } from './VolumeSearch.js';

/** The box of a minimization. Open axes are strained too: nothing depends on them. */
export interface RelaxedBox {
  readonly domain: Domain;
  /** Sets another box; particles follow it. */
  set(domain: Domain): void;
}

/** What the box is relaxed to. */
export interface BoxTarget {
  readonly box: RelaxedBox;
  readonly pressure: number;
  readonly coupling: BoxCoupling;
}

/** @throws CorpuscleError INVALID_VALUE for a box that cannot do what the coupling asks for. */
export const checkRelaxed = (domain: Domain, coupling: BoxCoupling): void =>
  checkCoupling(domain, coupling, 'a minimization to a pressure', { strains: true });

/** Changes of the box at most. */
const MOST = 100;
/** Strains of boxes that are almost the same. */
const SMALL = 1e-4;

/**
 * Relaxes particles, then strains the box, and so on: the enthalpy E + P V is least where the stress of the relaxed particles is P
 * along all axes that the coupling lets go.
 */
export async function* relaxBox(
  make: MakeSearch,
  vectors: SearchVectors,
  tolerances: Tolerances,
  progress: SearchProgress,
  { box, pressure, coupling }: BoxTarget,
): Search {
  let totals = yield;
  checkRelaxed(box.domain, coupling);
  const search: BoxSearch =
    coupling === 'iso' ? new VolumeSearch(pressure) : new StrainSearch(pressure, coupling);
  // What the last digits do not reach in one box they hardly do in one that is almost the same. The last box tries again.
  let force = tolerances.force;
  for (let n = 0; ; n++) {
    const inner = make(vectors, { ...tolerances, force }, progress);
    await inner.next(totals);
    let found = await inner.next(totals);
    while (!found.done) {
      totals = yield;
      found = await inner.next(totals);
    }
    if (found.value === 'steps') return 'steps';
    if (n === MOST) return 'boxes';
    const change = search.next(totals.virial, box.domain.volume);
    if (typeof change === 'string') {
      if (force === tolerances.force) return change === 'stuck' ? 'line' : found.value;
      force = tolerances.force;
      continue;
    }
    const isSmall = Math.max(...Object.values(change).map(Math.abs)) < SMALL;
    if (found.value === 'line' && isSmall) force = Math.max(force, 2 * progress.largestForce);
    box.set(strainBox(box.domain, { ...noStrain, ...change }));
    totals = yield;
  }
}
