import type { Composite, CompositeUse } from '@corpuscle/core';
import { joinSteps, type StepParts } from './joinSteps.js';

/** What the names of integrators stand for, by what a file says of them. */
const parts = new WeakMap<Composite, (use: CompositeUse) => StepParts>();

/** All integrators of a list become one step. */
const expand: Composite['expand'] = (uses) =>
  joinSteps(uses, (use) => parts.get(use.composite)!(use));

/**
 * A name in `numerical_scheme` that stands for operators of a step, and joins others of its list.
 *
 * @param partsOf names of the operators, which get all settings of the use and its number as `use`
 */
export function stepComposite(
  composite: Pick<Composite, 'name' | 'doc' | 'slots'>,
  partsOf: (use: CompositeUse) => StepParts,
): Composite {
  const made: Composite = { ...composite, joins: true, expand };
  parts.set(made, partsOf);
  return made;
}
