import { CorpuscleError, operatorsOf, type Simulation } from '@corpuscle/core';
import { known } from '../../run/cutoffs.js';

/** SLLOD between several drifts of a step: it would take the first for that of the whole step, and the box moves once. */
export function checkFlow({ root }: Simulation): readonly CorpuscleError[] {
  const mistakes: CorpuscleError[] = [];
  let isBetween = false;
  for (const node of operatorsOf(root)) {
    const { name, drifts } = node.definition;
    if (drifts) isBetween = drifts === 'begin';
    const flow = name === 'deform' ? known(node, 'sllod') : undefined;
    if (!isBetween || flow?.value !== true) continue;
    const location = flow.location ?? node.location;
    mistakes.push(
      new CorpuscleError(
        'INVALID_VALUE',
        'deform with sllod stands in after_drift, where the integrator acts several times in a step: put it at the end of numerical_scheme',
        { ...(location && { location }) },
      ),
    );
  }
  return mistakes;
}
