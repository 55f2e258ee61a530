import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mie } from '../examples/11-own-potential/mie.js';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
beforeAll(() => {
  process.env.CORPUSCLE_SOFTWARE_GPU = '1';
});
afterEach(() => work.clear());
afterAll(() => work.remove());

const place = (name: string) => fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
const rowsOf = (name: string) =>
  readFileSync(work.path(name), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(',').map(Number));

async function run(example: string, module: string, backend: string, ...more: string[]) {
  const own = ['--import', place(`${example}/${module}`), '--backend', backend];
  const argv = ['run', place(`${example}/run.yaml`), '--output', work.root, ...own, ...more];
  const result = await runCli(argv);
  expect(result.code, result.err).toBe(0);
  return rowsOf('thermo.csv');
}

it.each(['09-own-integrator', '10-own-analysis', '11-own-potential', '13-own-engine'])(
  '%s has at most 60 lines',
  (name) => {
    for (const file of readdirSync(place(name)))
      expect(
        readFileSync(place(`${name}/${file}`), 'utf8')
          .trim()
          .split('\n').length,
      ).toBeLessThan(61);
  },
);

describe('an integrator of a project', () => {
  const step = (dt: number) => [
    '--set',
    `global.dt=${dt}`,
    '--set',
    `global.end_iteration=${0.4 / dt}`,
  ];
  const energyError = async (dt: number) => {
    const often = ['--set', 'global.thermo_frequency=1000'];
    const rows = await run('09-own-integrator', 'yoshida.ts', 'cpu', ...step(dt), ...often);
    return Math.abs(rows.at(-1)![5]! - rows[0]![5]!);
  };

  it('is of fourth order', async () => {
    // Half the step leaves a sixteenth of the error in the energy; a scheme of second order would leave a quarter.
    const [coarse, fine] = [await energyError(0.01), await energyError(0.005)];
    expect(coarse! / fine!).toBeGreaterThan(9);
    expect(coarse! / fine!).toBeLessThan(30);
  });

  it('gives the same energies on both backends', async () => {
    const rows = await run('09-own-integrator', 'yoshida.ts', 'cpu');
    const others = await run('09-own-integrator', 'yoshida.ts', 'webgpu');
    expect(rows.map(([at]) => at)).toEqual([0, 10, 20, 30, 40]);
    others.forEach((row, k) => {
      for (const column of [3, 4, 5])
        expect(Math.abs(row[column]! / rows[k]![column]! - 1)).toBeLessThan(2e-5);
    });
  });
});

describe('a pair potential of a project', () => {
  it.each([
    ['cpu', 1e-9],
    // single precision
    ['webgpu', 2e-5],
  ] as const)('is Lennard-Jones for n = 12 and m = 6, on %s', async (backend, tolerance) => {
    const rows = await run('11-own-potential', 'mie.ts', backend);
    const text = readFileSync(place('11-own-potential/run.yaml'), 'utf8')
      .replace('own_mie_force', 'lennard_jones_force')
      .replaceAll(', n: 12, m: 6', '');
    work.write({ 'twin.yaml': text });
    const argv = ['run', work.path('twin.yaml'), '--output', work.root, '--backend', 'cpu'];
    expect((await runCli(argv)).code).toBe(0);
    const twin = rowsOf('thermo.csv');
    expect(rows.map(([step]) => step)).toEqual([0, 20, 40]);
    // temperature, energies and the pressure, whose virial is nowhere in the potential
    rows.forEach((row, k) => {
      for (const column of [2, 3, 4, 5, 6])
        expect(Math.abs(row[column]! / twin[k]![column]! - 1)).toBeLessThan(tolerance);
    });
  });

  it('has the force −du/dr for other exponents, and the depth epsilon', () => {
    for (const [n, m] of [
      [12, 6],
      [14, 7],
      [9.5, 4.25],
    ] as const) {
      const depth = mie.energy((n / m) ** (1 / (n - m)) * 0.9, 1.5, 0.9, n, m);
      expect(depth).toBeCloseTo(-1.5, 12);
      for (const r of [0.85, 1, 1.3, 2]) {
        const u = (x: number) => mie.energy(x, 1.5, 0.9, n, m);
        const numeric = (u(r - 1e-6) - u(r + 1e-6)) / 2e-6;
        expect(mie.force(r, 1.5, 0.9, n, m) / numeric).toBeCloseTo(1, 7);
      }
    }
  });
});

it.each(['cpu', 'webgpu'])(
  'an analysis of a project runs when it is due, on %s',
  async (backend) => {
    const thermo = await run('10-own-analysis', 'neighborCounts.ts', backend);
    const rows = rowsOf('neighbors.csv');
    expect(rows.map(([step]) => step)).toEqual([0, 10, 20, 30, 40]);
    // Shells of fcc at 1.188 · √(1 … 6); the seventh begins at 3.14.
    expect(rows[0]![1]).toBe(12 + 6 + 24 + 12 + 24 + 8);
    for (const [step, neighbors, energy] of rows) {
      expect(Math.abs(neighbors! / (0.8442 * (4 / 3) * Math.PI * 27 - 1) - 1)).toBeLessThan(0.11);
      const row = thermo.find(([at]) => at === step);
      if (row) expect(Math.abs((256 * energy!) / row[3]! - 1)).toBeLessThan(1e-6);
    }
  },
);

describe('an engine of a project', () => {
  const file = place('13-own-engine/run.yaml');
  const own = ['--import', place('13-own-engine/rowByRow.ts')];
  const output = ['--output', work.root, '--threads', '1'];

  it('is asked for by its name, in the file or on the command line, and agrees with the CPU', async () => {
    const rows = await run('13-own-engine', 'rowByRow.ts', 'cpu');
    for (const asked of [[], ['--set', 'configuration.backend=cpu', '--backend', 'row_by_row']]) {
      const result = await runCli(['run', file, ...output, ...own, ...asked]);
      expect(result.code, result.err).toBe(0);
      expect(result.out).toMatch(/backend +row_by_row \(functors as they are, on one thread\)/);
      const found = rowsOf('thermo.csv');
      expect(found.map(([at]) => at)).toEqual([0, 10, 20, 30, 40]);
      found.forEach((row, k) => {
        for (const column of [3, 4, 5])
          expect(Math.abs(row[column]! / rows[k]![column]! - 1)).toBeLessThan(1e-10);
      });
    }
  });

  it('has a name that errors list', async () => {
    const wrong = ['--backend', 'row_by_rows'];
    const { code, err } = await runCli(['run', file, ...output, ...own, ...wrong]);
    expect(err).toMatch(/--backend row_by_rows .*did you mean 'row_by_row'\?/);
    expect(code).toBe(2);
    const unlike = await runCli(['run', file, ...output, ...own, '--backend', 'abacus']);
    expect(unlike.err).toMatch(/abacus .*\bcpu, webgpu, .*row_by_row.*--import/);
    const set = ['--set', 'configuration.backend=row_by_rows'];
    const inFile = await runCli(['check', file, ...own, ...set]);
    expect(inFile.err).toMatch(/backend.*row_by_rows.*did you mean 'row_by_row'\?/s);
    expect(inFile.code).toBe(2);
  });
});

describe('an analysis of a project whose run goes on', () => {
  const kept = readFileSync(place('10-own-analysis/neighborCounts.ts'), 'utf8');
  const text = readFileSync(place('10-own-analysis/run.yaml'), 'utf8')
    .replace('dump_data:\n', 'dump_data:\n  - checkpoint: { frequency: 20 }\n')
    .replace('cutoff: 3.0,', 'cutoff: 1.5,');

  it.each([
    ['has all rows', kept, [0, 10, 20, 30], ''],
    [
      'says that it has lost them without save',
      kept.replace(/ {2}save: [\s\S]*? {2}\},\n/, ''),
      [20, 30],
      'run.yaml:18:5: warning: neighbor_counts has lost what it kept up to step 20',
    ],
  ])('%s', async (_, module, steps, warning) => {
    const name = `own${steps.length}.ts`; // modules are imported once
    work.write({ 'run.yaml': text, [name]: module });
    const argv = ['run', work.path('run.yaml'), '--output', work.path('out'), '--import'];
    const end = (step: number) => ['--set', `global.end_iteration=${step}`];
    expect(await runCli([...argv, work.path(name), ...end(20)])).toMatchObject({ code: 0 });
    const again = await runCli([...argv, work.path(name), ...end(30), '--restart']);
    expect(again.code, again.err).toBe(0);
    expect(rowsOf('out/neighbors.csv').map(([step]) => step)).toEqual(steps);
    expect(again.err + again.out).toContain(warning);
    expect((again.err + again.out).includes('warning')).toBe(warning !== '');
  });
});
