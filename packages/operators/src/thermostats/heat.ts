import { type BlockSpec, operatorsOf, type Simulation } from '@corpuscle/core';
import { type CellFunctor, reduceFunctor, withOutputs } from '@corpuscle/patterns';

/** The energy that noise and collisions have given each particle. */
export const heatBlock = {
  name: 'bath_heat',
  type: 'f64',
  width: 1,
  members: ['bath_heat'],
} as const satisfies BlockSpec;

/** All of it. */
export const sumHeat = reduceFunctor(
  { name: 'bath_heat', result: { heat: 'sum' }, read: { bath_heat: 'real' } },
  (acc, i) => {
    acc.heat += i.bath_heat;
  },
);

const silent = new WeakMap<CellFunctor, CellFunctor>();

/** A functor that counts heat, or the same without the field and what is computed for it alone. */
export function countingHeat(functor: CellFunctor, isCounted: boolean): CellFunctor {
  if (isCounted) return functor;
  let plain = silent.get(functor);
  if (!plain) {
    const { bath_heat: _, ...outputs } = functor.outputs;
    const { ir } = functor;
    plain = {
      ...functor,
      outputs,
      spec: { ...functor.spec, fields: outputs } as CellFunctor['spec'],
      ir: ir && withOutputs(ir, new Set(Object.keys(outputs))),
    };
    silent.set(functor, plain);
  }
  return plain;
}

const found = new WeakMap<Simulation, boolean>();

/** Whether a table of the simulation has the conserved quantity. */
export function accountsEnergy(simulation: Simulation): boolean {
  let isAsked = found.get(simulation);
  if (isAsked === undefined) {
    isAsked = [...operatorsOf(simulation.root)].some(({ definition, slots }) => {
      const given = definition.name === 'thermo' ? slots.get('conserved') : undefined;
      return given?.kind === 'value' && given.value === true;
    });
    found.set(simulation, isAsked);
  }
  return isAsked;
}
