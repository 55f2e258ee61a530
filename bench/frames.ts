// What a frame costs, by windows of one run: those with a frame beside those around them without, and LAMMPS' dump by its own table
// of times. Neighbors in time see the same machine, so that some percent can be told where whole runs differ by more.
//
//   npx tsx bench/frames.ts [atoms, default 32000] [--every 100] [--frames 60] [--threads 2] [--formats gsd,lammps_dump]
//   npx tsx bench/frames.ts 1000000 --every 4 --frames 12 --threads 1        what a frame of a million atoms costs, in steps
//
// Frames have positions and velocities. A frame comes every `2 every` steps, so that each window of so many steps with one has a
// window without on both sides. More time by the clock is what a frame every `every` steps costs a run; processor time is that of all
// threads, in steps of all threads. The first tenth is not counted: lists are learned and kernels compiled there.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { system } from './melt/system.js';
import { lammpsInput } from './peers/lammpsInput.js';
import { describeMachine } from './support/machine.js';
import { median, quantile } from './support/statistics.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '100' },
    frames: { type: 'string', default: '60' },
    threads: { type: 'string', default: '2' },
    formats: { type: 'string', default: 'gsd,lammps_dump' },
  },
});
const { density, temperature, rcut, skin, dt, seed } = system;
const repeat = Math.round(Math.cbrt(Number(positionals[0] ?? 32_000) / 4));
const every = Number(options.every);
const frames = Number(options.frames);
const threads = Number(options.threads);
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));

const writers: Readonly<Record<string, string>> = {
  lammps_dump: 'write_lammps_dump: { file: out, columns: [id, type, x, y, z, vx, vy, vz]',
  gsd: 'write_gsd: { file: out',
  dcd: 'write_dcd: { file: out',
  xtc: 'write_xtc: { file: out',
  extended_xyz: 'write_extended_xyz: { file: out, fields: [pos, velo, id]',
};

const yaml = (format: string): string => `
configuration: { units: lj, seed: ${seed} }
global: { dt: ${dt}, rcut_inc: ${skin}, end_iteration: ${2 * every * frames}, thermo_frequency: ${every} }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: ${density}, repeat: [${repeat}, ${repeat}, ${repeat}], types: [A] }
  - init_temperature: { temperature: ${temperature} }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: ${rcut} }
dump_data: [{ ${writers[format]}, frequency: ${2 * every} } }]
simulation: molecular_dynamics
`;

/** Milliseconds when each row of the table came: by the clock, and of all threads. */
async function rowsOf(format: string): Promise<readonly (readonly [number, number])[]> {
  await using context = await createExecutionContext({ backend: 'cpu', threads });
  const file = join(folder, 'run.yaml');
  writeFileSync(file, yaml(format));
  const rows: [number, number][] = [];
  await runSimulation(loadSimulation([file], { operators: createRegistry() }), {
    context,
    outputDirectory: folder,
    older: 'replace',
    onMessage: (line) => {
      const { user, system } = process.cpuUsage();
      if (/^\s*\d+\s/.test(line)) rows.push([performance.now(), (user + system) / 1000]);
      else if (line.includes('waited')) console.log(line);
    },
  });
  return rows;
}

for (const format of options.formats.split(',')) {
  if (!writers[format]) throw new Error(`no format '${format}': ${Object.keys(writers)}`);
  const rows = await rowsOf(format);
  const windowAfter = (row: number, which: 0 | 1) => rows[row + 1]![which] - rows[row]![which];
  const costs = (which: 0 | 1) => {
    const found: { more: number; free: number }[] = [];
    for (let row = 2 * Math.ceil(frames / 10); row + 2 < rows.length; row += 2) {
      const free = (windowAfter(row - 1, which) + windowAfter(row + 1, which)) / 2;
      found.push({ more: windowAfter(row, which) - free, free });
    }
    const free = median(found.map((one) => one.free));
    const [least, middle, most] = [0.25, 0.5, 0.75].map((q) =>
      quantile(
        found.map(({ more }) => (100 * more) / free),
        q,
      ),
    );
    const steps = (middle! / 100) * every;
    return `${middle!.toFixed(1)} % (quartiles ${least!.toFixed(1)} … ${most!.toFixed(1)}), ${steps.toFixed(2)} of ${every} steps, which take ${free.toFixed(1)} ms`;
  };
  console.log(`${format}\n  by the clock:   ${costs(0)}\n  processor time: ${costs(1)}`);
}

/** LAMMPS on one core: what it says of output and of all else. */
function lammps(): string {
  const steps = every * Math.min(frames, 10);
  const dump = `dump 1 all custom ${every} ${join(folder, 'lammps.dump')} id type x y z vx vy vz\n`;
  const input = lammpsInput({ repeat, threads: 1, warmUp: 0, steps });
  const file = join(folder, 'in.lj');
  writeFileSync(file, input.replace(`run ${steps}`, `${dump}run ${steps}`));
  const text = execFileSync('lmp', ['-sf', 'opt', '-log', 'none', '-in', file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const last = text.slice(text.lastIndexOf('Loop time'));
  const loop = Number(/Loop time of ([\d.e+-]+)/.exec(last)?.[1]);
  const output = Number(/Output\s*\|\s*([\d.e+-]+)/.exec(last)?.[1]);
  const share = output / (loop - output);
  return `${(100 * share).toFixed(1)} %, ${(share * every).toFixed(2)} of ${every} steps, which take ${((1000 * (loop - output) * every) / steps).toFixed(1)} ms`;
}
try {
  console.log(`LAMMPS' dump, one core\n  by the clock:   ${lammps()}`);
} catch {
  console.log('LAMMPS is not on the PATH');
}
console.log(`${4 * repeat ** 3} atoms, ${frames} frames, ${threads} threads; ${describeMachine()}`);
rmSync(folder, { recursive: true });
