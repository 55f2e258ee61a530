import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  CorpuscleError,
  dimensions,
  findRestart,
  loadSimulation,
  operatorsOf,
  runSimulation,
} from '@corpuscle/core';
import { createRegistry, defineIntegrator, kick, kickDrift } from '@corpuscle/operators';
import {
  cellFunctor,
  createExecutionContext,
  reduceFunctor,
  valueFunctor,
} from '@corpuscle/patterns';
import { afterAll, describe, expect, it } from 'vitest';
import { meltYaml } from './support/runCli.js';

const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-schemes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const twiceKinetic = reduceFunctor(
  {
    name: 'twice_kinetic',
    result: { v2: 'sum' },
    read: { vx: 'real', vy: 'real', vz: 'real', mass: 'real' },
  },
  (acc, i) => {
    acc.v2 += i.mass * (i.vx * i.vx + i.vy * i.vy + i.vz * i.vz);
  },
);
const control = valueFunctor(
  {
    name: 'control',
    values: { v2: 'real', scale: 'real', steps: 'real' },
    params: { target: 'real' },
  },
  (v, p) => {
    v.scale = Math.sqrt(p.target / v.v2);
    v.steps += 1;
  },
);
const scaleVelocities = cellFunctor(
  {
    name: 'scale_velocities',
    fields: { vx: 'real', vy: 'real', vz: 'real' },
    params: { scale: 'real' },
  },
  (i, p) => {
    i.vx *= p.scale;
    i.vy *= p.scale;
    i.vz *= p.scale;
  },
);
/** A user's own thermostat: the kinetic energy is exact after every step. */
const gaussian = defineIntegrator({
  name: 'exact_rescale',
  doc: 'Rescales to an exact temperature.',
  slots: {
    temperature: {
      type: 'quantity',
      dimension: dimensions.temperature,
      required: true,
      doc: 'target',
    },
  },
  values: () => ({ v2: 0, scale: 1, steps: 0 }),
  phases: [
    'step',
    { doc: 'Kinetic energy.', functor: twiceKinetic },
    {
      doc: 'Factor.',
      functor: control,
      params: ({ temperature }, { grid, removedDegrees, boltzmann }) => ({
        target: (3 * grid.count - removedDegrees) * boltzmann * temperature,
      }),
    },
    {
      doc: 'Scales.',
      functor: scaleVelocities,
      params: (_, { value }) => ({ scale: value('scale') }),
    },
  ],
});
const leapfrog = defineIntegrator({
  name: 'two_forces',
  doc: 'Two velocity Verlet steps.',
  phases: [
    { doc: 'a', functor: kickDrift, params: ({ dt }) => ({ dt: dt / 2, halfDt: dt / 4 }) },
    'forces',
    { doc: 'b', functor: kickDrift, params: ({ dt }) => ({ dt: dt / 2, halfDt: dt / 2 }) },
    'forces',
    { doc: 'c', functor: kick, params: ({ dt }) => ({ halfDt: dt / 4 }) },
  ],
});

function load(name: string, parts: Readonly<Record<string, string | null>>) {
  const file = path.join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    meltYaml({
      global: '{ dt: 0.004, rcut_inc: 0.3, end_iteration: 20, thermo_frequency: 10 }',
      ...parts,
    }),
  );
  const operators = createRegistry().addBundle(gaussian).addBundle(leapfrog);
  return loadSimulation([file], { operators });
}

/** The operators of a step, without those around it. */
function stepOf(numerical_scheme: string): string[] {
  const setup_system = `
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - group: { name: a, ids: { first: 0, last: 99 } }
  - group: { name: b, ids: { first: 100, last: 255 } }`;
  const { root } = load('graph', { numerical_scheme, setup_system });
  const paths = [...operatorsOf(root)].filter(({ path }) => path.includes('numerical_scheme/'));
  return paths.map(({ definition }) => definition.name);
}

/** All mistakes of a scheme. */
const failure = (numerical_scheme: string): string => {
  try {
    load('failure', { numerical_scheme });
  } catch (error) {
    if (error instanceof CorpuscleError)
      return [error, ...error.more].map(({ message }) => message).join('\n');
  }
  throw new Error('it loads');
};

it('a misspelled slot of a scheme is one mistake', () => {
  const text = failure('[bussi: { temperatur: 1, tau: 0.1 }, velocity_verlet]');
  expect(text).toMatch(/^bussi has no slot 'temperatur': did you mean 'temperature'\?$/);
});

describe('a step is made', () => {
  const clock = 'next_time_step';
  const forces = ['update_neighbors', 'zero_force', 'lennard_jones_force'];
  const thermostat = ['exact_rescale_1', 'exact_rescale_2', 'exact_rescale_3'];
  const verlet = ['push_velocity_and_position', ...forces, 'push_velocity'];

  it.each([
    ['velocity_verlet', [clock, ...verlet]],
    ['[velocity_verlet]', [clock, ...verlet]],
    ['{ exact_rescale: { temperature: 1 } }', [clock, ...verlet, ...thermostat]],
    ['[velocity_verlet, { exact_rescale: { temperature: 1 } }]', [clock, ...verlet, ...thermostat]],
    [
      '[{ exact_rescale: { temperature: 1 } }, velocity_verlet, zero_force]',
      [clock, ...verlet, ...thermostat, 'zero_force'],
    ],
    [
      '[{ exact_rescale: { temperature: 1, group: a } }, { velocity_verlet: { group: b } }]',
      [
        clock,
        'push_velocity_and_position',
        'push_velocity_and_position',
        ...forces,
        'push_velocity',
        'push_velocity',
        ...thermostat,
      ],
    ],
    [
      '[{ velocity_verlet: { group: a } }, { velocity_verlet: { group: b } }, { berendsen: { pressure: 1, tau_pressure: 1 } }]',
      [
        clock,
        'push_velocity_and_position',
        'push_velocity_and_position',
        ...forces,
        'push_velocity',
        'push_velocity',
        'berendsen_box',
      ],
    ],
    ['{ berendsen: { pressure: 1, tau_pressure: 1 } }', [clock, ...verlet, 'berendsen_box']],
    [
      '[two_forces, { exact_rescale: { temperature: 1 } }]',
      [clock, 'two_forces_1', ...forces, 'two_forces_2', ...forces, 'two_forces_3', ...thermostat],
    ],
  ])('by %s', (scheme, operators) => {
    expect(stepOf(scheme)).toEqual(operators);
  });

  it.each([
    [
      '[velocity_verlet, two_forces]',
      'velocity_verlet and two_forces both move all particles: leave one out, or give each a group of its own',
    ],
    [
      '[{ velocity_verlet: { group: a } }, { bussi: { temperature: 1, tau: 1 } }]',
      'velocity_verlet and velocity_verlet of bussi both move the particles of group a',
    ],
    [
      '{ exact_rescale: { temprature: 1 } }',
      "exact_rescale has no slot 'temprature': did you mean 'temperature'?",
    ],
    ['{ exact_rescale: [1] }', 'exact_rescale is given a list: give a map of its slots'],
    ['{ exact_rescal: { temperature: 1 } }', "did you mean 'exact_rescale'"],
  ])('and not by %s', (scheme, message) => {
    expect(failure(scheme)).toContain(message);
  });
});

const rows = (name: string) =>
  readFileSync(path.join(folder, name, 'thermo.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));

async function run(
  name: string,
  backend: 'cpu' | 'webgpu',
  parts: Readonly<Record<string, string | null>>,
  checkpoint?: string,
) {
  const simulation = load(name, {
    configuration: '{ units: lj, seed: 1, deterministic: true }',
    ...parts,
  });
  await using context = await createExecutionContext({ backend, threads: 1, deterministic: true });
  const outputDirectory = path.join(folder, name);
  const restart =
    checkpoint === undefined
      ? null
      : await findRestart(simulation, { checkpoint, outputDirectory });
  return await runSimulation(simulation, { context, outputDirectory, restart });
}

describe.each(['cpu', 'webgpu'] as const)('on %s', (backend) => {
  it('groups have integrators of their own', async () => {
    const name = `groups-${backend}`;
    await run(name, backend, {
      setup_system:
        '\n  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }\n  - group: { name: cold, ids: { first: 0, last: 99 } }\n  - group: { name: free, subtract: [all, cold] }\n  - init_temperature: { temperature: 1.44 }',
      numerical_scheme:
        '[{ velocity_verlet: { group: free } }, { exact_rescale: { temperature: 1e-9, group: cold } }]',
      simulation_epilog: '\n  - write_extended_xyz: { file: last.xyz, fields: [pos, velo, id] }',
    });
    const lines = readFileSync(path.join(folder, name, 'last.xyz'), 'utf8')
      .trim()
      .split('\n')
      .slice(2);
    const speeds = lines.map((line) => Math.hypot(...line.split(/\s+/).slice(4, 7).map(Number)));
    expect(Math.max(...speeds.slice(0, 100))).toBeLessThan(1e-3);
    expect(Math.min(...speeds.slice(100))).toBeGreaterThan(1e-3);
  });

  it('a thermostat of one’s own holds the temperature with values that stay where they are', async () => {
    const numerical_scheme = '{ exact_rescale: { temperature: 1.3 } }';
    await run(`own-${backend}`, backend, { numerical_scheme });
    const [first, ...later] = rows(`own-${backend}`);
    expect(first![2]).toBeCloseTo(1.44, 5);
    for (const row of later) expect(row[2]).toBeCloseTo(1.3, backend === 'cpu' ? 12 : 5);
  });

  const story =
    '\n  - setup_system\n  - run: { steps: 12, numerical_scheme: { exact_rescale: { temperature: 1.2 } } }\n  - run: { steps: 20, numerical_scheme: velocity_verlet }';
  const dump_data = '\n  - checkpoint: { frequency: 8, keep: 9 }';

  it('runs follow each other, and go on from a checkpoint in any of them', async () => {
    const name = `story-${backend}`;
    await run(name, backend, { simulation: story, dump_data });
    const table = rows(name);
    expect(table.map(([step]) => step)).toEqual([0, 10, 12, 20, 30, 32]);
    expect(table[2]![2]).toBeCloseTo(1.2, 5);
    expect(Math.abs(table[5]![2]! - 1.2)).toBeGreaterThan(1e-3);
    for (const step of [8, 24]) {
      await run(
        name,
        backend,
        { simulation: story, dump_data },
        path.join(folder, name, `checkpoint.${step}.ckpt`),
      );
      expect(rows(name)).toEqual(table);
    }
  });
});

it('a run writes what its own dump_data says, also before its first step', async () => {
  const frames = '[{ write_extended_xyz: { file: second.xyz, frequency: 5, fields: [pos, id] } }]';
  const simulation = `\n  - setup_system\n  - run: { steps: 7 }\n  - run: { steps: 10, dump_data: ${frames} }`;
  await run('stages', 'cpu', { simulation });
  const text = readFileSync(path.join(folder, 'stages', 'second.xyz'), 'utf8');
  expect(text.match(/step=\d+/g)).toEqual(['step=7', 'step=10', 'step=15']);
});
