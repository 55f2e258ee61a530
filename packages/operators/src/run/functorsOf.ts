import { operatorsOf, type Simulation } from '@corpuscle/core';
import type { Functor } from '@corpuscle/patterns';
import { known } from './cutoffs.js';

/** A functor of an operator, and the backend that the file gives to this operator, if it does. */
export interface FunctorUse {
  readonly functor: Functor;
  readonly backend: string | undefined;
}

/** The functors that the operators of a simulation declare, each once for each backend that it was given. */
export function functorUses(simulation: Simulation): FunctorUse[] {
  const uses = new Map<Functor, Set<string | undefined>>();
  for (const node of operatorsOf(simulation.root)) {
    const { functors: declared = [], slots } = node.definition;
    const values = () => Object.keys(slots).map((slot) => [slot, known(node, slot)?.value]);
    const list = typeof declared === 'function' ? declared(Object.fromEntries(values())) : declared;
    for (const functor of list as readonly Functor[])
      uses.set(functor, (uses.get(functor) ?? new Set()).add(node.backend));
  }
  return [...uses].flatMap(([functor, backends]) =>
    [...backends].map((backend) => ({ functor, backend })),
  );
}

/** The functors that the operators of a simulation declare. */
export function functorsOf(simulation: Simulation): Functor[] {
  return [...new Set(functorUses(simulation).map(({ functor }) => functor))];
}
