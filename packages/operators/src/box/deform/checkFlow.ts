import { CorpuscleError, operatorsOf, type Simulation } from '@corpuscle/core';
import { known } from '../../run/cutoffs.js';

/**
 * SLLOD between the drifts of `respa`, of which it would take the first for that of the whole step: `respa` has several, and the
 * box moves once.
 */
export function checkFlow({ root }: Simulation): readonly CorpuscleError[] {
  const mistakes: CorpuscleError[] = [];
  let isBetween = false;
  for (const node of operatorsOf(root)) {
    const { name } = node.definition;
    if (name === 'respa_kick_drift') isBetween = true;
    if (name === 'respa_sum') isBetween = false;
    const flow = name === 'deform' ? known(node, 'sllod') : undefined;
    if (!isBetween || flow?.value !== true) continue;
    const location = flow.location ?? node.location;
    mistakes.push(
      new CorpuscleError(
        'INVALID_VALUE',
        'deform with sllod stands in after_drift, where respa acts several times in a step: put it at the end of numerical_scheme',
        { ...(location && { location }) },
      ),
    );
  }
  return mistakes;
}
