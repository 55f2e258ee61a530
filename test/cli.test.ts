import { readFileSync, writeFileSync } from 'node:fs';
import { countFrames, readExtendedXyz, thermoColumns } from '@corpuscle/operators';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const cpu = ['--backend', 'cpu', '--threads', '1'];

/** Runs a YAML text in the workplace; files go to `out`. */
async function run(yaml: string, ...options: string[]) {
  work.write({ 'run.yaml': yaml });
  const argv = ['run', work.path('run.yaml'), '--output', work.path('out'), ...cpu, ...options];
  return runCli(argv);
}

function thermo(file = 'out/thermo.csv'): Record<string, number>[] {
  const [header, ...lines] = readFileSync(work.path(file), 'utf8').trimEnd().split('\n');
  const names = header!.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((text, k) => [names[k]!, Number(text)])),
  );
}

describe('corpuscle run', () => {
  it('runs the melt, prints its table, sums up and writes thermo.csv', async () => {
    const result = await run(meltYaml());
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.out).toMatch(/^ +step +time +temperature +potential_energy/);
    expect(result.out).toMatch(/atoms +256\n/);
    expect(result.out).toMatch(/backend +cpu \(asked for\)\n/);
    expect(result.out).toMatch(/precision +f64\n/);
    expect(result.out).toMatch(/steps +20 in /);
    expect(result.out).toMatch(/steps\/s, .* atom-steps\/s/);
    expect(readFileSync(work.path('out/thermo.csv'), 'utf8')).toMatch(
      /^step,time,temperature,potential_energy,kinetic_energy,total_energy,pressure,pxx,pyy,pzz,pxy,pxz,pyz\n/,
    );
    const rows = thermo();
    expect(Object.keys(rows[0]!)).toEqual([...thermoColumns]);
    expect(rows.map((row) => row.step)).toEqual([0, 10, 20]);
    expect(rows[0]!.temperature).toBeCloseTo(1.44, 12);
    expect(rows[0]!.potential_energy! / 256).toBeCloseTo(-6.773368053253, 9);
    expect(rows[2]!.time).toBeCloseTo(0.1, 12);
    expect(work.files()).toEqual(['out/thermo.csv', 'run.yaml']);
  });

  it('takes --set, later files, and one name for many atoms', async () => {
    work.write({ 'more.yaml': 'global: { thermo_frequency: 5 }\n', 'run.yaml': meltYaml() });
    const result = await runCli([
      'run',
      work.path('run.yaml'),
      work.path('more.yaml'),
      '--set',
      'global.end_iteration=6',
      '--output',
      work.path('out'),
      ...cpu,
    ]);
    expect(result.code, result.err).toBe(0);
    expect(thermo().map((row) => row.step)).toEqual([0, 5, 6]);
  });

  it('gives the same rows on one and two threads to rounding, and the same file twice', async () => {
    await run(meltYaml());
    const text = readFileSync(work.path('out/thermo.csv'), 'utf8');
    const one = thermo();
    await run(meltYaml());
    expect(readFileSync(work.path('out/thermo.csv'), 'utf8')).toBe(text);
    await run(meltYaml(), '--threads', '2');
    thermo().forEach((row, k) => {
      expect(row.total_energy! / one[k]!.total_energy!).toBeCloseTo(1, 12);
    });
  });

  it('writes frames that start a run with the same energies', async () => {
    const fields = '[pos, velo, forces, id, energy]';
    const first = await run(
      meltYaml({
        dump_data: `\n  - write_extended_xyz: { file: frames.xyz, frequency: 10, fields: ${fields} }`,
      }),
    );
    expect(first.code, first.err).toBe(0);
    expect(countFrames(work.path('out/frames.xyz'))).toBe(3);
    const frame = readExtendedXyz(work.path('out/frames.xyz'), {
      frame: 1,
      keep: ['energy', 'forces'],
    });
    const rows = thermo();
    expect([...frame.id!]).toEqual(Array.from({ length: 256 }, (_, k) => k));
    const energies = frame.extra.get('energy')!.values as Float64Array;
    expect(energies.reduce((a, b) => a + b, 0)).toBeCloseTo(rows[1]!.potential_energy!, 9);
    const second = await run(
      meltYaml({
        setup_system: '\n  - read_extended_xyz: { file: out/frames.xyz, frame: 1 }',
        global: '{ dt: 0.005, end_iteration: 10 }',
      }),
      '--output',
      work.path('again'),
    );
    expect(second.code, second.err).toBe(0);
    const again = thermo('again/thermo.csv');
    for (const name of ['potential_energy', 'kinetic_energy', 'pxy'] as const)
      for (const k of [0, 1]) expect(again[k]![name]).toBeCloseTo(rows[k + 1]![name]!, 9);
  });

  it('runs any batch: every frame of a file in turn', async () => {
    const frame = (k: number) =>
      `2\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3\nA 1 1 1\nA ${2 + k} 1 1\n`;
    work.write({ 'in.xyz': [1, 2, 3].map(frame).join('') });
    const result = await run(
      'particle_types: { A: { mass: 1 } }\nsimulation:\n  - read_extended_xyz: { file: in.xyz, loop: true }\n  - write_extended_xyz: { file: out.xyz, fields: [pos, id] }\n',
    );
    expect(result.code, result.err).toBe(0);
    expect(countFrames(work.path('out/out.xyz'))).toBe(3);
    expect(readExtendedXyz(work.path('out/out.xyz'), { frame: 2 }).position[3]).toBe(5);
  });

  it('runs in real units: argon, 108 atoms', async () => {
    const kelvin = 94.4;
    const result = await run(`
configuration:
  units: { length: angstrom, mass: Dalton, time: picosecond, energy: eV, temperature: kelvin }
  seed: 3
global: { dt: "2 fs", rcut_inc: 1.0, end_iteration: 50, thermo_frequency: 10 }
particle_types: { Ar: { mass: 39.948 } }
setup_system:
  - lattice: { structure: fcc, lattice_constant: "5.7 ang", repeat: [3, 3, 3] }
  - init_temperature: { temperature: ${kelvin} }
compute_force:
  - lennard_jones_force: { epsilon: 0.0103, sigma: 3.405, rcut: 8.5, shift: force }
simulation: molecular_dynamics
`);
    expect(result.code, result.err).toBe(0);
    const rows = thermo();
    expect(rows[0]!.temperature).toBeCloseTo(kelvin, 9);
    expect(rows[0]!.time).toBe(0);
    expect(rows.at(-1)!.time).toBeCloseTo(0.1, 12); // 50 steps of 2 fs, in picoseconds
    // (3N − 3) k T / 2 with k = 8.617333e-5 eV/K
    expect(rows[0]!.kinetic_energy).toBeCloseTo((321 * 8.617333262e-5 * kelvin) / 2, 8);
    for (const row of rows)
      expect(Math.abs(row.total_energy! / rows[0]!.total_energy! - 1)).toBeLessThan(1e-4);
  });

  it('prints times and decisions with --profile', async () => {
    const { code, out, err } = await run(meltYaml(), '--profile');
    expect(code, err).toBe(0);
    expect(out).toMatch(/operator +calls +time/);
    expect(out).toMatch(/update_forces\/compute_force\/lennard_jones_force +20 /);
    expect(out).toMatch(/lennard_jones: cpu, \w+, backend cpu was asked for/);
  });

  it('writes one row when there are no steps', async () => {
    await run(meltYaml({ global: '{ dt: 0.005, end_iteration: 0 }' }));
    expect(thermo()).toHaveLength(1);
  });
});

describe('corpuscle run --lowering', () => {
  it.each(['scalar', 'javascript'])(
    '%s gives the energies of SIMD to rounding',
    async (lowering) => {
      await run(meltYaml());
      const simd = thermo();
      const result = await run(meltYaml(), '--lowering', lowering);
      expect(result.out).toMatch(new RegExp(`lowering +${lowering}\\n`));
      thermo().forEach((row, k) => {
        const energy = simd[k]!.total_energy!;
        expect(Math.abs(row.total_energy! - energy)).toBeLessThan(1e-9 * Math.abs(energy));
      });
    },
  );
});

describe('corpuscle run --backend webgpu', () => {
  const gpu = ['--backend', 'webgpu'];
  beforeAll(() => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
  });

  it('gives the rows of the CPU to single precision', async () => {
    await run(meltYaml());
    const expected = thermo();
    const result = await run(meltYaml(), ...gpu);
    expect(result.code, result.err).toBe(0);
    expect(result.out).toMatch(/backend +webgpu \(.+\)\nprecision +f32\n/);
    thermo().forEach((row, k) => {
      expect(row.step).toBe(expected[k]!.step);
      // A pair that crosses the cutoff one step earlier or later changes the energy by 0.016 of some 1,500.
      for (const name of ['potential_energy', 'kinetic_energy', 'total_energy'] as const)
        expect(Math.abs(row[name]! / expected[k]![name]! - 1)).toBeLessThan(5e-5);
    });
  });

  it('names step and particle when a run blows up', async () => {
    const yaml = meltYaml({ global: '{ dt: 5, end_iteration: 20, thermo_frequency: 5 }' });
    const result = await run(yaml, ...gpu);
    expect(result.code).toBe(1);
    expect(result.err).toMatch(/blew up at step \d+ at particle \d+/);
    expect(work.files()).toEqual(['out/failed.xyz', 'out/thermo.csv', 'run.yaml']);
  });

  it('finds two particles at the same place', async () => {
    const box = 'Lattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3';
    work.write({ 'in.xyz': `3\n${box}\nA 0 1 1\nA 4 4 4\nA 9 1 1\n` });
    const setup_system = '\n  - read_extended_xyz: { file: in.xyz }';
    const result = await run(meltYaml({ setup_system }), ...gpu);
    expect(result.code).toBe(2);
    expect(result.err).toMatch(/particles 0 and 2 are at the same place/);
  });
});

describe('corpuscle check, operators, graph, info', () => {
  it('checks without writing', async () => {
    work.write({ 'run.yaml': meltYaml() });
    const result = await runCli(['check', work.path('run.yaml')]);
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.out).toMatch(/run\.yaml: correct, \d+ operators\n.*thermo\.csv/);
    expect(work.files()).toEqual(['run.yaml']);
    writeFileSync(work.path('run.yaml'), meltYaml({ global: '{ dtt: 1 }' }));
    expect((await runCli(['check', work.path('run.yaml')])).code).toBe(2);
    const json = await runCli(['check', '--json', work.path('run.yaml')]);
    expect(json.code).toBe(2);
    const [mistake] = JSON.parse(json.out);
    expect(mistake).toMatchObject({
      code: 'UNKNOWN_KEY',
      file: expect.stringMatching(/run\.yaml$/),
      line: expect.any(Number),
      column: expect.any(Number),
      suggestion: 'dt',
    });
    writeFileSync(work.path('run.yaml'), meltYaml());
    const right = await runCli(['check', '--json', work.path('run.yaml')]);
    expect([right.code, JSON.parse(right.out)]).toEqual([0, []]);
  });

  it('describes operators', async () => {
    const all = await runCli(['operators']);
    expect(all.code).toBe(0);
    expect(all.out).toMatch(/^lennard_jones_force +Adds Lennard-Jones forces/m);
    // Phases of integrators are no names for files.
    expect(all.out).not.toMatch(/^langevin_1 /m);
    expect(all.out).toMatch(
      /^cell_rescale +Stochastic cell rescaling, a barostat \(Bernetti and Bussi.*, at the/m,
    );
    const one = await runCli(['operators', 'lattice']);
    expect(one.out).toMatch(/density: quantity \(a number density/);
    for (const name of ['dump_data', 'molecular_dynamics']) {
      expect(all.out).toMatch(new RegExp(`^${name} +\\(a batch`, 'm'));
      expect(await runCli(['operators', name])).toMatchObject({ code: 0, err: '' });
    }
    const renamed = await runCli(['operators', 'update_neighbours']);
    expect(renamed.out).toMatch(/^update_neighbors\n.*\n +Older names: update_neighbours\n/);
    const wrong = await runCli(['operators', 'latice']);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toMatch(/did you mean 'lattice'/);
  });

  it.each(['text', 'mermaid', 'dot'])('draws the graph as %s', async (format) => {
    work.write({ 'run.yaml': meltYaml() });
    const { code, out } = await runCli(['graph', work.path('run.yaml'), '--format', format]);
    expect(code).toBe(0);
    for (const name of ['lattice', 'lennard_jones_force', 'push_velocity', 'thermo'])
      expect(out).toContain(name);
  });

  it('says what there is to run on', async () => {
    const { code, out } = await runCli(['info']);
    expect(code).toBe(0);
    expect(out).toMatch(/threads +\d+ of \d+ cores/);
    expect(out).toMatch(/webgpu /);
  });

  it('helps, and gives its version', async () => {
    const help = await runCli(['--help']);
    expect(help).toMatchObject({ code: 0 });
    expect(help.out).toMatch(/run .*\[file\.\.\.\]/);
    expect((await runCli(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
