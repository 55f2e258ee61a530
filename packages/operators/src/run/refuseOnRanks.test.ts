import {
  defineOperator,
  dimensions,
  loadSimulation,
  type OperatorDefinition,
} from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { defineAnalysis } from '../analyses/define/defineAnalysis.js';
import { createRegistry } from '../createRegistry.js';
import { defineIntegrator } from '../integrators/defineIntegrator.js';
import { kickDrift } from '../integrators/velocity_verlet/velocityVerlet.js';
import { definePairPotential } from '../potentials/pair/definePairPotential.js';
import { pairForceOperator } from '../potentials/pair/pairForceOperator.js';
import { refuseOnCards } from './refuseOnCards.js';
import { refuseOnRanks } from './refuseOnRanks.js';

const QUIET = 'message: { text: hello }';
const slots = {};
const own: Readonly<Record<string, OperatorDefinition>> = {
  greet: defineOperator({ name: 'greet', doc: 'Greets.', slots, execute() {} }),
  share: defineOperator({ name: 'share', doc: 'Greets.', slots, ranks: 'cards', execute() {} }),
  look: defineAnalysis({ name: 'look', doc: 'Looks at particles.', slots, frame() {} }),
  push_force: pairForceOperator(
    definePairPotential({
      name: 'push',
      doc: 'A soft repulsion.',
      coefficients: { epsilon: { dimension: dimensions.energy, doc: 'height' } },
      energy: (r, epsilon) => epsilon * (3 - r) ** 2,
    }),
  ),
};
const doubleStep = (name: string, declared: { ranks?: 'cards' }) =>
  defineIntegrator({
    name,
    doc: 'Moves particles.',
    ...declared,
    phases: [
      'forces',
      { doc: 'Moves.', functor: kickDrift, params: ({ dt }) => ({ dt, halfDt: dt }) },
    ],
  });

/** Whether ranks, and ranks with cards, take a simulation with this in its loop, or with this scheme. */
function taken(loop: string, scheme = 'velocity_verlet'): readonly [boolean, boolean] {
  const operators = createRegistry().add(...Object.values(own));
  operators.addBundle(doubleStep('alone', {})).addBundle(doubleStep('shared', { ranks: 'cards' }));
  const text = `
configuration: { units: lj }
global: { dt: 0.005, end_iteration: 10 }
particle_types: { A: { mass: 1 } }
setup_system: [{ lattice: { structure: fcc, density: 0.8, repeat: [5, 5, 5] } }]
compute_force: [{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2 } }]
numerical_scheme: ${scheme}
dump_data: [${loop}]
simulation: molecular_dynamics
`;
  const simulation = loadSimulation([{ name: 'in.yaml', text }], { operators });
  const isTaken = (refuse: typeof refuseOnRanks): boolean => {
    try {
      refuse(simulation);
      return true;
    } catch (error) {
      expect((error as Error).message).toMatch(
        /cannot run on (several ranks|ranks with cards) yet/,
      );
      return false;
    }
  };
  return [isTaken(refuseOnRanks), isTaken(refuseOnCards)];
}

describe('ranks, and ranks with cards,', () => {
  it('take operators of Corpuscle by what these declare', () => {
    expect(taken(QUIET)).toEqual([true, true]); // touches no particles
    expect(taken(QUIET, '{ langevin: { temperature: 1, friction: 1 } }')).toEqual([true, true]);
    expect(taken(QUIET, '{ berendsen: { temperature: 1, tau: 1 } }')).toEqual([true, true]);
    expect(taken('write_xtc: { file: a.xtc }')).toEqual([true, true]);
    expect(taken('write_dcd: { file: a.dcd }')).toEqual([true, true]);
    expect(taken('radial_distribution: { r_max: 2, file: rdf.csv }')).toEqual([true, true]);
  });

  it('take operators of a user by the same rule', () => {
    expect(taken('greet')).toEqual([false, false]);
    expect(taken('share')).toEqual([true, true]);
    expect(taken('look')).toEqual([true, true]);
    expect(taken('push_force: { epsilon: 1, rcut: 2 }')).toEqual([true, true]);
    expect(taken(QUIET, 'alone')).toEqual([false, false]);
    expect(taken(QUIET, 'shared')).toEqual([true, true]);
  });
});
