import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { afterAll, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';
import { startCli } from './support/spawnCli.js';

const place = new Workplace();
afterAll(() => place.remove());

const system = (more: string) => `
configuration: { units: lj }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: 1, thermo_frequency: 1 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [3, 3, 3], types: [A] }
  - init_temperature
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }]
simulation: molecular_dynamics
${more}`;

const command = (name: string, text: string, ...more: string[]) => {
  place.clear();
  place.write({ 'in.yaml': text });
  return runCli([name, place.path('in.yaml'), ...more]);
};
const run = (text: string) =>
  command('run', text, '--backend', 'cpu', '--threads', '1', '--output', place.root);

it('runs a simulation for each value with every other, each in its folder', async () => {
  const { code, err } = await run(system('matrix: { temperature: [0.8, 1.2], seed: 1..2 }'));
  expect([code, err.replace(/^\d of 4: .*\n/gm, '')]).toEqual([0, '']);
  const tables = place.files().filter((file) => file.endsWith('thermo.csv'));
  expect(tables.map((file) => file.replace(/[/\\].*/, ''))).toEqual([
    'temperature=0.8,seed=1',
    'temperature=0.8,seed=2',
    'temperature=1.2,seed=1',
    'temperature=1.2,seed=2',
  ]);
  const rows = tables.map((file) => readFileSync(place.path(file), 'utf8').split('\n'));
  const first = rows.map((lines) => Number(lines[1]!.split(',')[2]));
  first.forEach((value, k) => {
    expect(value).toBeCloseTo([0.8, 0.8, 1.2, 1.2][k]!, 12);
  });
  expect(new Set(rows.map((lines) => lines[2])).size).toBe(4); // seeds differ
});

it('finds mistakes of every simulation before the first runs, at their values', async () => {
  const text = system(
    'matrix: { temperature: [0.8, -1], compute_force.lennard_jones_force.rcut: [2.5, 2] }',
  );
  const { code, err } = await run(text);
  expect(code).toBe(2);
  expect(err).toMatch(/in\.yaml:10:30: .*temperature/);
  expect(place.files()).toEqual(['in.yaml']);
});

it.each([
  ['matrix: 3', '10:9'],
  ['matrix: { seed: 3 }', '10:17'],
  ['matrix: { seed: [] }', "10:17: 'seed' in matrix is an empty list: give a list"],
  ['matrix: { seed: 1..99999 }', '10:17: the matrix has more than 10000 simulations'],
  ['matrix: { seed: [1, 1], temperature: [1] }', '10:39'],
  ['matrix: { temperatur: [1] }', '10:11'],
])('refuses %s', async (more, at) => {
  const { code, err } = await command('check', system(`${more}`), '--set', 'global.temperature=1');
  expect(code).toBe(2);
  expect(err).toContain(`in.yaml:${at}`);
});

it('makes folders inside the output folder only, whatever the values', () => {
  place.write({
    'in.yaml': system("matrix: { seed: [1], temperature: [1], thermo.file: ['../../a', '/b'] }"),
  });
  const { matrix } = loadSimulation([place.path('in.yaml')], { operators: createRegistry() });
  const before = 'seed=1,temperature=1,thermo.file=';
  expect(matrix).toEqual([`${before}__.._a`, `${before}_b`]);
});

it('runs them side by side with --jobs, with the same tables, and one that fails leaves the others alone', async () => {
  const text = system('matrix: { temperature: [1], dt: [0.004, 0.002, 9] }');
  const longer = text.replace('dt: 0.004, ', '').replace('end_iteration: 1,', 'end_iteration: 20,');
  place.clear();
  place.write({ 'in.yaml': longer });
  const argv = ['run', 'in.yaml', '--backend', 'cpu', '--threads', '1'];
  const options = { cwd: place.root };
  const inTurn = ['--backend', 'cpu', '--threads', '1', '--output', place.path('one')];
  const one = await runCli(['run', place.path('in.yaml'), ...inTurn]);
  const side = await startCli([...argv, '--output', 'side', '--jobs', '2'], options).ended;
  expect([one.code, side.code]).toEqual([1, 1]);
  expect(side.err).toMatch(/3 of 3: side\/temperature=1,dt=9\n.*the run blew up/s);
  expect(side.err.match(/^\d of 3: /gm)).toHaveLength(3);
  for (const name of ['dt=0.004', 'dt=0.002']) {
    const table = (folder: string) =>
      readFileSync(place.path(`${folder}/temperature=1,${name}/thermo.csv`), 'utf8');
    expect(table('side').split('\n')).toHaveLength(23);
    expect(table('side')).toBe(table('one'));
  }
});

it('simulations side by side end when the process that started them is killed, and say which signal ended one', async () => {
  const text = system('matrix: { temperature: [1], seed: [1, 2] }').replace(
    'end_iteration: 1,',
    'end_iteration: 1e9,',
  );
  place.clear();
  place.write({ 'in.yaml': text });
  const argv = ['run', 'in.yaml', '--backend', 'cpu', '--threads', '1', '--jobs', '2'];
  const lockOf = (output: string, seed: number) =>
    place.path(`${output}/temperature=1,seed=${seed}/.corpuscle.lock`);
  const ownerOf = (output: string, seed: number): number | undefined => {
    const lock = lockOf(output, seed);
    return existsSync(lock) ? JSON.parse(readFileSync(lock, 'utf8') || '{}').pid : undefined;
  };
  const until = async (condition: () => unknown) => {
    while (!condition()) await sleep(20);
  };
  const killed = startCli([...argv, '--output', 'a'], { cwd: place.root });
  await until(() => existsSync(place.path('a/temperature=1,seed=1/thermo.csv')));
  await until(() => existsSync(place.path('a/temperature=1,seed=2/thermo.csv')));
  killed.child.kill('SIGKILL');
  await until(() => !existsSync(lockOf('a', 1)) && !existsSync(lockOf('a', 2)));
  const told = startCli([...argv, '--output', 'b'], { cwd: place.root });
  await until(() => ownerOf('b', 1) && ownerOf('b', 2));
  process.kill(ownerOf('b', 1)!, 'SIGKILL');
  await until(() => told.err() !== '');
  told.child.kill('SIGTERM');
  const { code, err } = await told.ended;
  expect(code).toBe(130);
  expect(err).toContain(
    '1 of 2: b/temperature=1,seed=1\ncorpuscle: SIGKILL has ended this simulation',
  );
});

it('has nothing to run side by side without a matrix', async () => {
  const { code, err } = await command(
    'run',
    system(''),
    '--set',
    'global.temperature=1',
    '--jobs',
    '2',
  );
  expect(code).toBe(2);
  expect(err).toContain('there is no matrix: give one, or leave --jobs out');
});

it('runs them one after the other where the device does not take their steps together', async () => {
  const more = ['--backend', 'webgpu', '--output', place.root];
  const { code, err, out } = await command(
    'run',
    system('matrix: { temperature: [1.4], seed: 1..2 }'),
    ...more,
  );
  const began = err.match(/^\d of 2: .*seed=\d/gm)!.map((line) => line.slice(-6));
  expect([code, began]).toEqual([0, ['seed=1', 'seed=2']]);
  expect(out.match(/^backend +webgpu/gm)).toHaveLength(2);
  expect(place.files().filter((file) => file.endsWith('thermo.csv'))).toHaveLength(2);
});

it.each([
  ['matrix: { seed: [4, 5] }', 2, /^point is 2, but the matrix has 2 simulations: give 0 to 1$/],
  ['matrix: { seed: [4, 5] }', -1, /^point is -1, but the matrix has 2/],
  ['', 1, /^point is 1, but there is no matrix$/],
])('a program is told of a point that is not there: %s, %i', (more, number, message) => {
  const text = `simulation: [message: { text: hi }]\n${more}`;
  const load = (point: number) =>
    loadSimulation([{ name: 'in.yaml', text }], { operators: createRegistry(), point });
  expect(() => load(number)).toThrow(message);
  expect(load(0).matrix).toEqual(more === '' ? undefined : ['seed=4', 'seed=5']);
});
