import { readFileSync } from 'node:fs';
import { extendedXyzFrames, readExtendedXyz } from '@corpuscle/operators';
import { afterAll, afterEach, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

async function run(name: string, simulation: string, parts: Record<string, string | null> = {}) {
  work.write({ [`${name}.yaml`]: meltYaml({ global: null, ...parts, simulation }) });
  const file = work.path(`${name}.yaml`);
  return runCli(['run', file, '--output', work.path(name), '--backend', 'cpu']);
}

const md = { global: '{ dt: 0.005, end_iteration: 6, thermo_frequency: 2 }' };
const writeAll = 'write_extended_xyz: { file: all.xyz, fields: [pos, velo, forces, id, energy] }';

const rows = (path: string) =>
  readFileSync(work.path(path), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));

it('computes forces in a batch of nothing but set-up, forces and output', async () => {
  const result = await run(
    'own',
    `\n  - setup_system\n  - compute_force\n  - ${writeAll}\n  - thermo`,
  );
  expect(result).toMatchObject({ code: 0, err: '' });
  const full = await run('md', 'molecular_dynamics', {
    global: '{ dt: 0.005, end_iteration: 0 }',
    dump_data: `\n  - ${writeAll}`,
  });
  expect(full.code).toBe(0);
  const [a, b] = ['own', 'md'].map((name) => readFileSync(work.path(`${name}/all.xyz`), 'utf8'));
  expect(a!.split('\n').length).toBe(259);
  // Other skins, other order of sums: the last digits differ.
  const numbers = (text: string) => text.split('\n').slice(2).join(' ').split(/\s+/).map(Number);
  const [x, y] = [numbers(a!), numbers(b!)];
  x.forEach((value, k) => {
    if (!Number.isNaN(value)) expect(Math.abs(value - y[k]!)).toBeLessThan(1e-11);
  });
  expect(rows('own/thermo.csv')[0]![5]).toBeCloseTo(rows('md/thermo.csv')[0]![5]!, 9);
});

it('computes forces and energies of every frame of a file, as the run that wrote it did', async () => {
  const dump = '\n  - write_extended_xyz: { file: frames.xyz, frequency: 2 }';
  expect(await run('md', 'molecular_dynamics', { ...md, dump_data: dump })).toMatchObject({
    code: 0,
  });
  const frames = [...extendedXyzFrames(work.path('md/frames.xyz'))];
  expect(frames.map((frame) => frame.properties.get('step'))).toEqual(['0', '2', '4', '6']);
  const read = 'read_extended_xyz: { file: md/frames.xyz, loop: true }';
  for (const [name, simulation, setup] of [
    ['flat', `\n  - ${read}\n  - compute_force\n  - ${writeAll}\n  - thermo`, null],
    [
      'nested',
      `\n  - setup_system\n  - compute_force\n  - ${writeAll}\n  - thermo`,
      `\n  - ${read}`,
    ],
    [
      'loop',
      `\n  loop: true\n  body:\n  - ${read.replace(', loop: true', '')}\n  - compute_force\n  - ${writeAll}\n  - thermo`,
      null,
    ],
    [
      'both',
      `\n  loop: true\n  body:\n  - ${read}\n  - compute_force\n  - ${writeAll}\n  - thermo`,
      null,
    ],
  ] as const) {
    const result = await run(name, simulation, { setup_system: setup });
    expect(result).toMatchObject({ code: 0, err: '' });
    const again = [...extendedXyzFrames(work.path(`${name}/all.xyz`), { keep: ['forces'] })];
    expect(again.length).toBe(4);
    const [want, got] = [rows('md/thermo.csv'), rows(`${name}/thermo.csv`)];
    expect(got.map((row) => row[0])).toEqual([0, 2, 4, 6]);
    expect(got.map((row) => row[1])).toEqual(want.map((row) => row[1]));
    for (let k = 0; k < 4; k++)
      for (const column of [2, 3, 4, 5, 6])
        expect(Math.abs(got[k]![column]! / want[k]![column]! - 1)).toBeLessThan(1e-11);
  }
});

it('reads the first frame of a file each time a batch is used outside loops', async () => {
  const dump = '\n  - write_extended_xyz: { file: frames.xyz, frequency: 2 }';
  await run('md', 'molecular_dynamics', { ...md, dump_data: dump });
  const read = '\n  - read_extended_xyz: { file: md/frames.xyz }';
  const result = await run(
    'twice',
    '\n  - setup_system\n  - compute_force\n  - thermo\n  - setup_system\n  - compute_force\n  - write_extended_xyz: { file: last.xyz }',
    { setup_system: read },
  );
  expect(result).toMatchObject({ code: 0, err: '' });
  expect(readExtendedXyz(work.path('twice/last.xyz')).count).toBe(256);
});

it('gives an open box back as it was', async () => {
  work.write({
    'open.xyz':
      '2\nLattice="8 0 0 1 9 0 0 0 10" Origin="-1 0 0" Properties=species:S:1:pos:R:3 pbc="F F F"\nA 0 0 0\nA 1.1 0 0\n',
  });
  const result = await run('open', `\n  - setup_system\n  - compute_force\n  - ${writeAll}`, {
    setup_system: '\n  - read_extended_xyz: { file: open.xyz }',
  });
  expect(result).toMatchObject({ code: 0, err: '' });
  expect(readExtendedXyz(work.path('open/all.xyz'))).toMatchObject({
    lattice: [8, 0, 0, 1, 9, 0, 0, 0, 10],
    origin: [-1, 0, 0],
    periodic: [false, false, false],
  });
});

it('takes the parts of the default scheme one by one', async () => {
  const plain = '\n  - setup_system\n  - compute_force\n  - thermo';
  for (const forces of [
    'update_forces',
    'update_neighbors\n  - zero_force\n  - compute_force',
    'update_neighbours\n  - update_forces', // its name in version 0.1.0
  ]) {
    work.clear();
    await run('plain', plain);
    const result = await run('parts', `\n  - setup_system\n  - ${forces}\n  - thermo`);
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(rows('parts/thermo.csv')).toEqual(rows('plain/thermo.csv'));
  }
});

it('adds the terms of several force operators', async () => {
  const force = 'lennard_jones_force: { epsilon: 0.5, sigma: 1.0, rcut: 2.5 }';
  const simulation = `\n  - setup_system\n  - compute_force\n  - ${writeAll}`;
  await run('one', simulation);
  const result = await run('two', simulation, { compute_force: `\n  - ${force}\n  - ${force}` });
  expect(result).toMatchObject({ code: 0, err: '' });
  const [a, b] = ['one', 'two'].map((name) =>
    readExtendedXyz(work.path(`${name}/all.xyz`), { keep: ['energy'] }),
  );
  const [x, y] = [a!, b!].map((frame) => frame.extra.get('energy')!.values as Float64Array);
  for (const [k, value] of x!.entries()) expect(Math.abs(value - y![k]!)).toBeLessThan(1e-11);
});

it('keeps lists and forces current in a scheme that forgets to', async () => {
  const long = { global: '{ dt: 0.005, end_iteration: 200, thermo_frequency: 50 }' };
  expect((await run('md', 'molecular_dynamics', long)).code).toBe(0);
  const result = await run('own', 'molecular_dynamics', {
    ...long,
    numerical_scheme: '[next_time_step, push_velocity_and_position, compute_force, push_velocity]',
  });
  expect(result).toMatchObject({ code: 0, err: '' });
  const [want, got] = [rows('md/thermo.csv'), rows('own/thermo.csv')];
  expect(got.length).toBe(5);
  for (let k = 0; k < 5; k++) expect(Math.abs(got[k]![5]! / want[k]![5]! - 1)).toBeLessThan(1e-9);
});

it('checks cutoff and distances in a batch of its own', async () => {
  const force = (text: string) => ({ compute_force: `\n  - lennard_jones_force: ${text}` });
  const simulation = '\n  - setup_system\n  - compute_force\n  - thermo';
  const thin = await run('thin', simulation, force('{ epsilon: 1, sigma: 1, rcut: 400 }'));
  expect(thin).toMatchObject({ code: 2 });
  expect(thin.err).toMatch(/thin\.yaml:7:\d+: .*400/);
  work.write({
    'same.xyz':
      '3\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3\nA 1 1 1\nA 3 3 3\nA 10 1 1\n',
  });
  const same = await run('same', simulation, {
    setup_system: '\n  - read_extended_xyz: { file: same.xyz }',
  });
  expect(same).toMatchObject({ code: 2 });
  expect(same.err).toMatch(/0 and 2 are at the same place/);
});

it('does not write forces that have not been computed', async () => {
  const result = await run(
    'none',
    '\n  - setup_system\n  - write_extended_xyz: { file: a.xyz, fields: [pos, forces] }',
  );
  expect(result).toMatchObject({ code: 2 });
  expect(result.err).toMatch(/none\.yaml:\d+:\d+: .*forces/);
  expect(work.files()).toEqual(['none.yaml']);
});

it('counts time from the step where frames say none', async () => {
  const head = 'Lattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3';
  const frame = (more: string) => `2\n${head}${more}\nA 1 1 1\nA 4 4 4\n`;
  work.write({ 'in.xyz': frame('') + frame(' step=3') + frame(' step=1 time=7') });
  const simulation =
    '\n  - read_extended_xyz: { file: in.xyz, loop: true }\n  - molecular_dynamics';
  const global = '{ dt: 0.5, end_iteration: 4, thermo_frequency: 1 }';
  const result = await run('times', simulation, { global, setup_system: 'nop' });
  expect(result).toMatchObject({ code: 0, err: '' });
  const times = [[0, 1, 2, 3, 4].map((step) => [step, step / 2])];
  times.push([3, 4].map((step) => [step, step / 2]));
  times.push([1, 2, 3, 4].map((step) => [step, 7 + (step - 1) / 2]));
  expect(rows('times/thermo.csv').map(([step, time]) => [step, time])).toEqual(times.flat());
});

it('warns of what a file sets and nothing runs', async () => {
  const result = await run('unused', '\n  - setup_system\n  - compute_force\n  - thermo', {
    morse_force: '{ rcut: 2.0 }',
    later_work: '\n  - thermo: { file: mine.csv }',
  });
  expect(result.code, result.err).toBe(0);
  expect(result.err).toMatch(
    /unused\.yaml:\d+:1: warning: 'morse_force' sets values of an operator that does not run/,
  );
  expect(result.err).toMatch(/unused\.yaml:\d+:1: warning: the batch 'later_work' does not run/);
  expect(result.err.match(/warning/g)).toHaveLength(2);
});
