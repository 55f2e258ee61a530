import { createExecutionContext } from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import { runText } from './support/runText.js';

const text = (scheme: string, more = '') => `
configuration: { units: lj, seed: 4711 }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: 40, thermo_frequency: 10 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force: [{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }]
numerical_scheme: ${scheme}
thermo: { box: true }
${more}simulation: molecular_dynamics
`;
const repeat = `after_drift:
  - nth_timestep: { frequency: 1000, from: 15 }
  - { condition: nth_timestep, body: [replicate: { repeat: [1, 2, 1] }] }
`;

/** It does not depend on the number of particles. */
const scheme =
  '[velocity_verlet, { berendsen: { pressure: 5, tau_pressure: 0.1, compressibility: 0.01 } }]';

it.each(['cpu', 'webgpu'] as const)(
  'a box that is repeated under a barostat goes on as one that is not, on %s',
  async (backend) => {
    const options = { backend, precision: 'f64', threads: 1 } as const;
    await using context = await createExecutionContext(options);
    const { table: known } = await runText(text(scheme), context);
    const { table } = await runText(text(scheme, repeat), context);
    const copies = (name: string) => (/_energy$|^volume$|^ly$/.test(name) ? 2 : 1);
    for (const [name, numbers] of Object.entries(known))
      for (const [row, number] of numbers.entries()) {
        if (name === 'temperature') continue; // over 3N − 3 degrees of freedom
        const expected = number * (row < 2 ? 1 : copies(name));
        const off = Math.abs(table[name]![row]! - expected);
        expect(off, `${name} in row ${row}`).toBeLessThan(1e-9 * Math.max(1, Math.abs(expected)));
      }
  },
);
