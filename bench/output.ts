// What frames cost a run: the melt of in.lj with a frame every so many steps beside the same run without, and LAMMPS' dump.
//
//   npx tsx bench/output.ts [atoms, default 32000] [--every 100] [--intervals 10] [--warm 2] [--threads 2] [--backend cpu] [--rounds 5]
//                           [--formats lammps_dump,gsd,xtc,extended_xyz]
//
// A round makes each run once; ratios are taken within a round. Intervals between frames are counted, but for the first ones, in which
// kernels are compiled and lists learned. The first number is the time of the steps: from the row of the table after the first
// intervals to the last, as rows arrive, so that a device is measured and not the host, which is ahead of it. The second ends when
// all files are closed and on the disk (fsync, which LAMMPS does not ask for). Frames have positions and velocities (xtc: positions).
// The third is processor time until then, of all threads: how many steps a frame costs. On a busy machine take frames close together,
// --every 1 --intervals 60 --warm 20 --threads 1: then frames are most of the time, and a frame every 100 steps costs so many percent.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { system } from './melt/system.js';
import { lammpsInput } from './peers/lammpsInput.js';
import { describeMachine } from './support/machine.js';
import { median } from './support/statistics.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '100' },
    intervals: { type: 'string', default: '10' },
    warm: { type: 'string', default: '2' },
    threads: { type: 'string', default: '2' },
    backend: { type: 'string', default: 'cpu' },
    rounds: { type: 'string', default: '5' },
    formats: { type: 'string', default: 'lammps_dump,gsd,xtc,extended_xyz' },
  },
});
const { density, temperature, rcut, skin, dt, seed } = system;
const repeat = Math.round(Math.cbrt(Number(positionals[0] ?? 32_000) / 4));
const atoms = 4 * repeat ** 3;
const every = Number(options.every);
const intervals = Number(options.intervals);
const steps = every * intervals;
/** Steps left out at the beginning. */
const warm = every * Number(options.warm);
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
};

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
}

/** Seconds: of the clock, and of processors. */
const clocks = (): readonly [number, number] => {
  const { user, system } = process.cpuUsage();
  return [performance.now() / 1000, (user + system) / 1e6];
};

async function ours(format: string | null): Promise<Rates> {
  await using context = await createExecutionContext({ backend: options.backend, threads });
  const file = join(folder, 'run.yaml');
  writeFileSync(file, yaml(format));
  const simulation = loadSimulation([file], { operators: createRegistry() });
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
  return { steps: rate(rows.get(steps)!, 0), files: rate(end, 0), processor: rate(end, 1) };
}

/** The same of LAMMPS, by the clock of its loop; null where it is not on the PATH. */
function lammps(isDumped: boolean): number | null {
  const input = lammpsInput({ repeat, threads, warmUp: 0, steps }).replace(
    `run ${steps}`,
    `${isDumped ? `dump 1 all custom ${every} ${join(folder, 'lammps.dump')} id type x y z vx vy vz\n` : ''}run ${steps}`,
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

const formats = options.formats.split(',');
const costs = new Map<string, Rates[]>();
const sizes = new Map<string, number>();
const note = (name: string, without: Rates, rates: Rates): void => {
  const more = (which: keyof Rates) => 100 * (without[which] / rates[which] - 1);
  const all = { steps: more('steps'), files: more('files'), processor: more('processor') };
  costs.set(name, [...(costs.get(name) ?? []), all]);
};
await ours(null); // compiled once
for (let round = 0; round < Number(options.rounds); round++) {
  const without = await ours(null);
  for (const format of formats) {
    note(format, without, await ours(format));
    sizes.set(format, statSync(join(folder, 'out')).size);
  }
  const plain = lammps(false);
  const dumped = plain && lammps(true);
  if (plain && dumped)
    note(
      "LAMMPS' dump",
      { steps: plain, files: plain, processor: plain },
      { steps: dumped, files: dumped, processor: dumped },
    );
}
console.log(describeMachine());
console.log(
  `${atoms} atoms, ${steps} steps, the first ${warm} not counted, a frame every ${every}, backend ${options.backend}, ${threads} threads (LAMMPS: one), ${options.rounds} rounds`,
);
for (const [name, found] of costs) {
  const bytes = sizes.get(name);
  const [made, onDisk] = (['steps', 'files'] as const).map((which) => {
    const numbers = found.map((one) => one[which]);
    const range = `${Math.min(...numbers).toFixed(1)} … ${Math.max(...numbers).toFixed(1)}`;
    return `${median(numbers).toFixed(1).padStart(6)} % (${range})`;
  });
  const frame = (median(found.map(({ processor }) => processor)) * every) / 100;
  const size = bytes ? `, ${(bytes / 2 ** 20 / (intervals + 1)).toFixed(2)} MiB a frame` : '';
  console.log(
    `${name.padEnd(14)} ${made} more time for the steps, ${onDisk} with files on the disk, ${frame.toFixed(2)} steps of processor time a frame${size}`,
  );
}
rmSync(folder, { recursive: true });
