import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { meltYaml, Workplace } from '../support/runCli.js';
import { itLong } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** Linux tells the memory of other processes. */
const itHere = process.platform === 'linux' ? itLong : it.skip;
const STEPS = Number(process.env.CORPUSCLE_STEPS ?? 500_000);
/** MiB by which the second half of a run may add to the first: the heap of JavaScript breathes. */
const MORE = 32;

itHere(
  `${STEPS} steps with a table, frames and checkpoints need no more memory at their end than in their middle`,
  async () => {
    const every = STEPS / 1000;
    work.write({
      'run.yaml': meltYaml({
        global: `{ dt: 0.004, end_iteration: ${STEPS}, thermo_frequency: ${every} }`,
        dump_data: `
  - write_gsd: { file: a.gsd, frequency: ${every} }
  - write_lammps_dump: { file: a.dump, frequency: ${every} }
  - write_extended_xyz: { file: a.xyz, frequency: ${every} }
  - checkpoint: { frequency: ${20 * every} }`,
      }),
    });
    const argv = ['run', 'run.yaml', '--backend', 'cpu', '--threads', '1', '--output', 'out'];
    const run = startCli(argv, { cwd: work.root });
    /** MiB that the process has, by halves of the run. */
    const most = [0, 0];
    let isOver = false;
    const ended = run.ended.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await sleep(200);
      const step = Number(/^ *(\d+) /.exec(run.out().trimEnd().split('\n').at(-1)!)?.[1] ?? 0);
      const half = step < STEPS / 2 ? 0 : 1;
      most[half] = Math.max(most[half]!, residentMiB(run.child.pid!));
    }
    expect((await ended).code).toBe(0);
    process.stderr.write(`${STEPS} steps: at most ${most.join(' and ')} MiB by halves\n`);
    expect(most[0]).toBeGreaterThan(50);
    expect(most[1]).toBeLessThan(most[0]! + MORE);
  },
  36_000_000,
);

/** MiB of a process; 0 where it has just ended. */
function residentMiB(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
