import { CorpuscleError, type Domain } from '@corpuscle/core';

/** An error that names a cutoff `rcut`, as lists do, which names it as the user does. */
export const cutoffNamed = (slot: string, error: unknown): unknown =>
  error instanceof CorpuscleError && error.code === 'BOX_TOO_THIN'
    ? new CorpuscleError(error.code, error.message.replaceAll(/\brcut\b/g, slot), { cause: error })
    : error;

/** Declares that an analysis looks for neighbors as far as a slot says: a box that is too thin for it is told before a run. */
export const reachesInBox = (slot: string) => ({
  checkBox(slots: Readonly<Record<string, unknown>>, domain: Domain): void {
    const reach = slots[slot];
    if (typeof reach !== 'number') return;
    try {
      domain.checkReach(reach);
    } catch (error) {
      throw cutoffNamed(slot, error);
    }
  },
});
