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

const every10 = 'every: 10';
/** Kernels of ten steps, besides those of a sort. Two kinds of steps meet in one kernel as two of a kind do. */
const longSchemes: readonly (readonly [name: string, scheme: string, ...kernels: string[]])[] = [
  [
    'Nosé–Hoover',
    `{ nose_hoover: { ${bath}, ${every10} } }`,
    ...Array<string>(9).fill('lennard_jones + kick + kick_drift + displacement'),
    'lennard_jones + kick + kinetic_energy',
    'combine + nose_hoover_chain + nose_hoover_chain',
    'scale_velocity + scale_velocity + kick_drift + displacement',
  ],
  [
    'constant pressure and temperature',
    `{ nose_hoover: { ${bath}, ${box}, ${every10} } }`,
    ...Array<string>(8).fill('lennard_jones + kick + kick_drift + displacement'),
    'lennard_jones + kick',
    'mtk_last',
    'drift_before_box + displacement',
    'lennard_jones + kick_in_box + kinetic_trace',
    'combine + mtk_second + mtk_first',
    'scale_velocity + move_in_box + displacement',
  ],
  [
    'cell rescaling',
    `[{ bussi: { ${bath}, ${every10} } }, { cell_rescale: { temperature: 0.8, pressure: 0.5, tau: 5.0, ${every10} } }]`,
    ...Array<string>(9).fill('lennard_jones + kick + kick_drift + displacement'),
    'lennard_jones + kick + kinetic_energy',
    'combine + bussi_draw + bussi',
    'scale_velocity + kinetic_diagonal',
    'combine + cell_rescale + stretch_box',
    'scale_velocity + kick_drift + displacement',
  ],
];

/** What a run dispatches in a step that rebuilds nothing, in order of names; nothing is computed. */
async function kernelsOfStep(scheme: string, force = ''): Promise<readonly string[]> {
  const steps = await kernelsOfSteps(scheme, STEPS, force);
  return steps.slice(STEPS / 2).find((step) => !step.some(isOfSort)) ?? [];
}

/** The fewest that any ten steps in a row take: others are made call by call, where a window of speculation begins. */
async function kernelsOfTen(scheme: string): Promise<readonly string[]> {
  const steps = await kernelsOfSteps(scheme, 200);
  const tens = Array.from({ length: 8 }, (_, k) => steps.slice(10 * k + 115, 10 * k + 125).flat());
  const kept = tens.map((labels) =>
    labels.filter((label) => !isOfSort(label)).map((label) => label.replace(/ \+ bin$/, '')),
  );
  return kept.toSorted((a, b) => a.length - b.length)[0]!.sort();
}

const isOfSort = (label: string): boolean => /^(sort|neighbors):/.test(label);

async function kernelsOfSteps(
  scheme: string,
  count: number,
  force = '',
): Promise<readonly (readonly string[])[]> {
  const { context } = await listKernels({ target: 'wgsl' });
  const { gpu } = context.engines.accelerator as GpuEngine;
  gpu.resident.isOn = false;
  const labels = labelsOf(gpu.stream);
  work.write({
    'run.yaml': `
configuration: { units: lj }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: ${count}, thermo_frequency: 1000 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [5, 5, 5], types: [A] }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
${force}numerical_scheme: ${scheme}
simulation: molecular_dynamics
`,
  });
  const steps: string[][] = [];
  await runSimulation(loadSimulation([work.path('run.yaml')], { operators: createRegistry() }), {
    context,
    outputDirectory: work.path('out'),
    onMessage: () => {},
    onProgress: () => steps.push(labels.splice(0).sort()),
  });
  await context.close();
  return steps;
}

/** Names of the kernels that are dispatched from now on. */
function labelsOf(stream: CommandStream): string[] {
  const labels: string[] = [];
  for (const name of ['dispatch', 'dispatchWritten'] as const) {
    const dispatch = stream[name].bind(stream) as (...given: unknown[]) => void;
    stream[name] = (...given: [GpuKernel, ...unknown[]]) => {
      labels.push(given[0].label);
      dispatch(...given);
    };
  }
  return labels;
}

describe('kernels of a step on a device', () => {
  it.each(schemes)('%s', async (_, scheme, ...kernels) => {
    expect(await kernelsOfStep(scheme)).toEqual(kernels.sort());
  });

  it.each(longSchemes)('ten steps: %s in every tenth', async (_, scheme, ...kernels) => {
    expect(await kernelsOfTen(scheme)).toEqual(kernels.sort());
  });

  it('a bias of a coordination number', async () => {
    const bias = `  - coordination: { group_a: all, switch: { type: rational, r_0: 1.2, d_max: 2.2 }, harmonic_bias: { at: 100, kappa: 0.05 }, frequency: 1000 }\n`;
    expect(await kernelsOfStep('velocity_verlet', bias)).toEqual([
      'combine + harmonic_bias',
      'coordination_bias + kick + kick_drift + displacement',
      'lennard_jones + zero_coordination + coordination_rational_six',
    ]);
  });
});
