import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const data = (name: string) =>
  readFileSync(new URL(`./data/analyses/${name}`, import.meta.url), 'utf8');
const reference: { motion: { step: number; msd: number[]; vacf: number[] }[] } = JSON.parse(
  data('motion.json'),
);
const table = (name: string) =>
  readFileSync(work.path(name), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));

/** The gas of gas.data, whose particles cross the faces of a tilted box. */
function gas(steps: number, analyses: readonly string[], more = '', moving = ''): void {
  work.write({
    'gas.data': data('gas.data'),
    'run.yaml': `
configuration: { units: lj, seed: 1 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: ${steps} }
particle_types: { A: { mass: 1.0 } }
setup_system: [read_lammps_data: { file: gas.data }${more}]
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.2 }]
numerical_scheme: [velocity_verlet${moving && `, ${moving}`}]
dump_data:
${analyses.map((line) => `  - ${line}`).join('\n')}
simulation: molecular_dynamics
`,
  });
}

async function run(...more: string[]) {
  const result = await runCli([
    'run',
    work.path('run.yaml'),
    '--output',
    work.root,
    '--threads',
    '1',
    ...more,
  ]);
  expect(result.code, result.err).toBe(0);
  return result;
}

describe('mean_square_displacement and velocity_autocorrelation', () => {
  it.each([
    ['cpu', 400, 1e-9],
    ['webgpu', 100, 3e-5],
  ] as const)('are those of LAMMPS in a tilted box, on %s', async (backend, steps, tolerance) => {
    gas(steps, [
      'mean_square_displacement: { every: 20, file: msd.csv, plot: msd.svg }',
      'velocity_autocorrelation: { every: 20, file: vacf.csv }',
    ]);
    const result = await run('--backend', backend);
    expect(result.out).toMatch(/mean_square_displacement: diffusion coefficient [\d.]+ ±/);
    const [msd, vacf] = [table('msd.csv'), table('vacf.csv')];
    expect(msd).toHaveLength(1 + steps / 20);
    reference.motion
      .slice(0, msd.length)
      .forEach(({ step, msd: [x, y, z, all], vacf: velocities }, k) => {
        const [at, time, ...found] = msd[k]!;
        expect([at, time]).toEqual([step, expect.closeTo(0.005 * step, 12)]);
        [all!, x!, y!, z!].forEach((value, n) => {
          expect(Math.abs(found[n]! - value)).toBeLessThan(tolerance * (1 + value));
        });
        const [vx, vy, vz, v] = velocities;
        [v!, vx!, vy!, vz!].forEach((value, n) => {
          expect(Math.abs(vacf[k]![2 + n]! - value)).toBeLessThan(20 * tolerance);
        });
      });
    expect(readFileSync(work.path('msd.svg'), 'utf8')).toContain('diffusion coefficient');
  });

  it('many origins, more than a kernel of a device may bind blocks, are those of the CPU', async () => {
    const found = new Map<string, number[][]>();
    for (const backend of ['cpu', 'webgpu']) {
      gas(90, ['mean_square_displacement: { every: 2, origins: 10, lags: 20, file: msd.csv }']);
      await run('--backend', backend);
      found.set(backend, table('msd.csv'));
    }
    const [cpu, gpu] = [found.get('cpu')!, found.get('webgpu')!];
    expect(gpu.length).toBe(cpu.length);
    cpu.forEach((row, k) => {
      for (const [n, x] of row.slice(0, 6).entries())
        expect(Math.abs(gpu[k]![n]! - x)).toBeLessThan(3e-5);
      expect(gpu[k]![7]).toBe(row[7]);
    });
  });

  it('average over origins as brute force over all frames does, in a run and of its trajectory', async () => {
    gas(60, [
      'write_extended_xyz: { file: all.xyz, frequency: 5, fields: [pos, velo, id] }',
      'mean_square_displacement: { every: 5, origins: 3, lags: 5, file: msd.csv }',
      'velocity_autocorrelation: { every: 5, origins: 3, lags: 5, file: vacf.json }',
    ]);
    await run();
    const [msd, vacf] = [
      table('msd.csv'),
      JSON.parse(readFileSync(work.path('vacf.json'), 'utf8')),
    ];
    expect(msd.map(([step]) => step)).toEqual([0, 5, 10, 15, 20, 25]);
    // Origins begin at frames 0, 2, 4, …; 13 frames.
    expect(msd.map((row) => row.at(-1))).toEqual([7, 6, 6, 5, 5, 4]);
    const expected = [0, 1, 2, 3, 4, 5].map((lag) => {
      const { frames, velocities } = unwrapped(work.path('all.xyz'));
      const values: number[][] = [];
      for (let origin = 0; origin + lag < frames.length; origin += 2)
        values.push([
          mean(frames[origin]!, frames[origin + lag]!, (a, b) => (a - b) ** 2),
          mean(velocities[origin]!, velocities[origin + lag]!, (a, b) => a * b),
        ]);
      return [0, 1].map((k) => values.reduce((sum, value) => sum + value[k]!, 0) / values.length);
    });
    expected.forEach(([square, product], lag) => {
      expect(msd[lag]![2]).toBeCloseTo(square!, 10);
      expect(vacf.points[lag].value).toBeCloseTo(product!, 10);
    });
    work.write({
      'run.yaml': `
particle_types: { A: { mass: 1.0 } }
simulation:
  - read_extended_xyz: { file: all.xyz, loop: true }
  - mean_square_displacement: { origins: 3, lags: 5, file: again.csv }
`,
    });
    await run();
    table('again.csv').forEach((row, lag) => {
      expect(row[2]).toBeCloseTo(msd[lag]![2]!, 10);
    });
  });

  it('need to know how long several origins are followed where there is no run', async () => {
    work.write({
      'a.xyz': '1\nPt="a"\nA 0 0 0\n',
      'run.yaml':
        'simulation:\n  - read_extended_xyz: { file: a.xyz }\n  - mean_square_displacement: { origins: 3, file: m.csv }\n',
    });
    const result = await runCli(['run', work.path('run.yaml'), '--output', work.root]);
    expect(result.code).not.toBe(0);
    expect(result.err).toContain('give lags');
  });
});

const mean = (a: readonly number[], b: readonly number[], of: (x: number, y: number) => number) =>
  (3 * a.reduce((sum, x, k) => sum + of(x, b[k]!), 0)) / a.length;

/** Positions, each at the image nearest to its last, and velocities of all frames. */
function unwrapped(file: string): { frames: number[][]; velocities: number[][] } {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const count = Number(lines[0]);
  const [frames, velocities]: [number[][], number[][]] = [[], []];
  for (let at = 0; at < lines.length; at += count + 2) {
    const h = /Lattice="([^"]+)"/
      .exec(lines[at + 1]!)![1]!
      .split(' ')
      .map(Number);
    const rows = lines
      .slice(at + 2, at + 2 + count)
      .map((line) => line.split(/\s+/).slice(1, 7).map(Number));
    const before = frames.at(-1);
    frames.push(
      rows.flatMap((row, k) => {
        const r = row.slice(0, 3);
        if (!before) return r;
        for (const axis of [2, 1, 0]) {
          const turns = Math.round((r[axis]! - before[3 * k + axis]!) / h[4 * axis]!);
          for (let n = 0; n < 3; n++) r[n]! -= turns * h[3 * axis + n]!;
        }
        return r;
      }),
    );
    velocities.push(rows.flatMap((row) => row.slice(3, 6)));
  }
  return { frames, velocities };
}

describe('a box that flips', () => {
  const known: { msd: number[][]; unwrapped: number[][] } = JSON.parse(data('flips.json'));

  it('leaves unwrapped positions and mean square displacements as in LAMMPS', async () => {
    gas(
      200,
      [
        'mean_square_displacement: { every: 20, file: msd.csv }',
        'write_lammps_dump: { file: all.dump, frequency: 200, columns: [id, xu, yu, zu] }',
      ],
      '',
      'deform: { tilts: stay, rate: { xy: 2, xz: 1.1 } }',
    );
    await run();
    const msd = table('msd.csv');
    expect(msd).toHaveLength(known.msd.length);
    known.msd.forEach((row, k) => {
      row.forEach((value, n) => {
        expect(Math.abs(msd[k]![2 + n]! - value)).toBeLessThan(1e-8 * (1 + value));
      });
    });
    const last = readFileSync(work.path('all.dump'), 'utf8').trim().split('\n').slice(-144);
    last.forEach((line, k) => {
      const [id, ...r] = line.split(' ').map(Number);
      expect(id).toBe(k + 1);
      r.forEach((x, n) => {
        expect(Math.abs(x - known.unwrapped[k]![n]!)).toBeLessThan(1e-8);
      });
    });
  });
});

/** Integrals up to each lag by trapezoids, samples being 0.02 apart. */
const integrated = (values: readonly number[]): number[] => {
  let sum = 0;
  return values.map((y, k) => {
    if (k > 0) sum += 0.01 * (y + values[k - 1]!);
    return sum;
  });
};

describe('stress_autocorrelation and heat_flux_autocorrelation', () => {
  const known: {
    volume: number;
    temperatures: number[];
    sacf: number[];
    heat: number[][];
  } = JSON.parse(data('greenKubo.json'));
  const temperature = known.temperatures.reduce((a, b) => a + b) / known.temperatures.length;

  it('are those of LAMMPS, with viscosity and conductivity', async () => {
    gas(400, [
      'stress_autocorrelation: { every: 4, lags: 20, file: sacf.csv }',
      'heat_flux_autocorrelation: { every: 4, lags: 20, file: heat.csv }',
    ]);
    await run();
    // LAMMPS writes six digits.
    const tolerance = 1e-5;
    const expectRows = (name: string, curve: readonly number[], factor: number) => {
      const integrals = integrated(curve);
      const rows = table(name);
      expect(rows).toHaveLength(curve.length);
      const most = Math.max(...integrals);
      rows.forEach(([time, value, , coefficient], lag) => {
        expect(time).toBeCloseTo(0.02 * lag, 12);
        expect(Math.abs(value! - curve[lag]!)).toBeLessThan(tolerance * curve[0]!);
        expect(Math.abs(coefficient! / factor - integrals[lag]!)).toBeLessThan(tolerance * most);
      });
    };
    expectRows('sacf.csv', known.sacf, known.volume / temperature);
    // Every flux that has all lags before it is an origin.
    const flux = known.heat.map((row) => row.map((j) => j / known.volume));
    const origins = flux
      .slice(20)
      .map((now, k) =>
        Array.from({ length: 21 }, (_, lag) =>
          now.reduce((sum, j, axis) => sum + (j * flux[20 + k - lag]![axis]!) / 3, 0),
        ),
      );
    const heat = Array.from(
      { length: 21 },
      (_, lag) => origins.reduce((sum, products) => sum + products[lag]!, 0) / origins.length,
    );
    expectRows('heat.csv', heat, known.volume / temperature ** 2);
  });
});
