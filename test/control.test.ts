import { readFileSync } from 'node:fs';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { afterAll, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const place = new Workplace();
afterAll(() => place.remove());

/** Runs a melt of 108 atoms for some steps, with more sections. */
async function run(more: string, { steps = 4, set = [] as string[], files = {} } = {}) {
  place.clear();
  place.write({
    'in.yaml': `
configuration: { units: lj, seed: 1 }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: 1000 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [3, 3, 3], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }]
simulation: molecular_dynamics
${more}`,
    ...files,
  });
  const options = ['--threads', '1', '--backend', 'cpu', '--output', place.root];
  const { out, err, code } = await runCli([
    'run',
    place.path('in.yaml'),
    ...options,
    ...set.flatMap((one) => ['--set', one]),
  ]);
  /** What operators said, without the table and the summary. */
  const said = out.split('\n').filter((line) => /^(=|[a-z])/.test(line) && !/ {2}/.test(line));
  return { said, out, err, code };
}

it('expressions compute from what operators measure, and decide what runs', async () => {
  const { said, err } = await run(`
dump_data:
  - measure
  - compute: { kinetic: 1.5 * (measured_particles - 1) * measured_temperature, cold: measured_temperature < 1.44 }
  - condition: cold or step == 0
    body: [message: { text: '= {step}: {kinetic - measured_kinetic_energy:3} {cold}' }]
`);
  expect(err).toBe('');
  expect(said.map((line) => line.replace(/ -?[\de.-]+ /, ' small '))).toEqual([
    '= 0: small false',
    '= 1: small true',
    '= 2: small true',
    '= 3: small true',
    '= 4: small true',
  ]);
  for (const line of said) expect(Math.abs(Number(line.split(' ')[2]))).toBeLessThan(1e-9);
});

it('nth_timestep and physical_time_interval say when it is time', async () => {
  const { said } = await run(
    `
dump_data:
  - nth_timestep: { frequency: 4, from: 1, at_end: true }
  - physical_time_interval: { interval: 0.02 }
  - { condition: nth_timestep, body: [message: { text: 'n {step}' }] }
  - { condition: physical_time_interval, body: [message: { text: 't {step}' }] }
`,
    { steps: 11 },
  );
  expect(said).toEqual(['t 0', 'n 1', 'n 5', 't 5', 'n 9', 't 10', 'n 11']);
});

it('a file of time steps changes dt, and time is their sum', async () => {
  const { said } = await run(
    `
numerical_scheme: [timestep_file: { file: steps.txt }, velocity_verlet]
dump_data: [message: { text: '= {time:12}' }]
`,
    { files: { 'steps.txt': '# from a step on\n0 0.004\n2 0.001\n' } },
  );
  expect(said).toEqual(['= 0', '= 0.004', '= 0.008', '= 0.009', '= 0.01']);
});

it('a time step that an expression changes moves particles by the same', async () => {
  const dump =
    'simulation_epilog: [write_extended_xyz: { file: last.xyz, fields: [pos, velo, id] }]';
  const { err } = await run(
    `numerical_scheme: [compute: { dt: dt / 2 }, velocity_verlet]\n${dump}`,
    {
      steps: 2,
      set: ['global.dt=0.008'],
    },
  );
  expect(err).toBe('');
  const halved = readFileSync(place.path('last.xyz'), 'utf8');
  await run(`numerical_scheme: [timestep_file: { file: s }, velocity_verlet]\n${dump}`, {
    steps: 2,
    files: { s: '0 0.004\n1 0.002\n' },
  });
  expect(readFileSync(place.path('last.xyz'), 'utf8')).toBe(halved);
});

it('check_values ends a run whose values are not those expected', async () => {
  const check = (that: string, more = '') =>
    run(`simulation_epilog: [measure, check_values: { that: ${that}${more} }]`, { steps: 1 });
  expect((await check('measured_particles == 108')).code).toBe(0);
  const wrong = await check('measured_particles == 107');
  expect(wrong).toMatchObject({ code: 1 });
  expect(wrong.err).toContain("step 1: 'measured_particles == 107' is false");
  const write = 'write_extended_xyz: { file: ref.xyz, fields: [pos, velo, forces, id] }';
  await run(`simulation_epilog: [${write}]`, { steps: 1 });
  const files = { 'ref.xyz': readFileSync(place.path('ref.xyz'), 'utf8') };
  const compare =
    'simulation_epilog: [check_values: { file: ref.xyz, fields: [pos, velo, forces] }]';
  expect((await run(compare, { steps: 1, files })).err).toBe('');
  expect((await run(compare, { steps: 2, files })).err).toMatch(
    /step 2: \w+ of particle \d+ differs from .*ref.xyz by/,
  );
});

it('statistics tell neighbors, memory and wall time', async () => {
  const { said, err } = await run(
    `simulation_epilog: [neighbor_stats: { rcut: 1.2 }, memory_stats, timer, timer: { quiet: true }, message: { text: 'm {mean_neighbors} {elapsed_seconds >= 0} {heap_bytes > 0}' }]`,
    { steps: 0 },
  );
  expect(err).toBe('');
  expect(said[0]).toMatch(/^neighbors: 12.00 \(12 to 12\)/);
  expect(said[1]).toMatch(/^memory: process .* heap .*position /);
  expect(said[2]).toBe('m 12 true true');
});

it('units are checked in expressions, and plain numbers are in the units of the file', async () => {
  const metal = ['configuration.units=metal', 'global.dt=1 fs'];
  const ok = await run(
    `dump_data: [print_slots: { values: [dt, dt < 0.002, dt < 2 fs, 'step * dt'] }]`,
    { steps: 0, set: metal },
  );
  expect(ok.said).toEqual([
    'dt = 0.001 ps',
    'dt < 0.002 = true',
    'dt < 2 fs = true',
    'step * dt = 0 ps',
  ]);
  const wrong = await run(`dump_data: [{ condition: dt > 2 ang, body: [message: { text: x }] }]`, {
    steps: 0,
    set: metal,
  });
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain('a time and a length cannot be added or compared');
});

// A loop makes one more pass, which knows that it is the last.
it.each([
  [
    'within a loop of the epilog ends this loop',
    'turn',
    ['step', 'step', 'step', 'turn', 'turn', 'last'],
  ],
  [
    'before the epilog lets it be done whole',
    'step',
    ['step', 'step', ...Array(5).fill('turn'), 'last'],
  ],
])('a signal %s', async (_, when, expected) => {
  const text = `
simulation:
  - { name: steps, loop: 3, body: [message: { text: step }] }
  - simulation_epilog
simulation_epilog:
  - { loop: 5, body: [message: { text: turn }] }
  - message: { text: last }
`;
  const simulation = loadSimulation([{ name: 'in.yaml', text }], { operators: createRegistry() });
  const said: string[] = [];
  const signal = { aborted: false };
  const onMessage = (line: string) => {
    said.push(line);
    signal.aborted ||= line === when;
  };
  const { status } = await runSimulation(simulation, { signal, onMessage });
  expect(status).toBe('interrupted');
  expect(said).toEqual(expected);
});

it('every is the name of frequency everywhere, and writers begin from a step', async () => {
  const { said, err } = await run(
    `
thermo_output: { rebind: { frequency: thermo_frequency }, body: [thermo: { every: 3 }] }
dump_data:
  - message: { text: 'at {step}', every: 4 }
  - write_extended_xyz: { file: some.xyz, every: 2, from: 3 }
  - write_lammps_dump: { file: old.dump, frequency: 4 }
`,
    { steps: 8 },
  );
  expect(err).toBe('');
  expect(said).toEqual(['at 0', 'at 4', 'at 8']);
  const stepsIn = (file: string, pattern: RegExp): number[] =>
    [...readFileSync(place.path(file), 'utf8').matchAll(pattern)].map(([, step]) => Number(step));
  expect(stepsIn('some.xyz', /step=(\d+)/gi)).toEqual([3, 5, 7]);
  expect(stepsIn('old.dump', /TIMESTEP\n(\d+)/g)).toEqual([0, 4, 8]);
  expect(stepsIn('thermo.csv', /^(\d+),/gm)).toEqual([0, 3, 6, 8]);
});
