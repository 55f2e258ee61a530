import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  createGrid,
  lennardJonesForce,
  molecularDynamics,
  readExtendedXyz,
  velocityVerletAdaptive,
} from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, describe, expect, it } from 'vitest';
import { MASSES } from './data/thermostats/start.js';
import { caseYaml, integratorCases, startText } from './support/integratorCases.js';
import { RunFolders } from './support/restarts.js';

const runs = new RunFolders();
afterAll(() => runs.remove());

const adaptive = integratorCases.adaptive!;
const write = (name: string) =>
  writeFileSync(path.join(runs.folder(name), 'start.xyz'), startText());
const table = (name: string) =>
  readFileSync(path.join(runs.folder(name), 'thermo.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));

describe.each(['cpu', 'webgpu'] as const)('on %s', (backend) => {
  it('frames, rows and checkpoints tell the same time, and a run goes on to the same bits', async () => {
    const yaml = caseYaml(
      adaptive,
      'dump_data:\n  - write_extended_xyz: { file: all.xyz, frequency: 4, fields: [pos, id] }\n  - checkpoint: { frequency: 4, keep: 9 }',
      'dt: 0.004, end_iteration: 12, thermo_frequency: 4',
    );
    const whole = `whole-${backend}`;
    write(whole);
    const { state } = await runs.run(whole, yaml, { backend });
    const rows = table(whole);
    const times = rows.map((row) => row[1]!);
    expect(state.time).toBe(times.at(-1));
    expect(times.at(-1)! / 12).not.toBeCloseTo(0.004, 6);
    const told = readFileSync(path.join(runs.folder(whole), 'all.xyz'), 'utf8');
    expect([...told.matchAll(/time=(\S+)/gi)].map(([, time]) => Number(time))).toEqual(times);
    const saved = (await runs.state(whole, 8)) as { run: { time: number } };
    expect(saved.run.time).toBe(times[2]);
    const again = `again-${backend}`;
    await runs.run(again, yaml, { backend }, { name: whole, step: 4 });
    expect(table(again)).toEqual(rows);
  });
});

it('the time goes on from stage to stage, and with constant steps after', async () => {
  write('stages');
  const yaml = caseYaml(
    adaptive,
    `stages:
  - setup_system
  - run: { steps: 10 }
  - run: { steps: 10, numerical_scheme: velocity_verlet }
  - run: { steps: 10 }`,
  ).replace('simulation: molecular_dynamics', 'simulation: stages');
  await runs.run('stages', yaml);
  const times = table('stages').map((row) => row[1]!);
  expect(times).toHaveLength(4);
  expect(times[2]! - times[1]!).toBeCloseTo(0.04, 12);
  const [first, , third] = times.slice(1).map((time, k) => time - times[k]!);
  expect(first).toBeLessThan(0.059);
  expect(third).toBeLessThan(0.059);
  expect(third! / 10).not.toBeCloseTo(0.004, 6);
});

it('is a function too', async () => {
  write('function');
  const file = path.join(runs.folder('function'), 'start.xyz');
  await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const grid = createGrid(
    readExtendedXyz(file, { types: ['A', 'B'] }),
    [
      { name: 'A', mass: MASSES[0] },
      { name: 'B', mass: MASSES[1] },
    ],
    ctx.heap,
  );
  const { rows } = await molecularDynamics(grid, ctx, {
    forces: [
      lennardJonesForce({
        types: ['A', 'B'],
        pairs: (['AA', 'AB', 'BB'] as const).map(([a, b]) => ({
          types: [a!, b!],
          epsilon: 1,
          sigma: 1,
          rcut: 2.5,
        })),
        shift: 'energy',
      }),
    ],
    dt: 0.004,
    steps: 20,
    skin: 0.3,
    thermoFrequency: 10,
    integrator: velocityVerletAdaptive.with({
      max_displacement: 0.015,
      min_dt: 0.001,
      max_dt: 0.006,
      every: 5,
    }),
  });
  const { runs: known } = JSON.parse(
    readFileSync(new URL('./data/integrators/lammps.json', import.meta.url), 'utf8'),
  );
  rows.forEach((row, k) => {
    const [, time, kinetic, potential] = known.adaptive.rows[k];
    expect(row.time).toBeCloseTo(time, 12);
    expect(row.kinetic_energy).toBeCloseTo(kinetic, 8);
    expect(row.potential_energy).toBeCloseTo(potential, 8);
  });
});

it.each([
  [
    '[{ velocity_verlet_adaptive: { max_displacement: 0.1 } }, { bussi: { temperature: 1, tau: 0.1 } }]',
    'velocity_verlet_adaptive chooses the time step itself, and bussi needs a constant one: leave one out',
  ],
  [
    '[{ velocity_verlet_adaptive: { max_displacement: 0.1 } }, { deform: { rate: { xy: 0.1 } } }]',
    'deform needs to know the time',
  ],
  [
    '{ velocity_verlet_adaptive: { max_displacement: 0.1, min_dt: 0.2, max_dt: 0.1 } }',
    'min_dt is longer than max_dt',
  ],
])('tells what cannot be: %s', async (scheme, message) => {
  write('wrong');
  await expect(runs.run('wrong', caseYaml({ ...adaptive, scheme }))).rejects.toThrow(message);
});

it.each([
  'stress_autocorrelation: { every: 1, lags: 2, file: out.csv }',
  'heat_flux_autocorrelation: { every: 1, lags: 2, file: out.csv }',
  'mean_square_displacement: { every: 1, lags: 2, origins: 2, file: out.csv }',
  'cell_rescale: { temperature: 1, pressure: 1, tau: 1 }',
  'berendsen_box: { pressure: 1, tau_pressure: 1 }',
])('what counts on time steps of one length says so: %s', async (operator) => {
  write('counted');
  const yaml = caseYaml(
    { ...adaptive, scheme: '{ velocity_verlet_adaptive: { max_displacement: 0.1 } }' },
    `dump_data: [${operator}]`,
    'dt: 0.004, end_iteration: 3, thermo_frequency: 1',
  );
  await expect(runs.run('counted', yaml)).rejects.toThrow(
    'needs to know the time, which an integrator with time steps of its own finds on the device',
  );
});

it('dissipative particles need time steps of one length', async () => {
  write('dissipative');
  const forces =
    '[dpd_force: { pairs: [{ types: [A, A], A: 1, gamma: 1, rcut: 1 }, { types: [A, B], A: 1, gamma: 1, rcut: 1 }, { types: [B, B], A: 1, gamma: 1, rcut: 1 }], temperature: 1 }]';
  const scheme = '{ velocity_verlet_adaptive: { max_displacement: 0.1 } }';
  const yaml = caseYaml({ ...adaptive, scheme, forces }, '', 'dt: 0.004, end_iteration: 3');
  await expect(runs.run('dissipative', yaml)).rejects.toThrow('dpd_force needs to know the time');
});
