// What frames cost a run: the melt of in.lj with a frame every so many steps beside the same run without, and LAMMPS' dump.
//
//   npx tsx bench/output.ts [atoms, default 32000] [--every 100] [--intervals 10] [--warm 2] [--threads 2] [--backend cpu] [--rounds 5]
//                           [--formats lammps_dump,gsd,xtc,extended_xyz,copies]
//   npx tsx bench/output.ts --device        1,048,576 atoms on WebGPU, every 1,000 steps, --formats copies,gsd,lammps_dump: a minute on a large GPU
//
// `copies` reads as much of the particles as a GSD file takes and drops it: what is left of a frame's cost without its file. A round makes each run once; ratios are taken within a round. Intervals between frames are counted, but for the first ones, in which
// kernels are compiled and lists learned. The first number is the time of the steps: from the row of the table after the first
// intervals to the last, as rows arrive, so that a device is measured and not the host, which is ahead of it. The second ends when
// all files are closed and on the disk (fsync, which LAMMPS does not ask for). Frames have positions and velocities (xtc: positions).
// Beside it stands how many seconds after the last step that is, more than without frames. The third is processor time until then, of
// all threads: how many steps a frame costs. On a busy machine take frames close together, --every 1 --intervals 60 --warm 20
// --threads 1: then frames are most of the time, and a frame every 100 steps costs so many percent.
// LAMMPS runs on one core: of many atoms few steps, with frames every ten, from which the cost of a frame every so many is told.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defineOperator, loadSimulation, runSimulation } from '@corpuscle/core';
import { contextOf, createRegistry, gridKey } from '@corpuscle/operators';
import { copyParticles, createExecutionContext, whenDone } from '@corpuscle/patterns';
import { system } from './melt/system.js';
import { lammpsInput } from './peers/lammpsInput.js';
import { describeMachine } from './support/machine.js';
import { median, quantile } from './support/statistics.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    device: { type: 'boolean', default: false },
    every: { type: 'string' },
    intervals: { type: 'string', default: '10' },
    warm: { type: 'string' },
    threads: { type: 'string', default: '2' },
    backend: { type: 'string' },
    rounds: { type: 'string' },
    formats: { type: 'string' },
  },
});
const preset = options.device
  ? { atoms: 1_048_576, every: 1000, warm: 4, backend: 'webgpu', rounds: 2 }
  : { atoms: 32_000, every: 100, warm: 2, backend: 'cpu', rounds: 5 };
const backend = (options.backend ?? preset.backend) as 'cpu' | 'webgpu';
const rounds = Number(options.rounds ?? preset.rounds);
const formats = (
  options.formats ??
  (options.device ? 'copies,gsd,lammps_dump' : 'lammps_dump,gsd,xtc,extended_xyz')
).split(',');
const { density, temperature, rcut, skin, dt, seed } = system;
const repeat = Math.round(Math.cbrt(Number(positionals[0] ?? preset.atoms) / 4));
const atoms = 4 * repeat ** 3;
const every = Number(options.every ?? preset.every);
const intervals = Number(options.intervals);
const steps = every * intervals;
/** Steps left out at the beginning. */
const warm = every * Number(options.warm ?? preset.warm);
/** Steps between rows of the table, which are the clock. */
const rowEvery = every * Math.ceil(20 / every);
if (steps % rowEvery > 0 || warm % rowEvery > 0)
  throw new Error(`steps and warm steps must be multiples of ${rowEvery}`);
const threads = Number(options.threads);
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));

const writers: Readonly<Record<string, string>> = {
  lammps_dump: 'write_lammps_dump: { file: out, columns: [id, type, x, y, z, vx, vy, vz]',
  gsd: 'write_gsd: { file: out',
  xtc: 'write_xtc: { file: out',
  extended_xyz: 'write_extended_xyz: { file: out, fields: [pos, velo, id]',
  copies: 'copy_particles: { file: out',
};

const copies = defineOperator({
  name: 'copy_particles',
  doc: 'Copies what a GSD file takes, and drops it.',
  slots: {
    file: { type: 'string', required: true, doc: 'not written' },
    frequency: { type: 'integer', required: true, doc: 'steps between copies' },
  },
  every: 'frequency',
  requires: [gridKey],
  execute({ state }) {
    const blocks = ['position', 'type', 'id', 'velocity', 'mass', 'charge'];
    void whenDone(copyParticles(state.get(gridKey), contextOf(state), blocks));
  },
});

const yaml = (format: string | null): string => `
configuration: { units: lj, seed: ${seed} }
global: { dt: ${dt}, rcut_inc: ${skin}, end_iteration: ${steps}, thermo_frequency: ${rowEvery} }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: ${density}, repeat: [${repeat}, ${repeat}, ${repeat}], types: [A] }
  - init_temperature: { temperature: ${temperature} }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: ${rcut} }
${format ? `dump_data: [{ ${writers[format]}, frequency: ${every} } }]` : ''}
simulation: molecular_dynamics
`;

/** Steps a second, until they are made and until files are on the disk, and a second of processor time. */
interface Rates {
  readonly steps: number;
  readonly files: number;
  readonly processor: number;
  /** Seconds from the last row of the table until all files are complete. */
  readonly tail: number;
}

/** Seconds: of the clock, and of processors. */
const clocks = (): readonly [number, number] => {
  const { user, system } = process.cpuUsage();
  return [performance.now() / 1000, (user + system) / 1e6];
};

async function ours(format: string | null): Promise<Rates> {
  await using context = await createExecutionContext({ backend, threads });
  const file = join(folder, 'run.yaml');
  writeFileSync(file, yaml(format));
  const simulation = loadSimulation([file], { operators: createRegistry().add(copies) });
  /** When rows of the table arrived, by step. */
  const rows = new Map<number, readonly [number, number]>();
  await runSimulation(simulation, {
    context,
    outputDirectory: folder,
    older: 'replace',
    onMessage: (line) => {
      const step = /^\s*(\d+)\s/.exec(line)?.[1];
      if (step) rows.set(Number(step), clocks());
      else if (line.includes('waited')) console.log(line);
    },
  });
  const begin = rows.get(warm)!;
  const rate = (end: readonly [number, number], clock: 0 | 1) =>
    (steps - warm) / (end[clock] - begin[clock]);
  const end = clocks();
  const last = rows.get(steps)!;
  return {
    ...{ steps: rate(last, 0), files: rate(end, 0), processor: rate(end, 1) },
    tail: end[0] - last[0],
  };
}

/** What LAMMPS runs. */
const peer = atoms > 100_000 ? { steps: 20, every: 10 } : { steps, every };

/** Steps a second of LAMMPS, by the clock of its loop; null where it is not on the PATH. */
function lammps(isDumped: boolean): number | null {
  const dump = `dump 1 all custom ${peer.every} ${join(folder, 'lammps.dump')} id type x y z vx vy vz\n`;
  const input = lammpsInput({ repeat, threads, warmUp: 0, steps: peer.steps }).replace(
    `run ${peer.steps}`,
    `${isDumped ? dump : ''}run ${peer.steps}`,
  );
  const file = join(folder, 'in.lj');
  writeFileSync(file, input);
  try {
    const text = execFileSync('lmp', ['-sf', 'opt', '-log', 'none', '-in', file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(/([\d.]+) timesteps\/s/.exec(text.slice(text.lastIndexOf('Performance:')))?.[1]);
  } catch {
    return null;
  }
}

const costs = new Map<string, Rates[]>();
const sizes = new Map<string, number>();
const note = (name: string, without: Rates, rates: Rates): void => {
  const more = (which: keyof Rates) => 100 * (without[which] / rates[which] - 1);
  const all = {
    ...{ steps: more('steps'), files: more('files'), processor: more('processor') },
    tail: rates.tail - without.tail,
  };
  costs.set(name, [...(costs.get(name) ?? []), all]);
  console.log(
    `${name}: ${all.steps.toFixed(1)} % more time for the steps, ${all.files.toFixed(1)} % with files on the disk, ${all.tail.toFixed(2)} s after the last step`,
  );
};
await ours(null); // compiled once
for (let round = 0; round < rounds; round++) {
  const without = await ours(null);
  for (const format of formats) {
    note(format, without, await ours(format));
    if (format !== 'copies') sizes.set(format, statSync(join(folder, 'out')).size);
  }
  const plain = lammps(false);
  const dumped = plain && lammps(true);
  if (plain && dumped) {
    const cost = 100 * (plain / dumped - 1) * (peer.every / every);
    costs.set("LAMMPS' dump", [
      ...(costs.get("LAMMPS' dump") ?? []),
      { steps: cost, files: cost, processor: cost, tail: 0 },
    ]);
  }
}
console.log(describeMachine());
console.log(
  `${atoms} atoms, ${steps} steps, the first ${warm} not counted, a frame every ${every}, backend ${backend}, ${threads} threads (LAMMPS: one), ${rounds} rounds`,
);
for (const [name, found] of costs) {
  const bytes = sizes.get(name);
  const [made, onDisk] = (['steps', 'files'] as const).map((which) => {
    const numbers = found.map((one) => one[which]);
    const [low, middle, high] = [0.25, 0.5, 0.75].map((q) => quantile(numbers, q).toFixed(1));
    return `${middle!.padStart(6)} % (quartiles ${low} … ${high})`;
  });
  const [frame, onClock] = (['processor', 'steps'] as const).map((which) =>
    ((median(found.map((one) => one[which])) * every) / 100).toFixed(2),
  );
  const tail = `files are complete ${median(found.map((one) => one.tail)).toFixed(2)} s later after the last step`;
  const size = bytes ? `, ${(bytes / 2 ** 20 / (intervals + 1)).toFixed(2)} MiB a frame` : '';
  console.log(
    `${name.padEnd(14)} ${made} more time for the steps, ${onDisk} with files on the disk, a frame is ${onClock} steps by the clock and ${frame} of processor time, ${tail}${size}`,
  );
}
rmSync(folder, { recursive: true });
