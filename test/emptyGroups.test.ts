// What analyses write of a group without particles, and of particles that have no temperature: numbers.

import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, expect, it } from 'vitest';
import { runText } from './support/runText.js';

const ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
afterAll(() => ctx.close());

/** A run with analyses; every file that they name is looked at. */
async function textsOf(repeat: string, set: string, analyses: readonly string[]) {
  const wanted = analyses.flatMap((text) => text.match(/\w+\.(?:csv|json)/g)!);
  const { texts } = await runText(
    `
configuration: { units: lj, seed: 7 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 4 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: sc, lattice_constant: 4, repeat: ${repeat}, types: [A] }
  - ${set}
compute_force: [lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 1.5 }]
numerical_scheme: [velocity_verlet]
dump_data:
${analyses.map((text) => `  - ${text}\n`).join('')}
simulation: molecular_dynamics
`,
    ctx,
    { wanted },
  );
  return texts;
}

/** Without the errors of a table, which a single frame does not tell, and the labels by particle of JSON. */
function withoutErrors(text: string): string {
  if (text.startsWith('{')) return text.replace(/"cluster":\[.*?\]/g, '');
  const [head, ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((row) => row.filter((_, k) => !head![k]!.includes('error'))).join('\n');
}

const NONE = 'group: { name: none, ids: [99] }';

it.each([
  ['clusters: { cutoff: 1.5, group: none, file: a.csv }', /^4,.*,0,0,0$/m],
  ['clusters: { cutoff: 1.5, group: none, file: a.json }', /"mean":0/],
  ['centro_symmetry: { cutoff: 1.5, group: none, file: a.csv }', /^4,.*,0,0$/m],
  ['common_neighbors: { cutoff: 1.5, group: none, file: a.csv }', /^4,.*,0,0,0,0,0$/m],
  ['steinhardt: { cutoff: 1.5, group: none, file: a.csv }', /^4,.*,0,0$/m],
  ['structure_factor: { q_max: 3, bins: 2, group: none, file: a.csv }', /^.*,0,0,\d+,0,0$/m],
  ['mean_square_displacement: { group: none, file: a.csv }', /^4,.*,0,0,0,0/m],
  ['velocity_autocorrelation: { group: none, file: a.csv }', /^4,.*,0,0,0,0/m],
  ['radial_distribution: { r_max: 1.5, bins: 2, group: none, file: a.csv }', /,0,0/],
  ['profile: { bins: 2, group: none, file: a.csv }', /,0,0,0,0,0,0,0,0$/m],
  ['particle_stress: { group: none, file: a.csv }', /^4,.*,-?0,-?0,-?0,-?0,-?0,-?0$/m],
])('an empty group: %s', async (analysis, expected) => {
  const [text] = await textsOf('[3, 3, 3]', NONE, [analysis]);
  expect(text).toMatch(expected);
  expect(withoutErrors(text!)).not.toMatch(/NaN|Infinity|null/);
});

it.each(['stress_autocorrelation', 'heat_flux_autocorrelation'])(
  'one particle, which has no temperature: %s',
  async (name) => {
    const analysis = `${name}: { lags: 2, file: a.csv }`;
    const [text] = await textsOf('[1, 1, 1]', 'set: { fields: { vx: 1 } }', [analysis]);
    const [head, ...rows] = text!.trim().split('\n');
    const column = head!.split(',').findIndex((title) => /^(viscosity|thermal)/.test(title));
    expect(rows.map((row) => Number(row.split(',')[column]))).toEqual([0, 0, 0]);
  },
);
