import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatOf, readFrames } from '../support/frames.js';
import { meltYaml, type Workplace } from '../support/runCli.js';
import { startCli } from '../support/spawnCli.js';
import type { Try } from './soak.js';

/** Kills in one folder: files stay small enough to be read each time. */
const KILLS = 20;
const ARGV = ['run', 'h5md.yaml', '--backend', 'cpu', '--threads', '1', '--output'];

/** Steps of the frames of a file as another program finds them. */
export type StepsOf = (file: string) => Promise<readonly number[]>;

/**
 * A try is a run with an H5MD file that is killed and goes on, again and again: each time the file has every frame older than a
 * second, in order, with the positions of the text that was written beside it.
 * @param stepsOf another reader, which must find no fewer frames
 */
export function h5mdOnDisk(work: Workplace, stepsOf?: StepsOf): Try {
  work.write({
    'h5md.yaml': meltYaml({
      global: '{ dt: 0.001, end_iteration: 100000000, thermo_frequency: 50 }',
      dump_data: `
  - write_h5md: { file: a.h5md, frequency: 50 }
  - write_extended_xyz: { file: a.xyz, frequency: 50, fields: [pos, id] }
  - checkpoint: { frequency: 100 }`,
    }),
  });
  return async (kills, random, seed) => {
    const folder = `h5md-${seed}`;
    const file = work.path(`${folder}/a.h5md`);
    for (let k = 0; k < KILLS && kills.take(); k++) {
      const run = startCli([...ARGV, folder, '--restart'], { cwd: work.root });
      const rows = () => run.out().split('\n').length;
      while (rows() < 25) {
        assert.equal(run.child.exitCode, null, run.err());
        await sleep(20);
      }
      const old = Number(/^ *(\d+) /.exec(run.out().trimEnd().split('\n').at(-1)!)?.[1]);
      await sleep(1000 + 700 * random.next());
      run.child.kill('SIGKILL');
      await run.ended;
      const { frames } = await readFrames(formatOf('h5md'), file);
      const steps = frames.map(({ step }) => step!);
      assert.deepEqual(
        steps,
        steps.map((_, n) => 50 * n),
      );
      assert.ok(steps.at(-1)! >= old, `the frame of step ${old} is lost`);
      if (stepsOf) {
        const found = new Set(await stepsOf(file));
        assert.deepEqual(
          steps.filter((step) => !found.has(step)),
          [],
          'frames that the other reader does not find',
        );
      }
      const { frames: texts } = await readFrames(formatOf('extended_xyz'), shortened(work, folder));
      for (let n = 0; n < Math.min(texts.length, steps.length); n += 7)
        assert.deepEqual(frames[n]!.position, texts[n]!.position);
      kills.survived();
    }
  };
}

/** The complete frames of the text. */
function shortened(work: Workplace, folder: string): string {
  const lines = readFileSync(work.path(`${folder}/a.xyz`), 'utf8').split('\n');
  const whole = Math.floor((lines.length - 1) / 258);
  const name = `${folder}-whole.xyz`;
  work.write({ [name]: `${lines.slice(0, 258 * whole).join('\n')}\n` });
  return work.path(name);
}
