import type { Strain } from '../box/strainBox.js';
import type { ForceTotals } from '../forces/ForceTerm.js';

/** How a box is to change; `relaxed` where it is as it shall be, `stuck` where it does not come nearer to that. */
export type BoxChange = Partial<Strain> | 'relaxed' | 'stuck';

/** Decides from the virial of relaxed particles how their box is to change. */
export interface BoxSearch {
  next(virial: ForceTotals['virial'], volume: number): BoxChange;
}
