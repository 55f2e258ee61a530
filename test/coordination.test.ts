import { readFileSync } from 'node:fs';
import { Domain } from '@corpuscle/core';
import {
  CoordinationNumber,
  type CoordinationOptions,
  coordination,
  coordinationBias,
  createGrid,
  initTemperature,
  lattice,
  lennardJonesForce,
  molecularDynamics,
} from '@corpuscle/operators';
import { cellFunctor, computeCellParticles, createExecutionContext } from '@corpuscle/patterns';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { coordinationCase, frameOfCase } from './support/coordinationCase.js';
import { largestDifference } from './support/particlesOf.js';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const big = coordinationCase('big_500_ortho');

/** Frames as extended xyz; types alternate between A and B. */
function xyz(frames: readonly (readonly (readonly number[])[])[], box: readonly number[] | null) {
  return frames
    .map((positions) =>
      [
        positions.length,
        `${box ? `Lattice="${box.join(' ')}" ` : ''}Properties=species:S:1:pos:R:3`,
        ...positions.map((r, k) => `${k % 2 === 0 ? 'A' : 'B'} ${r.join(' ')}`),
      ].join('\n'),
    )
    .join('\n')
    .concat('\n');
}

const yaml = (slots: string, reading = '{ file: frames.xyz }') =>
  `simulation:\n  - read_extended_xyz: ${reading}\n  - coordination: { ${slots} }\n`;

async function run(text: string, files: Readonly<Record<string, string>>, ...argv: string[]) {
  work.write({ 'run.yaml': text, ...files });
  return runCli(['run', work.path('run.yaml'), '--output', work.root, '--backend', 'cpu', ...argv]);
}
const output = (name: string) => readFileSync(work.path(name), 'utf8');

describe('coordination of a file', () => {
  it('writes JSON for one frame', async () => {
    const result = await run(
      yaml('group_a: all, switch: { type: rational, r_0: 0.3, d_max: 0.6 }, file: cn.json'),
      { 'frames.xyz': xyz([big.positions], big.box!.flat()) },
    );
    expect(result.err).toBe('');
    expect(result.code).toBe(0);
    const record = JSON.parse(output('cn.json'));
    expect(Object.keys(record)).toEqual([
      'step',
      'value',
      'derivatives',
      'box_derivatives',
      'per_particle',
    ]);
    expect(Math.abs(record.value / big.expected.value - 1)).toBeLessThan(1e-12);
    expect(
      largestDifference(record.derivatives.flat(), big.expected.derivatives.flat()),
    ).toBeLessThan(1e-11);
    expect(
      largestDifference(record.box_derivatives.flat(), big.expected.boxDerivatives.flat()),
    ).toBeLessThan(1e-11);
    expect(record.per_particle).toHaveLength(500);
  });

  it('writes a line for each frame, also where lists and boxes change', async () => {
    const two = coordinationCase('sw_rational_dmax_ortho');
    const [lattice, other] = [big.box!.flat(), two.box!.flat()];
    const frames = [
      xyz([big.positions], lattice),
      xyz([two.positions], other),
      xyz([big.positions], lattice),
    ].join('');
    for (const group of ['all', '{ first: 0, last: 99 }']) {
      const result = await run(
        yaml(
          `group_a: ${group}, switch: { r_0: 0.3, d_max: 0.6 }, file: cn.json`,
          '{ file: frames.xyz, loop: true }',
        ),
        { 'frames.xyz': frames },
      );
      expect(result.code, result.err).toBe(0);
      const records = output('cn.json')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(records.map(({ step }) => step)).toEqual([0, 1, 2]);
      expect(Math.abs(records[1].value / two.expected.value - 1)).toBeLessThan(1e-12);
      if (group === 'all')
        expect(Math.abs(records[0].value / big.expected.value - 1)).toBeLessThan(1e-12);
      expect(Math.abs(records[2].value / records[0].value - 1)).toBeLessThan(1e-14);
      expect(
        largestDifference(records[2].derivatives.flat(), records[0].derivatives.flat()),
      ).toBeLessThan(1e-12);
      work.clear();
    }
  });

  it('writes CSV and COLVAR, and tells the terminal without a file', async () => {
    const files = { 'frames.xyz': xyz([big.positions], big.box!.flat()) };
    const s = 'group_a: A, group_b: B, switch: { r_0: 0.3, d_max: 0.6 }';
    await run(yaml(`${s}, file: cn.csv`), files);
    const [header, row] = output('cn.csv').trim().split('\n');
    expect(header).toBe('step,time,coordination');
    const value = Number(row!.split(',')[2]);
    expect(value).toBeGreaterThan(0);
    await run(yaml(`${s}, file: COLVAR`), files);
    expect(output('COLVAR')).toBe(`#! FIELDS time coordination\n 0 ${value}\n`);
    const shown = await run(yaml(s), files);
    expect(shown.out + shown.err).toContain(`coordination ${value}`);
  });

  it('takes types, ranges and lists alike', async () => {
    const files = { 'frames.xyz': xyz([big.positions], big.box!.flat()) };
    const values: number[] = [];
    for (const groups of [
      'group_a: A, group_b: B',
      'group_a: { first: 0, last: 499, stride: 2 }, group_b: { first: 1, last: 499, stride: 2 }',
      `group_a: [${Array.from({ length: 250 }, (_, k) => 2 * k)}], group_b: B`,
    ]) {
      const result = await run(
        yaml(`${groups}, switch: { r_0: 0.3, d_max: 0.6 }, file: cn.json`),
        files,
      );
      expect(result.code, result.err).toBe(0);
      values.push(JSON.parse(output('cn.json')).value);
    }
    expect(largestDifference(values, [values[0]!, values[0]!, values[0]!])).toBeLessThan(1e-11);
  });
});

describe('mistakes are errors at their place', () => {
  const files = {
    'frames.xyz': xyz(
      [
        [
          [0, 0, 0],
          [0.3, 0, 0],
          [0, 0.4, 0],
        ],
      ],
      null,
    ),
  };
  const cases: readonly [string, string, RegExp][] = [
    ['NN = MM', 'group_a: all, switch: { r_0: 0.3, nn: 6, mm: 6 }', /3:\d+.*mm are both 6/s],
    ['NN = 0', 'group_a: all, switch: { r_0: 0.3, nn: 0 }', /3:\d+.*nn is 0/s],
    ['MM = 0', 'group_a: all, switch: { r_0: 0.3, mm: 0 }', /3:\d+.*mm is 0.*leave it out/s],
    ['MM < 0', 'group_a: all, switch: { r_0: 0.3, mm: -2 }', /3:\d+.*mm is -2/s],
    ['NN < 0', 'group_a: all, switch: { r_0: 0.3, nn: -6 }', /3:\d+.*nn is -6/s],
    ['NN that is not whole', 'group_a: all, switch: { r_0: 0.3, nn: 2.5 }', /3:\d+.*2\.5/s],
    [
      'D_MAX below D_0',
      'group_a: all, switch: { r_0: 0.3, d_0: 0.5, d_max: 0.4 }',
      /3:\d+.*d_max 0.4 does not exceed d_0 0.5/s,
    ],
    ['R_0 = 0', 'group_a: all, switch: { r_0: 0 }', /3:\d+.*r_0/s],
    ['R_0 < 0', 'group_a: all, switch: { r_0: -1 }', /3:\d+.*r_0/s],
    ['no R_0', 'group_a: all, switch: { type: exp }', /3:\d+.*exp needs r_0/s],
    [
      'D_MAX ≤ D_0',
      'group_a: all, switch: { r_0: 0.3, d_0: 0.5, d_max: 0.5 }',
      /3:\d+.*d_max 0.5/s,
    ],
    [
      'unequal pair groups',
      'group_a: [0, 1], group_b: [2], pair: true, switch: { r_0: 0.3 }',
      /3:\d+.*equal size/s,
    ],
    [
      'unequal pair groups known at run time',
      'group_a: A, group_b: B, pair: true, switch: { r_0: 0.3 }',
      /3:\d+.*equal size: group_a has 2/s,
    ],
    ['pair with one group', 'group_a: all, pair: true, switch: { r_0: 0.3 }', /3:\d+.*two groups/s],
    ['an id out of range', 'group_a: [0, 3], switch: { r_0: 0.3 }', /3:\d+.*id 3.*0 to 2/s],
    ['a negative id', 'group_a: [-1], switch: { r_0: 0.3 }', /3:\d+.*-1 is no id/s],
    ['an empty group', 'group_a: [], switch: { r_0: 0.3 }', /3:\d+.*empty/s],
    ['an unknown type', 'group_a: C, switch: { r_0: 0.3 }', /3:\d+.*'C'/s],
    [
      'a list cutoff below D_MAX',
      'group_a: all, switch: { r_0: 0.3, d_max: 0.6 }, list_cutoff: 0.5',
      /3:\d+.*list_cutoff 0.5.*d_max 0.6/s,
    ],
    [
      'a bad expression',
      'group_a: all, switch: { type: custom, r_0: 0.3, func: "1/(1+x^6" }',
      /3:\d+.*character 9.*'\)' is missing/s,
    ],
    [
      'an expression that is never finite',
      'group_a: all, switch: { type: custom, r_0: 0.3, func: "x+1/0" }',
      /3:\d+.*no finite number/s,
    ],
    [
      'an unknown name in an expression',
      'group_a: all, switch: { type: custom, r_0: 0.3, func: "process(x)" }',
      /3:\d+.*'process' is unknown/s,
    ],
    [
      'CUBIC with R_0',
      'group_a: all, switch: { type: cubic, r_0: 0.3, d_max: 1 }',
      /3:\d+.*cubic takes no r_0/s,
    ],
    ['CUBIC without D_MAX', 'group_a: all, switch: { type: cubic }', /3:\d+.*needs d_max/s],
    [
      'D_MAX in the keyword form',
      'group_a: all, keyword_form: true, switch: { r_0: 0.3, d_max: 1 }',
      /3:\d+.*by itself/s,
    ],
  ];

  it.each(cases)('%s', async (_, slots, message) => {
    const result = await run(yaml(`${slots}, file: cn.json`), files);
    expect(result.code, result.err).toBe(2);
    expect(result.err).toContain('run.yaml');
    expect(result.err).toMatch(message);
    expect(work.files()).not.toContain('cn.json');
  });
});

describe('coordination in a run', () => {
  const melt = (slots: string) => `
configuration: { units: lj, seed: 87287 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 10, thermo_frequency: 10 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [5, 5, 5], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }]
dump_data:
  - coordination: { ${slots} }
  - write_extended_xyz: { file: last.xyz, frequency: 10, fields: [pos, id] }
simulation: molecular_dynamics
`;

  it.each(['cpu', 'webgpu'])('follows the particles on %s', async (backend) => {
    for (const group of ['all', '{ first: 0, last: 399 }']) {
      const result = await run(
        melt(`group_a: ${group}, switch: { r_0: 1.2, d_max: 2.6 }, file: cn.json, frequency: 5`),
        {},
        '--backend',
        backend,
      );
      expect(result.code, result.err).toBe(0);
      const records = output('cn.json')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(records.map(({ step }) => step)).toEqual([0, 5, 10]);
      // The last frame again, from the file.
      const analysis = await run(
        yaml(
          `group_a: ${group}, switch: { r_0: 1.2, d_max: 2.6 }, file: again.json`,
          '{ file: last.xyz, frame: -1 }',
        ),
        {},
      );
      expect(analysis.code, analysis.err).toBe(0);
      const again = JSON.parse(output('again.json'));
      const tolerance = backend === 'cpu' ? 1e-12 : 2e-6;
      expect(Math.abs(records[2].value / again.value - 1)).toBeLessThan(tolerance);
      expect(
        largestDifference(records[2].derivatives.flat(), again.derivatives.flat()),
      ).toBeLessThan(backend === 'cpu' ? 1e-11 : 2e-5);
      work.clear();
    }
  });
});

describe('what the description says', () => {
  it('the example melts', async () => {
    const example = readFileSync(
      new URL('../examples/07-coordination.yaml', import.meta.url),
      'utf8',
    );
    const result = await run(example, {});
    expect(result.code, result.err).toBe(0);
    const rows = output('coordination.csv').trim().split('\n').slice(1);
    const numbers = rows.map((row) => Number(row.split(',')[2]) / (864 / 2));
    expect(numbers).toHaveLength(11);
    expect(numbers[0]).toBeGreaterThan(numbers[10]!);
  });

  it('the command lists every slot', async () => {
    const { code, out } = await runCli(['operators', 'coordination']);
    expect(code).toBe(0);
    for (const slot of ['group_a', 'switch', 'keyword_form', 'list_cutoff', 'harmonic_bias'])
      expect(out).toContain(slot);
  });

  it('explains its way', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = createGrid(frameOfCase(big), [{ name: 'A', mass: 1 }], ctx.heap);
    const explain = async (options: Omit<CoordinationOptions, 'groupA'>) => {
      const number = new CoordinationNumber(ctx, { groupA: 'all', ...options });
      try {
        return await number.explain(grid);
      } finally {
        number.close();
      }
    };
    const near = { type: 'rational', r0: 0.3, dMax: 0.6 } as const;
    expect(await explain({ switch: near })).toMatchObject({
      path: 'cell_lists',
      reason: expect.stringContaining('lists are made for this frame'),
    });
    expect(await explain({ switch: near, pbc: false })).toMatchObject({
      path: 'all_pairs',
      reason: 'periodic images are left out',
    });
    expect(await explain({ switch: { ...near, dMax: 1.95 } })).toMatchObject({
      path: 'all_pairs',
      reason: expect.stringContaining('half the box (1.9)'),
    });
    expect(await explain({ switch: { ...near, dMax: undefined } })).toMatchObject({
      reason: 'the switch has no end',
    });
    await expect(explain({ switch: near, pbc: false, path: 'neighbour_lists' })).rejects.toThrow(
      'neighbour lists cannot be used here',
    );
    grid.free();
  });
});

describe('frame after frame', () => {
  it.each([
    ['little', 1e-3, 'neighbour_lists'],
    ['far', 0.3, 'cell_lists'],
  ] as const)('lists last when particles move %s', async (_, step, path) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = createGrid(frameOfCase(big), [{ name: 'A', mass: 1 }], ctx.heap);
    const s = { type: 'rational', r0: 0.3, dMax: 0.6 } as const;
    const number = new CoordinationNumber(ctx, { groupA: 'all', switch: s });
    const paths: string[] = [];
    for (let frame = 0; frame < 12; frame++) {
      const { value, path: taken } = await number.evaluate(grid);
      paths.push(taken);
      const exact = await coordination(grid, ctx, { groupA: 'all', switch: s, path: 'all_pairs' });
      expect(Math.abs(value / exact.value - 1)).toBeLessThan(1e-13);
      const r = grid.block('position').array as Float64Array;
      for (let k = 0; k < 500; k++) r[4 * k + (frame % 3)]! += step * Math.sin(k + frame);
      grid.block('position').hostWritten();
    }
    expect(paths[0]).toBe('cell_lists');
    expect(paths[1]).toBe('neighbour_lists');
    expect(paths.at(-1)).toBe(path);
    number.close();
    grid.free();
  });
});

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

  it.each([
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
  it.each([
    ['cpu', 'f64', 600, 'neighbour_lists', 8e-5],
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
  it('reads nothing back but totals, also when particles are sorted', async () => {
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
      ctx.gpu?.startProfile();
      const { rows } = await run(12);
      const profile = await ctx.gpu?.profile();
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
});

describe('coordination of a grid', () => {
  it.each([
    ['cpu', 'f64'],
    ['webgpu', 'f32'],
  ] as const)('is 0 without pairs on %s', async (backend, precision) => {
    await using ctx = await createExecutionContext({ backend, precision, threads: 1 });
    const frame = { ...frameOfCase(big), species: ['A', 'B'] };
    const types = ['A', 'B'].map((name) => ({ name, mass: 1 }));
    const grid = createGrid(frame, types, ctx.heap);
    const s = { type: 'rational', r0: 0.3, dMax: 0.6 } as const;
    for (const groups of [
      { groupA: 'all', groupB: 'B' },
      { groupA: 'B' },
      { groupA: [3] },
      { groupA: [3, 3, 3] },
      { groupA: [3], groupB: [3, 3] },
      { groupA: [3, 4], groupB: [3, 4], pair: true },
    ]) {
      const result = await coordination(grid, ctx, {
        ...groups,
        switch: s,
        types: ['A', 'B'],
      });
      expect(result.value).toBe(0);
      expect(result.derivatives.every((x) => x === 0)).toBe(true);
    }
    grid.free();
  });

  it.each([
    ['f32', 2e-6],
    ['f64', 1e-12],
  ] as const)('slot by slot reads nothing back but totals, %s', async (precision, tolerance) => {
    const push = cellFunctor({ name: 'push', fields: { rx: 'real', ry: 'real' } }, (i) => {
      i.rx += 0.01 * Math.sin(40 * i.ry);
    });
    const values: number[] = [];
    for (const backend of ['cpu', 'webgpu'] as const) {
      await using ctx = await createExecutionContext({
        backend,
        threads: 1,
        precision: backend === 'cpu' ? 'f64' : precision,
      });
      const grid = createGrid(frameOfCase(big), [{ name: 'A', mass: 1 }], ctx.heap);
      const number = new CoordinationNumber(ctx, {
        groupA: { first: 0, last: 249 },
        groupB: [...Array.from({ length: 240 }, (_, k) => k + 250), ...Array(10).fill(3)],
        pair: true,
        switch: { type: 'rational', r0: 0.3 },
      });
      await number.evaluate(grid);
      computeCellParticles(grid, push, ctx);
      await ctx.gpu?.finished();
      ctx.gpu?.startProfile();
      values.push((await number.evaluate(grid)).value);
      const profile = await ctx.gpu?.profile();
      if (profile) expect(profile.downloadedBytes).toBeLessThanOrEqual(64);
      number.close();
      grid.free();
    }
    expect(Math.abs(values[1]! / values[0]! - 1)).toBeLessThan(tolerance);
  });

  it('finds its groups again when there are other particles', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = createGrid(frameOfCase(big), [{ name: 'A', mass: 1 }], ctx.heap);
    const options = {
      groupA: { first: 0, last: 99 },
      switch: { type: 'rational', r0: 0.3 },
    } as const;
    const number = new CoordinationNumber(ctx, options);
    const other = new CoordinationNumber(ctx, { ...options, groupB: [120, 110, 7] });
    for (const count of [500, 400, 450]) {
      grid.resize(count);
      const id = grid.block('id').array as BigUint64Array;
      for (let row = 0; row < count; row++) id[row] = BigInt((row * 7) % count);
      grid.block('id').hostWritten();
      for (const each of [number, other, number]) {
        const groups = each === number ? options : { ...options, groupB: [120, 110, 7] };
        const { value } = await each.evaluate(grid);
        expect(value).toBe((await coordination(grid, ctx, groups)).value);
      }
    }
    number.close();
    other.close();
    grid.free();
  });

  it('counts as many threads and lowerings as there are', async () => {
    const s = { type: 'rational', r0: 0.3, nn: 5, mm: 9, d0: 0.05, dMax: 0.7 } as const;
    const values: number[] = [];
    for (const lowering of ['simd', 'scalar', 'javascript'] as const)
      for (const threads of [1, 2])
        for (const path of ['all_pairs', 'neighbour_lists'] as const) {
          await using ctx = await createExecutionContext({ backend: 'cpu', threads, lowering });
          const grid = createGrid(frameOfCase(big), [{ name: 'A', mass: 1 }], ctx.heap);
          values.push((await coordination(grid, ctx, { groupA: 'all', switch: s, path })).value);
          grid.free();
        }
    for (const value of values) expect(Math.abs(value / values[0]! - 1)).toBeLessThan(1e-13);
  });

  it('finds nearest images in skewed, reduced and partly periodic boxes', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const cells = [
      [3, 0, 0, 5.7, 2.6, 0, -4.1, 7.7, 2.4], // far from reduced
      [3, 0, 0, 1, 2.83, 0, -1, 1.41, 2.45], // truncated octahedron
      [3, 0, 0, 0, 3, 0, 1.5, 1.5, 2.12], // rhombic dodecahedron
    ];
    for (const matrix of cells)
      for (const periodic of [
        [true, true, true],
        [true, false, true],
      ] as const) {
        const frame = {
          ...frameOfCase(big),
          lattice: matrix,
          periodic: [...periodic] as [boolean, boolean, boolean],
        };
        const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
        const { value } = await coordination(grid, ctx, {
          groupA: Array.from({ length: 60 }, (_, k) => k),
          switch: { type: 'exp', r0: 0.5 },
        });
        const domain = Domain.triclinic(matrix, { periodic });
        let expected = 0;
        for (let i = 0; i < 60; i++)
          for (let j = 0; j < i; j++) {
            const d = [0, 1, 2].map((k) => big.positions[i]![k]! - big.positions[j]![k]!);
            const r = Math.hypot(...domain.minimumImage(d[0]!, d[1]!, d[2]!));
            expected += Math.exp(-r / 0.5);
          }
        expect(Math.abs(value / expected - 1)).toBeLessThan(1e-12);
        grid.free();
      }
  });
});
