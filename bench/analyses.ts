// What a frame of each analysis costs: runs of the Lennard-Jones melt, first without it and then with it, in one process.
//
//   npx tsx bench/analyses.ts [atoms …, default 2048] [--backend webgpu|cpu] [--threads N] [--only a,b] [--every 10] [--frames 30]
//
// A run has --frames pieces of --every steps without the analysis, and as many with one frame each. At the end of a piece the bench
// waits for the device and looks at the clock. The frame is the median of the pieces with it less the median of those without.
// "share" is that of a run with a frame every --every steps. Reads, KiB and dispatches are those of a frame, steps left out.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { defineOperator, loadSimulation, runSimulation } from '@corpuscle/core';
import { contextOf, createRegistry, gridKey } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backend: { type: 'string', default: 'webgpu' },
    threads: { type: 'string' },
    only: { type: 'string', default: '' },
    every: { type: 'string', default: '10' },
    frames: { type: 'string', default: '30' },
  },
});
const backend = options.backend === 'cpu' ? 'cpu' : 'webgpu';
const every = Number(options.every);
const frames = Number(options.frames);
/** Pieces before those that count: lists settle, and kernels are compiled. */
const WARM = 20;
/** The first piece with a frame, and how many of these compile and are not counted. */
const FIRST = WARM + frames;
const COMPILING = 5;
const steps = (FIRST + COMPILING + frames) * every;

const analyses: Readonly<Record<string, string>> = {
  radial_distribution: 'r_max: 3.0, bins: 100, file: a.csv',
  coordination: 'group_a: all, switch: { r_0: 1.3, d_max: 2.0 }, file: a.csv',
  coordination_histogram: 'group_a: all, switch: { r_0: 1.3, d_max: 2.0 }, max: 20, file: a.csv',
  structure_factor: 'q_max: 15.0, bins: 50, vectors: 30, file: a.csv',
  mean_square_displacement: 'origins: 4, lags: 20, file: a.csv',
  velocity_autocorrelation: 'origins: 4, lags: 20, file: a.csv',
  stress_autocorrelation: 'lags: 20, file: a.csv',
  heat_flux_autocorrelation: 'lags: 20, file: a.csv',
  profile: 'axis: z, bins: 50, file: a.csv',
  particle_stress: 'file: a.csv',
  clusters: 'cutoff: 1.2, file: a.csv',
  common_neighbors: 'cutoff: 1.4, file: a.csv',
  centro_symmetry: 'cutoff: 2.0, file: a.csv',
  steinhardt: 'nearest: 12, cutoff: 2.0, file: a.csv',
  averages: 'columns: [temperature, pressure], file: a.csv',
  grid_histogram: 'field: density, low: 0, high: 2, file: a.csv',
  grid_projection: 'fields: [density, temperature], file: a.vti',
  cc_label: 'field: density, threshold: 0.5, file: a.csv',
};
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));

interface Look {
  readonly at: number;
  readonly reads: number;
  readonly bytes: number;
  readonly dispatches: number;
}
let looks: Look[] = [];

const look = defineOperator({
  name: 'look',
  doc: 'Waits for the device and notes time and counters.',
  slots: { every: { type: 'integer', required: true, doc: 'steps between looks' } },
  every: 'every',
  async execute({ state }) {
    const { device } = contextOf(state);
    await device?.finished();
    const counters = device?.counters;
    looks.push({
      at: performance.now(),
      reads: counters?.downloads ?? 0,
      bytes: counters?.downloadedBytes ?? 0,
      dispatches: counters?.dispatches ?? 0,
    });
  },
});

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** Medians over pieces, from one look to the next. */
function pieces(from: number, to: number, what: keyof Look): number {
  const each = looks.slice(from, to).map((one, k) => looks[from + k + 1]![what] - one[what]);
  return median(each);
}

async function run(atoms: number, name: string, slots: string): Promise<void> {
  const cells = Math.round(Math.cbrt(atoms / 4));
  const threads = options.threads ? { threads: Number(options.threads) } : {};
  await using context = await createExecutionContext({ backend, ...threads });
  const file = join(folder, 'run.yaml');
  writeFileSync(
    file,
    `
configuration: { units: lj, seed: 87287 }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: ${steps} }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [${cells}, ${cells}, ${cells}], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
dump_data:
  - ${name}: { every: ${every}, from: ${(FIRST + 1) * every}, ${slots} }
  - look: { every: ${every} }
simulation: molecular_dynamics
`,
  );
  looks = [];
  const simulation = loadSimulation([file], { operators: createRegistry().add(look) });
  const { state } = await runSimulation(simulation, { context, outputDirectory: folder });
  // The run may look at its first state too, so that pieces are counted from the end.
  const last = looks.length - 1;
  const begin = last - COMPILING - 2 * frames;
  const cost = (what: keyof Look) =>
    pieces(last - frames, last, what) - pieces(begin, begin + frames, what);
  const bare = pieces(begin, begin + frames, 'at');
  const frame = cost('at');
  console.log(
    [
      `${state.get(gridKey).count} atoms`,
      name.padEnd(26),
      `${frame.toFixed(3)} ms a frame`.padStart(18),
      `${(bare / every).toFixed(3)} ms a step`,
      `share ${((100 * frame) / (frame + bare)).toFixed(0)} %`,
      `${cost('reads')} reads of ${(cost('bytes') / 1024).toFixed(1)} KiB`,
      `${cost('dispatches')} dispatches`,
    ].join(' | '),
  );
}

const wanted = options.only.split(',').filter(Boolean);
console.log(`${backend}, a frame every ${every} steps, medians of ${frames}`);
for (const atoms of positionals.length > 0 ? positionals.map(Number) : [2048])
  for (const [name, slots] of Object.entries(analyses)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await run(atoms, name, slots).catch((error: Error) => {
      console.log(`${name}: ${error.message}`);
    });
  }
rmSync(folder, { recursive: true });
