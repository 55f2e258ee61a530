import { execFileSync, spawn } from 'node:child_process';
import type { Ended } from './spawnCli.js';

/** How long processes may take, in milliseconds: ranks that wait for one that is lost would wait for ever. */
const PATIENCE = 540_000;

/** Ranks that wait leave the processor to others: there are tests beside these. */
export const WAITING = { OMPI_MCA_mpi_yield_when_idle: '1' };

/** The launcher with what lets root start more processes than there are cores; null where there is no MPI. */
function findLauncher(): readonly string[] | null {
  try {
    const text = execFileSync('mpirun', ['--version'], { encoding: 'utf8' });
    const isOpenMpi = text.includes('Open MPI') || text.includes('OpenRTE');
    return ['mpirun', ...(isOpenMpi ? ['--allow-run-as-root', '--oversubscribe'] : [])];
  } catch {
    return null;
  }
}

/** Starts a program of Node on so many ranks, and waits for its end. */
export function mpirun(
  ranks: number,
  argv: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const launcher = findLauncher();
  if (!launcher) throw new Error('there is no mpirun: apt-get install openmpi-bin');
  const [program, ...options] = launcher;
  const whole = [...options, '-n', `${ranks}`, process.execPath, ...argv];
  const env = { ...process.env, ...WAITING, ...environment };
  const child = spawn(program!, whole, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
    timeout: PATIENCE,
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, out, err }));
  });
}

/** Whether this machine has MPI. */
export const hasMpi = (): boolean => findLauncher() !== null;
