import { expect, it } from 'vitest';
import { openTargets } from '../patternMatrix/support/targets.js';
import { runText } from '../support/runText.js';

const [target] = await openTargets('state');

/** What a run says besides its table. */
async function warnings(force: string, { charge = '', setup = '' } = {}): Promise<string[]> {
  const { said } = await runText(
    `configuration: { units: lj, seed: 1 }
global: { dt: 0.005, end_iteration: 2 }
particle_types: { A: { mass: 1${charge} } }
setup_system:
  - lattice: { structure: fcc, density: 0.8, repeat: [4, 4, 4], types: [A] }
${setup}
compute_force:
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }
  - ${force}
simulation: molecular_dynamics
`,
    target!.ctx,
  );
  return said.filter((line) => line.includes('warning'));
}

const forces = [
  'efield: { field: [0.2, 0, 0] }',
  'coulomb_cut_force: { rcut: 2.5 }',
  'coulomb_dsf_force: { alpha: 0.2, rcut: 2.5 }',
];

it.each(forces)('a run without charges says at its place that %s does nothing', async (force) => {
  const name = force.split(':')[0]!;
  expect(await warnings(force)).toEqual([
    expect.stringMatching(
      new RegExp(`in\\.yaml:9:5: warning: ${name} does nothing, because no particle has a charge`),
    ),
  ]);
});

it.each([
  ['a type', { charge: ', charge: 0.1' }],
  ['an operator', { setup: '  - set: { region: { ids: [3] }, charge: 0.1 }' }],
])('a run whose charges come from %s says nothing', async (_, given) => {
  for (const force of forces) expect(await warnings(force, given)).toEqual([]);
});
