import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import {
  coordination,
  coordinationBias,
  createGrid,
  createRegistry,
  initTemperature,
  lattice,
  lennardJonesForce,
  molecularDynamics,
} from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { runsInWorkplace } from './support/coordinationRun.js';
import { itOnce, runs } from './support/runs.js';

const { run, output } = runsInWorkplace();

describe('a harmonic bias', () => {
  const melt = (bias: string, steps: number) => `
configuration: { units: lj, seed: 87287 }
global: { dt: 0.002, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: ${steps / 4} }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [5, 5, 5], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force:
  - coordination: { group_a: { first: 0, last: 39 }, group_b: all, switch: { r_0: 1.2, d_max: 2.2 }, harmonic_bias: ${bias}, file: cn.csv }
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5, shift: force }
simulation: molecular_dynamics
`;

  itOnce.each([
    ['cpu', 120, 7e-5],
    ['webgpu', 20, 7e-5],
  ])('conserves energy on %s and pulls', async (backend, steps, tolerance) => {
    const rows: number[][] = [];
    for (const bias of ['{ at: 150, kappa: 0.0 }', '{ at: 150, kappa: 0.05 }']) {
      const result = await run(melt(bias, steps), {}, '--backend', backend);
      expect(result.code, result.err).toBe(0);
      const thermo = output('thermo.csv')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',').map(Number));
      const [first, last] = [thermo[0]![5]!, thermo[thermo.length - 1]![5]!];
      expect(Math.abs(last / first - 1)).toBeLessThan(tolerance);
      const numbers = output('cn.csv')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => Number(line.split(',')[2]));
      expect(numbers).toHaveLength(steps + 1);
      rows.push([numbers[0]!, numbers[numbers.length - 1]!, thermo[0]![3]!, thermo[0]![6]!]);
    }
    const [free, biased] = rows;
    expect(biased![0]).toBe(free![0]);
    // The energy of the first step has the bias in it, to the digits that the backend has.
    const energy = 0.025 * (biased![0]! - 150) ** 2;
    expect(Math.abs(biased![2]! - free![2]! - energy)).toBeLessThan(1e-6 * Math.abs(free![2]!));
    expect(Math.abs(biased![1]! - 150)).toBeLessThan(Math.abs(free![1]! - 150));
  });
});

describe('a harmonic bias in the library', () => {
  itOnce.each([
    ['cpu', 'f64', 600, 'neighbor_lists', 8e-5],
    ['cpu', 'f64', 200, 'all_pairs', 8e-5],
    ['webgpu', 'f32', 12, 'all_pairs', 8e-5],
  ] as const)(
    'conserves energy on %s, %s, %d steps by %s',
    async (backend, precision, steps, path, tolerance) => {
      process.env.CORPUSCLE_SOFTWARE_GPU = '1';
      await using ctx = await createExecutionContext({ backend, precision, threads: 1 });
      const crystal = lattice({ structure: 'fcc', density: 0.8442, repeat: [4, 4, 4] });
      const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
      initTemperature(grid, { temperature: 1.44, seed: 87287, method: 'lammps_geom' });
      const pairs = lennardJonesForce({
        types: ['A'],
        epsilon: 1,
        sigma: 1,
        rcut: 2.5,
        shift: 'force',
      });
      const bias = coordinationBias(ctx, {
        groupA: { first: 0, last: 39 },
        groupB: 'all',
        switch: { type: 'rational', r0: 1.2, dMax: 2.2 },
        path,
        harmonicBias: { at: 150, kappa: 0.05 },
      });
      const atStart = await coordination(grid, ctx, {
        groupA: { first: 0, last: 39 },
        groupB: 'all',
        switch: { type: 'rational', r0: 1.2, dMax: 2.2 },
      });
      const { rows } = await molecularDynamics(grid, ctx, {
        forces: [pairs, bias],
        dt: 0.001,
        steps,
        skin: 0.3,
        thermoFrequency: steps / 2,
      });
      const [first, , last] = rows;
      expect(Math.abs(last!.total_energy / first!.total_energy - 1)).toBeLessThan(tolerance);
      // The bias does work: without it the energy of the particles alone would be conserved.
      const work = (at: number) => (0.05 / 2) * (at - 150) ** 2;
      const change = Math.abs(work(bias.value) - work(atStart.value));
      expect(change).toBeGreaterThan(3 * tolerance * Math.abs(first!.total_energy));
      bias.close();
      grid.free();
    },
  );
});

describe('a bias slot by slot on the device', () => {
  itOnce('reads nothing back but totals, also when particles are sorted', async () => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
    const energies: number[] = [];
    for (const [backend, precision] of [
      ['cpu', 'f64'],
      ['webgpu', 'f32'],
    ] as const) {
      await using ctx = await createExecutionContext({ backend, precision, threads: 1 });
      const crystal = lattice({ structure: 'fcc', density: 0.8442, repeat: [4, 4, 4] });
      const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
      initTemperature(grid, { temperature: 1.44, seed: 87287, method: 'lammps_geom' });
      const force = { types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5, shift: 'force' } as const;
      const bias = coordinationBias(ctx, {
        groupA: { first: 0, last: 39 },
        groupB: { first: 60, last: 99 },
        pair: true,
        switch: { type: 'rational', r0: 2.2 },
        harmonicBias: { at: 10, kappa: 5 },
      });
      const run = (steps: number) =>
        molecularDynamics(grid, ctx, {
          forces: [lennardJonesForce(force), bias],
          dt: 0.002,
          steps,
          skin: 0.3,
          thermoFrequency: steps,
        });
      await run(2);
      const sorted = grid.sortVersion;
      ctx.device?.startProfile();
      const { rows } = await run(12);
      const profile = await ctx.device?.profile();
      if (profile) {
        expect(grid.sortVersion).toBeGreaterThan(sorted);
        expect(profile.uploadedBytes).toBe(0);
        expect(profile.downloadedBytes / 13).toBeLessThan(150);
      }
      energies.push(rows.at(-1)!.total_energy!);
      bias.close();
      grid.free();
    }
    expect(Math.abs(energies[1]! / energies[0]! - 1)).toBeLessThan(1e-5);
  });

  itOnce('goes on where particles without its field have been before', async () => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
    await using ctx = await createExecutionContext({ backend: 'webgpu', threads: 1 });
    const pairs = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5 });
    const crystal = lattice({ structure: 'fcc', density: 0.8442, repeat: [4, 4, 4] });
    const energies: number[] = [];
    for (const kappa of [null, 0, 0.05]) {
      const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
      initTemperature(grid, { temperature: 1.44, seed: 87287, method: 'lammps_geom' });
      const bias =
        kappa === null
          ? null
          : coordinationBias(ctx, {
              groupA: { first: 0, last: 39 },
              groupB: 'all',
              switch: { type: 'rational', r0: 1.2, dMax: 2.2 },
              harmonicBias: { at: 150, kappa },
            });
      const forces = bias ? [pairs, bias] : [pairs];
      const { rows } = await molecularDynamics(grid, ctx, {
        forces,
        dt: 0.001,
        steps: 4,
        skin: 0.3,
        thermoFrequency: 4,
      });
      energies.push(rows.at(-1)!.potential_energy!);
      bias?.close();
      grid.free();
    }
    const [free, idle, biased] = energies;
    expect(Math.abs(idle! / free! - 1)).toBeLessThan(1e-6);
    expect(Math.abs(biased! / free! - 1)).toBeGreaterThan(1e-4);
  });
});

describe('a bias over the lists of the run', () => {
  // It may reach farther than all other forces: the lists of a device do, too.
  it.each(runs([3.1], [2.2]))(
    'is that over all pairs and stays where it is computed, to %d',
    async (dMax) => {
      process.env.CORPUSCLE_SOFTWARE_GPU = '1';
      const ends: Record<string, number[]> = {};
      for (const [backend, precision, path] of [
        ['cpu', 'f64', 'all_pairs'],
        ['cpu', 'f64', 'cell_lists'],
        ['cpu', 'f64', 'neighbor_lists'],
        ['webgpu', 'f32', 'neighbor_lists'],
      ] as const) {
        await using ctx = await createExecutionContext({ backend, precision, threads: 1 });
        const crystal = lattice({ structure: 'fcc', density: 0.8442, repeat: [5, 5, 5] });
        const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
        initTemperature(grid, { temperature: 1.44, seed: 87287, method: 'lammps_geom' });
        const force = { types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5, shift: 'force' } as const;
        const bias = coordinationBias(ctx, {
          groupA: { first: 0, last: 39 },
          groupB: 'all',
          switch: { type: 'rational', r0: 1.2, dMax },
          path,
          harmonicBias: { at: 150, kappa: 0.05 },
        });
        const before = ctx.device?.counters.downloads ?? 0;
        const { rows } = await molecularDynamics(grid, ctx, {
          forces: [lennardJonesForce(force), bias],
          dt: 0.002,
          steps: 20,
          skin: 0.3,
          thermoFrequency: 20,
        });
        if (ctx.device) expect(bias.rcut).toBeCloseTo(dMax, 9);
        if (ctx.device) expect(ctx.device.counters.downloads - before).toBeLessThan(20);
        const { total_energy, temperature, pressure } = rows.at(-1)!;
        ends[`${backend} ${path}`] = [total_energy!, temperature!, pressure!, bias.value];
        bias.close();
        grid.free();
      }
      const expected = ends['cpu all_pairs']!;
      for (const [name, found] of Object.entries(ends))
        for (const [k, x] of found.entries())
          expect(Math.abs(x / expected[k]! - 1), name).toBeLessThan(
            name.startsWith('cpu') ? 1e-10 : 1e-4,
          );
    },
  );
});

itOnce('steps between two rows of a bias are taken as one, with the same bits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bias-'));
  const run = async (every: number) => {
    const text = `
configuration: { units: lj, seed: 3 }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: 60, thermo_frequency: 60 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.44 }
simulation: molecular_dynamics
compute_force:
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }
  - coordination: { group_a: { first: 0, last: 39 }, group_b: all, switch: { r_0: 1.2, d_max: 2.2 }, harmonic_bias: { at: 150, kappa: 0.05 }, file: n.csv, every: ${every}, from: 6 }
`;
    await using context = await createExecutionContext({ backend: 'webgpu', deterministic: true });
    let looks = 0;
    const outputDirectory = join(folder, `${every}`);
    const simulation = loadSimulation([{ name: 'in.yaml', text }], { operators: createRegistry() });
    const onProgress = () => void looks++;
    using _run = await runSimulation(simulation, { context, outputDirectory, onProgress });
    const [head, ...rows] = readFileSync(join(outputDirectory, 'n.csv'), 'utf8').trim().split('\n');
    return { head, rows, looks };
  };
  try {
    const [each, seldom] = [await run(1), await run(18)];
    expect(each.rows).toHaveLength(55);
    expect(seldom.rows).toEqual(each.rows.filter((_, k) => k % 18 === 0));
    expect(each.looks).toBeGreaterThanOrEqual(60);
    expect(seldom.looks).toBeLessThan(40);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('two biases of groups, each with multiplicities of its own', () => {
  const text = `
configuration: { units: lj, seed: 3 }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: 60, thermo_frequency: 60 }
particle_types: { A: { mass: 1 }, B: { mass: 2 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A, A, B, A] }
  - init_temperature: { temperature: 1.44 }
simulation: molecular_dynamics
compute_force:
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }
  - coordination: { group_a: [3, 37], group_b: { first: 40, last: 200, stride: 5 }, switch: { r_0: 1.3, d_max: 2.4 }, harmonic_bias: { at: 30, kappa: 0.1 }, file: a.csv, every: 30 }
  - coordination: { group_a: B, switch: { r_0: 1.3, d_max: 2.4 }, harmonic_bias: { at: 9, kappa: 0.001 }, file: b.csv, every: 30 }
simulation_epilog: [write_extended_xyz: { file: last.xyz, fields: [pos, energy] }]
`;

  it('take steps in a row, and tell energies of particles after the run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bias-'));
    const run = async (backend: 'cpu' | 'webgpu') => {
      const options = { backend, threads: 1, deterministic: true } as const;
      await using context = await createExecutionContext(options);
      const outputDirectory = join(folder, backend);
      const simulation = loadSimulation([{ name: 'in.yaml', text }], {
        operators: createRegistry(),
      });
      let looks = 0;
      const onProgress = () => void looks++;
      using _run = await runSimulation(simulation, { context, outputDirectory, onProgress });
      const read = (name: string) => readFileSync(join(outputDirectory, name), 'utf8').trim();
      const columns = read('last.xyz').split('\n').slice(2);
      const energies = columns.map((line) => Number(line.trim().split(/\s+/).at(-1)));
      const [head, ...rows] = read('thermo.csv').split('\n');
      const at = head!.split(',').indexOf('potential_energy');
      const sum = energies.reduce((a, b) => a + b, 0);
      const numbers = ['a.csv', 'b.csv'].map((name) =>
        Number(read(name).split('\n').at(-1)!.split(',')[2]),
      );
      return { looks, sum, potential: Number(rows.at(-1)!.split(',')[at]), numbers };
    };
    try {
      const [cpu, gpu] = [await run('cpu'), await run('webgpu')];
      for (const { sum, potential } of [cpu, gpu]) expect(sum / potential).toBeCloseTo(1, 5);
      for (const [k, number] of gpu.numbers.entries())
        expect(Math.abs(number / cpu.numbers[k]! - 1)).toBeLessThan(1e-4);
      expect(gpu.looks).toBeLessThan(40);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
