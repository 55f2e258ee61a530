import { type OperatorNode, operatorsOf, type Simulation } from '@corpuscle/core';
import type { Functor } from '@corpuscle/patterns';
import { neighbourPairs, zeroShares } from '../analyses/coordination/neighbourPairs.js';
import { switchingFunction } from '../analyses/coordination/switching/Switching.js';
import { type SwitchSlots, switchOptions } from '../analyses/coordination/switchSlot.js';
import { zeroForces } from '../forces/zeroForces.js';
import { kick, kickDrift } from '../integrators/velocity_verlet/velocityVerlet.js';
import { embeddedAtom } from '../potentials/eam/embeddedAtom.js';
import { harmonicBond } from '../potentials/harmonic_bond/harmonicBond.js';
import { lennardJones } from '../potentials/lennard_jones/lennardJones.js';
import { pairPotentials } from '../potentials/pairPotentials.js';
import { stillingerWeber } from '../potentials/stillinger_weber/stillingerWeber.js';
import { suttonChen } from '../potentials/sutton_chen/suttonChen.js';
import { tabulated } from '../potentials/tabulated/tabulated.js';
import { known } from './cutoffs.js';
import { kineticTensor } from './thermo/kineticTensor.js';

const FUNCTORS: Readonly<Record<string, Functor>> = {
  push_velocity_and_position: kickDrift,
  zero_force: zeroForces,
  lennard_jones_force: lennardJones,
  ...Object.fromEntries(pairPotentials.map(({ name, functor }) => [`${name}_force`, functor])),
  tabulated_force: tabulated,
  stillinger_weber_force: stillingerWeber,
  sutton_chen_force: suttonChen,
  embedded_atom_force: embeddedAtom,
  harmonic_bond_force: harmonicBond,
  push_velocity: kick,
  thermo: kineticTensor,
};

/** Functors that depend on what the user asked for. */
const CHOSEN: Readonly<Record<string, (node: OperatorNode) => readonly Functor[]>> = {
  coordination: coordinationFunctors,
  coordination_histogram: coordinationFunctors,
};

function coordinationFunctors(node: OperatorNode): readonly Functor[] {
  const options = known(node, 'switch')?.value as SwitchSlots | undefined;
  if (!options) return [];
  const s = switchingFunction(switchOptions(options), known(node, 'keyword_form')?.value === true);
  const one = known(node, 'group_b')?.value === undefined;
  const weights = !one ? 'two' : known(node, 'group_a')?.value === 'all' ? 'all' : 'self';
  return [zeroShares, neighbourPairs(s, weights)];
}

/** The functors that the operators of a simulation hand to patterns, for profiles. */
export function functorsOf(simulation: Simulation): Functor[] {
  const functors = new Set<Functor>();
  for (const node of operatorsOf(simulation.root)) {
    const functor = FUNCTORS[node.definition.name];
    if (functor) functors.add(functor);
    for (const chosen of CHOSEN[node.definition.name]?.(node) ?? []) functors.add(chosen);
  }
  return [...functors];
}
