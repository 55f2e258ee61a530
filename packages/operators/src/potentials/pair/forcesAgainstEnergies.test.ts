import { dimensions, loadSimulation } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { createRegistry } from '../../createRegistry.js';
import { definePairPotential } from './definePairPotential.js';
import { pairForceOperator } from './pairForceOperator.js';

const text = `particle_types: { A: { mass: 1 } }
setup_system: [lattice: { structure: fcc, density: 0.8, repeat: [4, 4, 4], types: [A] }]
compute_force:
  - mine_force: { k: 2, rcut: 2 }
simulation: [setup_system, compute_force]
`;
const k = { dimension: dimensions.energy, doc: 'strength' };

/** What is warned of a potential k/r with this force. */
function warnings(force: (r: number, k: number) => number) {
  const energy = (r: number, k: number) => k / r;
  const mine = definePairPotential({ name: 'mine', doc: '', coefficients: { k }, energy, force });
  const operators = createRegistry().add(pairForceOperator(mine));
  return loadSimulation([{ name: 'in.yaml', text }], { operators }).warnings;
}

it('a force that is not −u′ of its energy is told with both numbers', () => {
  expect(warnings((r, k) => k / (r * r))).toEqual([]);
  const message =
    /force of the potential 'mine' is -2 at the distance 1, and its energy says .* = 2:/;
  expect(warnings((r, k) => -k / (r * r))).toMatchObject([
    { message: expect.stringMatching(message), location: { line: 4, column: 5 } },
  ]);
});
