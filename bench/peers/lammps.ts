import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lammpsInput, lammpsRate } from './lammpsInput.js';
import type { PeerOrReason } from './Peer.js';

/** `lmp -sf opt` on one MPI rank a thread, when both programs are on the PATH. */
export function lammps(threads: number): PeerOrReason {
  let version: string;
  try {
    const help = execFileSync('lmp', ['-h'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    version = /Simulator - (.*)/.exec(help)?.[1]?.trim() ?? 'unknown version';
    if (threads > 1) execFileSync('mpirun', ['--version'], { stdio: 'ignore' });
  } catch {
    return { missing: `lmp${threads > 1 ? ' or mpirun' : ''} is not on the PATH: LAMMPS left out` };
  }
  const ranks = ['mpirun', '--oversubscribe', '--allow-run-as-root', '-np', String(threads)];
  const run: Extract<PeerOrReason, { peer: unknown }>['peer']['run'] = (melt) => {
    const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));
    const file = join(folder, 'in.lj');
    writeFileSync(file, lammpsInput(melt));
    const program = ['lmp', '-sf', 'opt', '-log', 'none', '-in', file];
    const [command, ...args] = threads > 1 ? [...ranks, ...program] : program;
    try {
      const env = { ...process.env, OMP_NUM_THREADS: '1' };
      return lammpsRate(
        execFileSync(command!, args, {
          encoding: 'utf8',
          env,
          stdio: ['ignore', 'pipe', 'ignore'],
        }),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  return { peer: { name: `lmp -sf opt (${version})`, run } };
}
