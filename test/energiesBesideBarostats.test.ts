// Energies of particles are asked for in some steps: forces leave virials elsewhere then, and fused steps before and after have others.

import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runText } from './support/runText.js';

const schemes = [
  '{ nose_hoover: { pressure: 3, tau_pressure: 0.3, temperature: 1.2, tau: 0.3 } }',
  '{ berendsen: { pressure: 3, tau_pressure: 0.3, temperature: 1.2, tau: 0.3 } }',
  '[{ bussi: { temperature: 1.2, tau: 0.3 } }, { cell_rescale: { pressure: 3, tau: 0.3, temperature: 1.2 } }]',
];
/** One virial, and a sum of two. */
const forces = [
  'lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }',
  'lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }, yukawa_force: { A: 1, kappa: 1, rcut: 2 }',
];

const contexts: Partial<Record<'cpu' | 'webgpu', ExecutionContext>> = {};
beforeAll(async () => {
  for (const backend of ['cpu', 'webgpu'] as const)
    contexts[backend] = await createExecutionContext({ backend, threads: 1 });
});
afterAll(async () => {
  for (const context of Object.values(contexts)) await context.close();
});

it.each(schemes.flatMap((scheme) => forces.map((force) => [scheme, force] as const)))(
  'a device and the CPU agree in %s where frames have energies, with %s',
  async (scheme, force) => {
    const text = `
configuration: { units: lj, seed: 7 }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: 24, thermo_frequency: 8 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force: [${force}]
numerical_scheme: ${scheme}
dump_data: [write_extended_xyz: { file: frames.xyz, fields: [pos, energy], frequency: 5 }]
thermo: { box: true }
simulation: molecular_dynamics
`;
    const [cpu, device] = [
      await runText(text, contexts.cpu!),
      await runText(text, contexts.webgpu!),
    ];
    expect(cpu.table.step).toEqual([0, 8, 16, 24]);
    for (const column of ['potential_energy', 'temperature', 'volume'])
      for (const [k, number] of cpu.table[column]!.entries())
        expect(device.table[column]![k]! / number, `${column} ${k}`).toBeCloseTo(1, 3);
  },
);
