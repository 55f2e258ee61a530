import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCheckpoint } from '@corpuscle/core';
import { afterAll, expect, it } from 'vitest';
import { meltYaml, Workplace } from '../support/runCli.js';
import { runs } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';

/*
 * A power cut leaves what the disk has. A run writes into an ext4 file system that lies in a file; the file is copied while it
 * does, the copy is mended as after a cut (its journal is played), and looked at:
 *
 *   run ─▶ ext4 ─▶ loop device ─▶ image ─ copy ─▶ e2fsck ─▶ debugfs ─▶ files
 *
 * It needs to mount, so CORPUSCLE_POWER_CUTS=60 asks for it; otherwise it makes two cuts (ten in the long form) where it may, and else none.
 */

const CUTS = Number(process.env.CORPUSCLE_POWER_CUTS ?? runs(2, 6));
const work = new Workplace();
const [image, mounted, cut] = ['disk.img', 'disk', 'cut.img'].map((name) => work.path(name));
const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8' });

function mount(): boolean {
  mkdirSync(mounted!);
  const made =
    run('truncate', '-s', '8M', image!).status === 0 &&
    run('mkfs.ext4', '-q', '-b', '1024', '-J', 'size=1', image!).status === 0 &&
    run('debugfs', '-V').status === 0;
  return made && run('mount', '-o', 'loop,commit=1', image!, mounted!).status === 0;
}
const isMounted = process.platform === 'linux' && process.getuid?.() === 0 && mount();
let running: ReturnType<typeof startCli> | undefined;
afterAll(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  if (isMounted) run('umount', mounted!);
  work.remove();
});

/** A file as it was at some moment: what is read twice, and has not changed between. */
async function atOneMoment(file: string): Promise<Buffer> {
  for (;;) {
    const [first, second] = [readFileSync(file), readFileSync(file)];
    if (first.equals(second)) return first;
    await sleep(1);
  }
}

it.skipIf(!isMounted)(
  'after a power cut no checkpoint is empty or torn, and tables have whole rows',
  async () => {
    work.write({
      'run.yaml': meltYaml({
        global: '{ dt: 0.001, end_iteration: 100000000, thermo_frequency: 10 }',
        dump_data: '\n  - checkpoint: { frequency: 60, keep: 3 }',
      }),
    });
    const argv = ['run', 'run.yaml', '--backend', 'cpu', '--threads', '1', '--output', mounted!];
    running = startCli(argv, { cwd: work.root });
    await running.printed(/\n +200 /);
    let checkpoints = 0;
    for (let k = 0; k < CUTS; k++) {
      await sleep(300 + 900 * Math.random());
      writeFileSync(cut!, await atOneMoment(image!));
      // 1: errors were mended. What a cut leaves in the journal is no error.
      expect(run('e2fsck', '-fy', cut!).status).toBeLessThanOrEqual(1);
      const found = work.path('found');
      rmSync(found, { recursive: true, force: true });
      mkdirSync(found);
      run('debugfs', '-R', `rdump / ${found}`, cut!);
      for (const name of readdirSync(found)) {
        if (/^checkpoint\..*ckpt$/.test(name)) {
          await readCheckpoint(`${found}/${name}`); // checks every byte
          checkpoints++;
        }
        if (!name.endsWith('.csv')) continue;
        const rows = readFileSync(`${found}/${name}`, 'utf8').split('\n').slice(0, -1);
        for (const row of rows) expect(row.split(',')).toHaveLength(13);
      }
    }
    expect(checkpoints).toBeGreaterThan(CUTS);
  },
  60_000 + 10_000 * CUTS,
);
