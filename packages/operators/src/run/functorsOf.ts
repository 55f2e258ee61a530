import { operatorsOf, type Simulation } from '@corpuscle/core';
import type { Functor } from '@corpuscle/patterns';
import { known } from './cutoffs.js';

/** The functors that the operators of a simulation declare, for profiles. */
export function functorsOf(simulation: Simulation): Functor[] {
  const functors = new Set<Functor>();
  for (const node of operatorsOf(simulation.root)) {
    const { functors: declared = [], slots } = node.definition;
    const values = () => Object.keys(slots).map((slot) => [slot, known(node, slot)?.value]);
    const list = typeof declared === 'function' ? declared(Object.fromEntries(values())) : declared;
    for (const functor of list) functors.add(functor as Functor);
  }
  return [...functors];
}
