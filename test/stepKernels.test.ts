import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { listKernels } from '@corpuscle/patterns';
import { afterAll, describe, expect, it } from 'vitest';
import type { CommandStream } from '../packages/patterns/src/gpu/device/CommandStream.js';
import type { GpuKernel } from '../packages/patterns/src/gpu/device/GpuKernel.js';
import type { GpuEngine } from '../packages/patterns/src/gpu/GpuEngine.js';
import { Workplace } from './support/runCli.js';

const STEPS = 60;

const work = new Workplace();
afterAll(() => work.remove());

const bath = 'temperature: 0.8, tau: 0.5';
const box = 'pressure: 0.5, tau_pressure: 5.0';

/** Kernels of a step that rebuilds nothing, from its forces on. */
const schemes: readonly (readonly [name: string, scheme: string, ...kernels: string[]])[] = [
  ['NVE', 'velocity_verlet', 'lennard_jones + kick + kick_drift + displacement'],
  [
    'Langevin',
    '{ langevin: { temperature: 0.8, friction: 1.0 } }',
    'langevin_tick',
    'lennard_jones + kick + langevin_baoa + displacement',
  ],
  [
    'Bussi',
    `{ bussi: { ${bath} } }`,
    'lennard_jones + kick + kinetic_energy',
    'combine + bussi_draw + bussi',
    'scale_velocity + kick_drift + displacement',
  ],
  [
    'Nosé–Hoover',
    `{ nose_hoover: { ${bath} } }`,
    'lennard_jones + kick + kinetic_energy',
    'combine + nose_hoover_chain + nose_hoover_chain',
    'scale_velocity + scale_velocity + kick_drift + displacement',
  ],
  [
    'Bussi that rests',
    `{ bussi: { ${bath}, every: 1000 } }`,
    'lennard_jones + kick + kick_drift + displacement',
  ],
  [
    'constant pressure and temperature that rest',
    `{ nose_hoover: { ${bath}, ${box}, every: 1000 } }`,
    'lennard_jones + kick + kick_drift + displacement',
  ],
  [
    'constant pressure',
    `{ nose_hoover: { ${box} } }`,
    'lennard_jones + kick_in_box + kinetic_trace',
    'combine + mtk_second + mtk_first',
    'move_in_box + displacement',
  ],
  [
    'constant pressure and temperature',
    `{ nose_hoover: { ${bath}, ${box}, coupling: aniso } }`,
    'lennard_jones + kick_in_box + kinetic_diagonal',
    'combine + mtk_second + mtk_first',
    'scale_velocity + move_in_box + displacement',
  ],
  [
    'constant pressure and temperature in a box with tilts',
    `{ nose_hoover: { ${bath}, ${box}, coupling: triclinic } }`,
    'lennard_jones + kick_in_sheared_box + kinetic_tensor',
    'combine + mtk_second + mtk_first',
    'scale_velocity + move_in_sheared_box + displacement',
  ],
];

/** What a run dispatches in a step that rebuilds nothing, in order of names; nothing is computed. */
async function kernelsOfStep(scheme: string, force = ''): Promise<readonly string[]> {
  const { context } = await listKernels({ target: 'wgsl' });
  const steps = stepsOf((context.engines.accelerator as GpuEngine).gpu.stream);
  work.write({
    'run.yaml': `
configuration: { units: lj }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: ${STEPS}, thermo_frequency: 1000 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [5, 5, 5], types: [A] }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
${force}numerical_scheme: ${scheme}
simulation: molecular_dynamics
`,
  });
  await runSimulation(loadSimulation([work.path('run.yaml')], { operators: createRegistry() }), {
    context,
    outputDirectory: work.path('out'),
    onMessage: () => {},
  });
  await context.close();
  const plain = steps.filter(
    (step) => !step.some((label) => /^sort|build lists| bin$/.test(label)),
  );
  const texts = plain.map((step) => step.sort().join('\n'));
  const times = (text: string) => texts.filter((one) => one === text).length;
  return texts.toSorted((one, other) => times(other) - times(one))[0]!.split('\n');
}

/** Names of the kernels of each step that is recorded from now on. */
function stepsOf(stream: CommandStream): string[][] {
  const steps: string[][] = [];
  const { batch } = stream;
  const beginStep = batch.beginStep.bind(batch);
  batch.beginStep = () => {
    steps.push([]);
    beginStep();
  };
  const repeat = batch.repeat.bind(batch);
  batch.repeat = (...given) => {
    steps.push([...steps.at(-1)!]);
    repeat(...given);
  };
  const repeatInSeries = batch.repeatInSeries.bind(batch);
  batch.repeatInSeries = (most) => {
    const made = repeatInSeries(most);
    for (let k = 0; k < made; k++) steps.push([...steps.at(-1)!]);
    return made;
  };
  for (const name of ['dispatch', 'dispatchWritten'] as const) {
    const dispatch = stream[name].bind(stream) as (...given: unknown[]) => void;
    stream[name] = (...given: [GpuKernel, ...unknown[]]) => {
      steps.at(-1)?.push(given[0].label);
      dispatch(...given);
    };
  }
  return steps;
}

describe('kernels of a step on a device', () => {
  it.each(schemes)('%s', async (_, scheme, ...kernels) => {
    expect(await kernelsOfStep(scheme)).toEqual(kernels.sort());
  });

  it.each(['set: { fields: { vz: 0 } }', 'remove_momentum: {}'])(
    'a barostat beside `%s` now and then: as without it',
    async (change) => {
      const scheme = `{ nose_hoover: { ${bath}, ${box} } }`;
      const dump = `dump_data: [{ condition: 'step % 20 == 0', body: [{ ${change} }] }]\n`;
      expect(await kernelsOfStep(scheme, dump)).toEqual(await kernelsOfStep(scheme));
    },
  );

  it.each([1, 4])('%i biases of coordination numbers', async (count) => {
    const biasOf = (k: number) =>
      `  - coordination: { group_a: [${k}, ${k + 10}], group_b: all, switch: { type: rational, r_0: 1.2, d_max: 2.2 }, harmonic_bias: { at: 100, kappa: 0.05 }, frequency: 1000 }\n`;
    const biases = Array.from({ length: count }, (_, k) => biasOf(k)).join('');
    const each = (name: string) => Array(count).fill(name).join(' + ');
    expect(await kernelsOfStep('velocity_verlet', biases)).toEqual([
      `combine + ${each('harmonic_bias')}`,
      `${each('coordination_bias')} + kick + kick_drift + displacement`,
      `lennard_jones + ${each('zero_derivatives')} + ${each('coordination_rational_six_two')}`,
    ]);
  });
});
