import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';
import { formatOf, readFrames } from '../support/frames.js';
import { askPython, pythonWith } from '../support/oracles.js';
import { meltYaml, Workplace } from '../support/runCli.js';
import { itLong, runs } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';

const work = new Workplace();
afterAll(() => work.remove());

const TRIES = Number(process.env.CORPUSCLE_KILLS ?? runs(2, 6));
const argv = ['run', 'run.yaml', '--backend', 'cpu', '--threads', '1', '--output', 'out'];
const python = pythonWith('h5py');

/** Steps of the frames, as h5py finds them beside a writer; positions of all can be read. */
const script = `import sys, json, h5py
f = h5py.File(sys.argv[1], 'r', swmr=True)
p = f['particles/trajectory/position']
print('@json' + json.dumps([int(s) for s, x in zip(p['step'][:], p['value'][:]) if x.any()]))`;

itLong(
  `after each of ${TRIES} SIGKILLs an H5MD file has every frame older than a second, and goes on`,
  async () => {
    work.write({
      'run.yaml': meltYaml({
        global: '{ dt: 0.001, end_iteration: 100000000, thermo_frequency: 50 }',
        dump_data:
          '\n  - write_h5md: { file: a.h5md, frequency: 50 }\n  - write_extended_xyz: { file: a.xyz, frequency: 50, fields: [pos, id] }\n  - checkpoint: { frequency: 100 }',
      }),
    });
    const file = work.path('out/a.h5md');
    for (let k = 0; k < TRIES; k++) {
      const more = k % 20 === 0 ? ['--overwrite'] : ['--restart']; // files stay small enough to be read each time
      const run = startCli([...argv, ...more], { cwd: work.root });
      const rows = () => run.out().split('\n').length;
      while (rows() < 25) await sleep(20);
      const old = Number(/^ *(\d+) /.exec(run.out().trimEnd().split('\n').at(-1)!)?.[1]);
      await sleep(1000 + ((k * 977) % 700));
      run.child.kill('SIGKILL');
      await run.ended;
      const { frames } = await readFrames(formatOf('h5md'), file);
      const steps = frames.map(({ step }) => step!);
      expect(steps).toEqual(steps.map((_, n) => 50 * n));
      expect(steps.at(-1)!).toBeGreaterThanOrEqual(old);
      if (python)
        expect(askPython<number[]>(python, script, file)).toEqual(expect.arrayContaining(steps));
      // The same positions as in the text that was written beside.
      const { frames: texts } = await readFrames(formatOf('extended_xyz'), shortened());
      for (let n = 0; n < Math.min(texts.length, steps.length); n += 7)
        expect(frames[n]!.position).toEqual(texts[n]!.position);
    }
  },
  60_000 + 30_000 * TRIES,
);

/** The complete frames of the text. */
function shortened(): string {
  const lines = readFileSync(work.path('out/a.xyz'), 'utf8').split('\n');
  const whole = Math.floor((lines.length - 1) / 258);
  work.write({ 'whole.xyz': `${lines.slice(0, 258 * whole).join('\n')}\n` });
  return work.path('whole.xyz');
}
