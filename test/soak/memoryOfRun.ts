import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { meltYaml, type Workplace } from '../support/runCli.js';
import { startCli } from '../support/spawnCli.js';

/** A run with a table, frames of three formats and checkpoints. */
export interface LongRun {
  readonly steps: number;
  /** Cells of the crystal along each axis, of 4 atoms each. */
  readonly repeat: number;
  /** Of the command, besides the file and its folder. */
  readonly options: readonly string[];
}

/** Most MiB in each half of a run. */
export interface MemoryOfRun {
  readonly code: number | null;
  readonly err: string;
  readonly seconds: number;
  /** Of the process. */
  readonly resident: readonly [number, number];
  /** Of all processes on a card of NVIDIA; 0 where there is none. */
  readonly device: readonly [number, number];
}

/** Makes a run with a thousand rows and frames, and looks at its memory. */
export async function memoryOfRun(
  work: Workplace,
  { steps, repeat, options }: LongRun,
): Promise<MemoryOfRun> {
  const every = steps / 1000;
  const name = `long-${repeat}`;
  work.write({
    [`${name}.yaml`]: meltYaml({
      global: `{ dt: 0.004, end_iteration: ${steps}, thermo_frequency: ${every} }`,
      setup_system: `
  - lattice: { structure: fcc, density: 0.8442, repeat: [${repeat}, ${repeat}, ${repeat}], types: [A] }
  - init_temperature: { temperature: 1.44 }`,
      dump_data: `
  - write_gsd: { file: a.gsd, frequency: ${every} }
  - write_lammps_dump: { file: a.dump, frequency: ${every} }
  - write_extended_xyz: { file: a.xyz, frequency: ${every} }
  - checkpoint: { frequency: ${20 * every} }`,
    }),
  });
  const begun = performance.now();
  const run = startCli(['run', `${name}.yaml`, ...options, '--output', name], { cwd: work.root });
  const resident: [number, number] = [0, 0];
  const device: [number, number] = [0, 0];
  let isOver = false;
  const ended = run.ended.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await sleep(200);
    const step = Number(/^ *(\d+) /.exec(run.out().trimEnd().split('\n').at(-1)!)?.[1] ?? 0);
    const half = step < steps / 2 ? 0 : 1;
    resident[half] = Math.max(resident[half], residentMiB(run.child.pid!));
    device[half] = Math.max(device[half], deviceMiB());
  }
  const { code, err } = await ended;
  return { code, err, seconds: (performance.now() - begun) / 1000, resident, device };
}

/** MiB of a process; 0 where it has just ended. */
function residentMiB(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

function deviceMiB(): number {
  try {
    const argv = ['--query-gpu=memory.used', '--format=csv,noheader,nounits'];
    return Number(execFileSync('nvidia-smi', argv, { encoding: 'utf8' }).split('\n')[0]);
  } catch {
    return 0;
  }
}
