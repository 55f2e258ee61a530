import { defineOperator, type OperatorContext, type Registry } from '@corpuscle/core';
import { createRegistry, pairForceOperator } from '@corpuscle/operators';
import { inPotential, readPotentials } from './readPotentials.js';

/** What the page does between two steps. */
export type AtStep = (context: OperatorContext) => void | Promise<void>;

/**
 * The operators, and one that is called in every step of a loop of molecular dynamics: beside the thermo table, which every
 * such loop has. It is no member of a fused step, and costs none. Potentials that were typed in are operators too.
 *
 * @throws CorpuscleError where a potential has a mistake
 */
export function pageRegistry(
  atStep: AtStep,
  potential = '',
  registry: Registry = createRegistry(),
): Registry {
  for (const one of readPotentials(potential))
    try {
      registry.add(pairForceOperator(one));
    } catch (error) {
      throw inPotential(error);
    }
  return registry
    .add(
      defineOperator({
        name: 'page_control',
        doc: 'Lets a page hold the run and look at its particles.',
        slots: {},
        calls: () => null, // it looks at particles, not at the box
        keeper: registry.operator('checkpoint')!.keeper!,
        execute: atStep,
      }),
    )
    .addDefaults(
      'page',
      'thermo_output: [{ rebind: { frequency: thermo_frequency }, body: [thermo] }, page_control]',
    );
}
