import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { variance } from './support/ensembleStatistics.js';
import { checkpointed, RunFolders } from './support/restarts.js';
import { meltYaml } from './support/runCli.js';
import { itOnce, runs } from './support/runs.js';

const folders = new RunFolders();
afterAll(() => folders.remove());

const setup =
  '\n  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }\n  - init_temperature: { temperature: 1.2 }';
const soft = '\n  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5, shift: force }';

const column = (name: string, title: string): number[] => {
  const text = readFileSync(path.join(folders.folder(name), 'thermo.csv'), 'utf8');
  const [header, ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((row) => Number(row[header!.indexOf(title)]));
};

describe('a run with a thermostat goes on with the same bits', () => {
  const schemes = {
    langevin: '{ langevin: { temperature: [1.2, 0.8], friction: 1.0 } }',
    bussi: '{ bussi: { temperature: 1.2, tau: 0.1 } }',
    nose_hoover: '{ nose_hoover: { temperature: [1.2, 0.8], tau: 0.1, chain: 4 } }',
    berendsen: '{ berendsen: { temperature: 1.0, tau: 0.1 } }',
    andersen: '{ andersen: { temperature: 1.0, rate: 1.0 } }',
    rescale: '{ rescale: { temperature: 1.0, frequency: 7 } }',
    'bussi, not in every step': '{ bussi: { temperature: [1.2, 0.8], tau: 0.1, every: 5 } }',
    'nose_hoover, not in every step':
      '{ nose_hoover: { temperature: [1.2, 0.8], tau: 0.2, pressure: 0.5, tau_pressure: 1, every: 5 } }',
  };
  const yaml = (numerical_scheme: string, steps = 40, every = 16) =>
    checkpointed(steps, every, { setup_system: setup, numerical_scheme });

  itOnce.each(Object.entries(schemes))('%s on the CPU', async (name, scheme) => {
    await folders.compare(name, yaml(scheme), {}, { from: [16] });
  });

  it.each(['langevin', 'nose_hoover'] as const)('%s on WebGPU', async (name) => {
    const machine = { backend: 'webgpu' } as const;
    const [steps, every] = runs([24, 12], [40, 16]);
    const text = yaml(schemes[name], steps, every);
    await folders.compare(`${name}-gpu`, text, machine, { from: [every!] });
  });
});

describe('the total energy and what the thermostat has taken', () => {
  /** Standard deviation of the conserved quantity, a particle. */
  async function spread(name: string, scheme: string, dt: number): Promise<number> {
    const steps = Math.round(1.2 / dt);
    const yaml = meltYaml({
      global: `{ dt: ${dt}, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: ${Math.round(0.02 / dt)} }`,
      setup_system: setup,
      compute_force: soft,
      thermo: '{ conserved: true }',
      numerical_scheme: scheme,
    });
    await folders.run(name, yaml);
    const values = column(name, 'conserved_quantity').slice(20);
    expect(Math.sqrt(variance(column(name, 'total_energy').slice(20))) / 256).toBeGreaterThan(0.01);
    return Math.sqrt(variance(values)) / 256;
  }

  it.each(['pressure: 3', 'pressure: [3, 1, 2], coupling: aniso'])(
    'has P V of a barostat in its first row: %s',
    async (pressure) => {
      const yaml = meltYaml({
        global: '{ dt: 0.0005, rcut_inc: 0.3, end_iteration: 2, thermo_frequency: 1 }',
        setup_system: setup,
        compute_force: soft,
        thermo: '{ conserved: true }',
        numerical_scheme: `{ nose_hoover: { tau_pressure: 1, ${pressure} } }`,
      });
      const name = `first-${pressure.length}`;
      await folders.run(name, yaml);
      const [first, ...others] = column(name, 'conserved_quantity');
      for (const value of others) expect(Math.abs(value - first!)).toBeLessThan(1e-4);
    },
  );

  const kept: [string, string][] = [
    ['nose_hoover', '{ nose_hoover: { temperature: 0.8, tau: 0.1 } }'],
    ['bussi', '{ bussi: { temperature: 0.8, tau: 0.2 } }'],
    [
      'nose_hoover at a pressure, not in every step',
      '{ nose_hoover: { temperature: 0.8, tau: 0.5, pressure: 0.5, tau_pressure: 1, every: 4 } }',
    ],
    ['berendsen', '{ berendsen: { temperature: 0.8, tau: 0.5 } }'],
    ['langevin_types', '{ langevin: { temperature: 0.8, friction: { A: 2 } } }'],
    ['langevin, not in every step', '{ langevin: { temperature: 0.8, friction: 2, every: 4 } }'],
    ['andersen', '{ andersen: { temperature: 0.8, rate: 2 } }'],
  ];
  /** Other forms of these. */
  const keptToo: [string, string][] = [
    [
      'nose_hoover at a pressure',
      '{ nose_hoover: { temperature: 0.8, tau: 0.2, pressure: 0.5, tau_pressure: 0.5 } }',
    ],
    ['nose_hoover, not in every step', '{ nose_hoover: { temperature: 0.8, tau: 0.2, every: 4 } }'],
    ['bussi, not in every step', '{ bussi: { temperature: 0.8, tau: 0.2, every: 4 } }'],
    ['langevin', '{ langevin: { temperature: 0.8, friction: 2 } }'],
  ];
  it.each(runs(kept, keptToo))(
    'keep their sum with %s, to second order in the time step',
    async (name, scheme) => {
      const coarse = await spread(`${name}-coarse`, scheme, 0.005);
      const fine = await spread(`${name}-fine`, scheme, 0.0025);
      expect(coarse).toBeLessThan(1e-3);
      // Collisions of another time step are others, with other errors. A box that acts at the ends of several steps moves in the first.
      expect(coarse / fine).toBeGreaterThan(/andersen|pressure, not/.test(name) ? 1.8 : 2.5);
      expect(coarse / fine).toBeLessThan(6);
    },
  );

  itOnce('are not added up if a thermostat does not count its heat', async () => {
    const schemes = {
      brownian: '{ brownian: { temperature: 1, friction: 1000 } }',
      cell_rescale:
        '[{ bussi: { temperature: 0.8, tau: 0.2 } }, { cell_rescale: { temperature: 0.8, pressure: 1, tau: 1 } }]',
      berendsen: '[velocity_verlet, { berendsen: { pressure: 1, tau_pressure: 1 } }]',
      velocity_verlet_limit: '{ velocity_verlet_limit: { limit: 0.1 } }',
    };
    for (const [name, numerical_scheme] of Object.entries(schemes)) {
      const yaml = meltYaml({ thermo: '{ conserved: true }', numerical_scheme });
      // Told before anything runs, at its place.
      await expect(folders.run(`no-account-${name}`, yaml)).rejects.toMatchObject({
        message: `${name} keeps no account of the energy it takes: leave conserved out`,
        location: { line: yaml.split('\n').findIndex((line) => line.startsWith('thermo')) + 1 },
      });
    }
  });

  itOnce('are the same on WebGPU and in a run that goes on, with langevin', async () => {
    const yaml = checkpointed(8, 4, {
      setup_system: setup,
      thermo: '{ conserved: true }',
      numerical_scheme: '{ langevin: { temperature: 0.8, friction: 5 } }',
    });
    await folders.compare('heat', yaml, {}, { from: [4] });
    await folders.run('heat-gpu', yaml, { backend: 'webgpu' });
    const [cpu, gpu] = ['heat', 'heat-gpu'].map((name) => column(name, 'conserved_quantity'));
    expect(gpu).toHaveLength(cpu!.length);
    cpu!.forEach((value, k) => {
      expect(Math.abs(gpu![k]! / value - 1)).toBeLessThan(2e-5);
    });
    const taken = column('heat', 'total_energy').map((energy, k) => cpu![k]! - energy);
    expect(Math.abs(taken.at(-1)!)).toBeGreaterThan(10);
  });
});

itOnce(
  'a bath that does not act in every step does the same on WebGPU, and lets the steps between be',
  async () => {
    const yaml = meltYaml({
      global: `{ dt: 0.005, rcut_inc: 0.3, end_iteration: 21, thermo_frequency: 1 }`,
      setup_system: setup,
      compute_force: soft,
      thermo: '{ box: true }',
      numerical_scheme: `{ nose_hoover: { temperature: 0.8, tau: 0.2, pressure: 0.5, tau_pressure: 1, every: 5 } }`,
    });
    await folders.run('rests', yaml);
    await folders.run('rests-gpu', yaml, { backend: 'webgpu' });
    const [cpu, gpu] = ['rests', 'rests-gpu'].map((name) => column(name, 'potential_energy'));
    cpu!.forEach((value, k) => {
      expect(Math.abs(gpu![k]! / value - 1)).toBeLessThan(2e-5);
    });
    const volumes = column('rests', 'volume');
    const changes = volumes.map((volume, step) => (volumes[step + 1] ?? volume) !== volume);
    expect(changes.flatMap((has, step) => (has ? [step + 1] : []))).toEqual([
      1, 5, 6, 10, 11, 15, 16, 20, 21,
    ]);
  },
);

itOnce(
  'langevin acts in one of so many steps, also in a run that goes on and on WebGPU; the steps between are NVE',
  async () => {
    const yaml = checkpointed(14, 7, {
      setup_system: setup,
      global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 14, thermo_frequency: 1 }',
      thermo: '{ conserved: true }',
      numerical_scheme: '{ langevin: { temperature: 0.8, friction: 20, every: 5 } }',
    });
    await folders.compare('turns', yaml, {}, { from: [7] });
    await folders.run('turns-gpu', yaml, { backend: 'webgpu' });
    const [cpu, gpu] = ['turns', 'turns-gpu'].map((name) => column(name, 'conserved_quantity'));
    cpu!.forEach((value, k) => {
      expect(Math.abs(gpu![k]! / value - 1)).toBeLessThan(2e-5);
    });
    const taken = column('turns', 'total_energy').map((energy, k) => cpu![k]! - energy);
    const acts = taken.slice(1).map((heat, k) => Math.abs(heat - taken[k]!) > 1);
    expect(acts.flatMap((has, k) => (has ? [k + 1] : []))).toEqual([5, 10]);
  },
);

itOnce(
  'a barostat that begins between the ends of its long steps leaves velocities as they are',
  async () => {
    const barostat =
      '{ nose_hoover: { temperature: 0.8, tau: 0.2, pressure: 0.5, tau_pressure: 1, every: 5 } }';
    const yaml = meltYaml({
      global: '{ dt: 0.002, rcut_inc: 0.3, thermo_frequency: 1 }',
      setup_system: setup,
      compute_force: soft,
      simulation: `[setup_system, { run: { steps: 2 } }, { run: { steps: 6, numerical_scheme: ${barostat} } }]`,
    });
    await folders.run('late', yaml);
    const energies = column('late', 'kinetic_energy');
    expect(energies).toHaveLength(9);
    energies.slice(1).forEach((energy, k) => {
      expect(Math.abs(energy / energies[k]! - 1)).toBeLessThan(0.1);
    });
  },
);

describe.each(['cpu', 'webgpu'] as const)('remove_momentum on %s', (backend) => {
  itOnce('stops the center of mass, and the rotation in an open box', async () => {
    const frames = Array.from({ length: 30 }, (_, k) => {
      const numbers = [0, 1, 2, 3, 4, 5].map((n) => Math.sin(12.9898 * (6 * k + n + 1) ** 2));
      const [x, y, z, ...v] = numbers;
      return `A ${2 * (k % 5) + 0.2 * x!} ${2 * (Math.floor(k / 5) % 3) + 0.2 * y!} ${2 * Math.floor(k / 15) + 0.2 * z!} ${v.join(' ')}`;
    });
    const start = `30\npbc="F F F" Properties=species:S:1:pos:R:3:velo:R:3\n${frames.join('\n')}\n`;
    const name = `momentum-${backend}`;
    writeFileSync(path.join(folders.folder(name), 'start.xyz'), start);
    const yaml = meltYaml({
      setup_system:
        '\n  - read_extended_xyz: { file: start.xyz }\n  - remove_momentum: { angular: true }',
      simulation:
        '\n  - setup_system\n  - compute_force\n  - thermo\n  - write_extended_xyz: { file: last.xyz, fields: [pos, velo, id] }',
    });
    await folders.run(name, yaml, { backend });
    const text = readFileSync(path.join(folders.folder(name), 'last.xyz'), 'utf8');
    const rows = text
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => line.split(/\s+/).slice(1, 7).map(Number));
    const sum = (of: (row: number[]) => number) => rows.reduce((total, row) => total + of(row), 0);
    const center = [0, 1, 2].map((axis) => sum((row) => row[axis]!) / 30);
    const turn = (a: number, b: number) =>
      sum((row) => (row[a]! - center[a]!) * row[3 + b]! - (row[b]! - center[b]!) * row[3 + a]!);
    const limit = backend === 'cpu' ? 1e-12 : 1e-4;
    for (const axis of [3, 4, 5]) expect(Math.abs(sum((row) => row[axis]!))).toBeLessThan(limit);
    for (const [a, b] of [
      [0, 1],
      [1, 2],
      [0, 2],
    ] as const)
      expect(Math.abs(turn(a, b))).toBeLessThan(limit);
    const twice = sum((row) => row[3]! ** 2 + row[4]! ** 2 + row[5]! ** 2);
    expect(column(name, 'temperature')[0]! / (twice / (90 - 6))).toBeCloseTo(1, 5);
  });
});

itOnce('remove_momentum stops the rotation of particles on one line', async () => {
  const rows = ['0 0 0 1 -2 1', '1 2 2 1 1 0.5', '2 4 4 1 0 1'].map((row) => `A ${row}`);
  const start = `3\npbc="F F F" Properties=species:S:1:pos:R:3:velo:R:3\n${rows.join('\n')}\n`;
  writeFileSync(path.join(folders.folder('line'), 'start.xyz'), start);
  const yaml = meltYaml({
    simulation:
      '\n  - read_extended_xyz: { file: start.xyz }\n  - remove_momentum: { angular: true }\n  - write_extended_xyz: { file: last.xyz, fields: [pos, velo, id] }',
  });
  await folders.run('line', yaml);
  const text = readFileSync(path.join(folders.folder('line'), 'last.xyz'), 'utf8');
  const lines = text.trim().split('\n').slice(2);
  const found = lines.map((line) => line.split(/\s+/).slice(1, 7).map(Number));
  for (const [a, b] of [
    [0, 1],
    [1, 2],
    [0, 2],
  ] as const) {
    const turns = found.map((row) => row[a]! * row[3 + b]! - row[b]! * row[3 + a]!);
    expect(turns.reduce((sum, x) => sum + x)).toBeCloseTo(0, 12);
  }
});

itOnce('temperatures count 3N degrees of freedom where noise changes the momentum', async () => {
  const scheme = '{ langevin: { temperature: 1, friction: 1 } }';
  const yaml = (dump_data: string) =>
    meltYaml({
      setup_system: setup,
      numerical_scheme: scheme,
      dump_data,
      global: '{ dt: 0.005, end_iteration: 1, rcut_inc: 0.3, thermo_frequency: 1 }',
    });
  await folders.run('degrees', yaml('nop'));
  await folders.run('degrees-less', yaml('\n  - remove_momentum'));
  const degrees = (name: string) =>
    column(name, 'kinetic_energy').map((k, n) => (2 * k) / column(name, 'temperature')[n]!);
  for (const count of degrees('degrees')) expect(count).toBeCloseTo(768, 6);
  for (const count of degrees('degrees-less')) expect(count).toBeCloseTo(765, 6);
});
