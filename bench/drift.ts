// Conservation in NVE: the melt with a force-shifted cutoff, 32,000 particles, f64 and mixed.
//
//   npx tsx bench/drift.ts [steps, default 2000] [--backend cpu] [--repeat 20] [--threads 2] [--precision f64,mixed] [--samples 200] [--write]
//
// Drift is the slope of the total energy a particle over time, by least squares, with its standard error; fluctuation the standard deviation about
// that line. The first tenth of the run, in which the crystal melts, is left out. Momentum is the largest component of
// the total over the root of the number of particles: rounding alone leaves about 1e-16 · √steps in f64.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { SharedHeap } from '@corpuscle/core';
import {
  createGrid,
  initTemperature,
  lattice,
  lennardJonesForce,
  molecularDynamics,
} from '@corpuscle/operators';
import {
  type BackendName,
  createExecutionContext,
  newestOnHost,
  type Precision,
} from '@corpuscle/patterns';
import { particles, system } from './melt/system.js';
import { Report } from './support/Report.js';
import { table } from './support/table.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backend: { type: 'string', default: 'cpu' },
    repeat: { type: 'string', default: '20' },
    threads: { type: 'string', default: String(availableParallelism()) },
    precision: { type: 'string', default: 'f64,mixed' },
    samples: { type: 'string', default: '200' },
    write: { type: 'boolean', default: false },
  },
});
const steps = Number(positionals[0] ?? 2000);
const repeat = Number(options.repeat);
const backend = options.backend as BackendName;
const { density, temperature, rcut, skin, dt, seed } = system;

/** Slope, its standard error, and standard deviation about the line through (x, y). */
function line(
  x: readonly number[],
  y: readonly number[],
): { slope: number; error: number; deviation: number } {
  const mean = (of: readonly number[]) => of.reduce((sum, value) => sum + value, 0) / of.length;
  const [mx, my] = [mean(x), mean(y)];
  const sxx = mean(x.map((value) => (value - mx) ** 2));
  const slope = mean(x.map((value, k) => (value - mx) * (y[k]! - my))) / sxx;
  const deviation = Math.sqrt(mean(x.map((value, k) => (y[k]! - my - slope * (value - mx)) ** 2)));
  return { slope, error: deviation / Math.sqrt(sxx * x.length), deviation };
}

async function nve(precision: Precision): Promise<string[]> {
  const threads = Number(options.threads);
  const heap = new SharedHeap();
  await using ctx = await createExecutionContext({ backend, threads, precision, heap });
  const crystal = lattice({ structure: 'fcc', density, repeat: [repeat, repeat, repeat] });
  const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
  initTemperature(grid, { temperature, seed });
  const forces = [lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut, shift: 'force' })];
  const thermoFrequency = Math.max(1, Math.round(steps / Number(options.samples)));
  const start = performance.now();
  const { rows } = await molecularDynamics(grid, ctx, { forces, dt, steps, skin, thermoFrequency });
  const seconds = (performance.now() - start) / 1000;
  await newestOnHost(grid, ctx);
  const late = rows.filter(({ step }) => step >= steps / 10);
  const energies = late.map((row) => row.total_energy / grid.count);
  const { slope, error, deviation } = line(
    late.map(({ time }) => time),
    energies,
  );
  const change = slope * (late[late.length - 1]!.time - late[0]!.time);
  const momentum = ['vx', 'vy', 'vz'].map((name) =>
    Math.abs(grid.values(name).reduce((sum, v) => sum + v, 0)),
  );
  return [
    precision,
    `${slope.toExponential(2)} ± ${error.toExponential(0)}`,
    change.toExponential(2),
    deviation.toExponential(2),
    (Math.max(...momentum) / Math.sqrt(grid.count)).toExponential(2),
    (steps / seconds).toFixed(0),
  ];
}

const report = new Report(`drift: NVE of ${steps.toLocaleString('en')} steps`);
const rows: string[][] = [];
for (const precision of options.precision.split(',') as Precision[])
  rows.push(await nve(precision));
const count = particles({ repeat }).toLocaleString('en');
report.add(
  `${count} particles, density ${density}, T ${temperature} at the start, cutoff ${rcut} with force and energy shifted to zero, skin ${skin}, lists exact, dt ${dt}, ${backend === 'cpu' ? `${options.threads} threads` : backend}; energies a particle in ε, from step ${steps / 10} on.`,
);
report.add(
  table(
    ['precision', 'drift / τ', 'change by drift', 'fluctuation', 'momentum / √N', 'steps/s'],
    rows,
  ),
);
report.finish(options.write);
