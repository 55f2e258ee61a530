import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { meltYaml, Workplace } from '../support/runCli.js';
import { runs } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** `test:long` makes 25, `test:soak` 200. */
const TRIES = Number(process.env.CORPUSCLE_KILLS ?? runs(2, 10));
const argv = ['run', 'run.yaml', '--backend', 'cpu', '--threads', '1', '--output', 'out'];

/** The step of a row of the table on the terminal. */
const stepOf = (row: string): number => Number(/^ *(\d+) /.exec(row)?.[1] ?? Number.NaN);

it(
  `after each of ${TRIES} SIGKILLs every row printed more than a second before is on disk, and complete`,
  async () => {
    work.write({
      'run.yaml': meltYaml({
        global: '{ dt: 0.001, end_iteration: 100000000, thermo_frequency: 1 }',
        dump_data:
          '\n  - write_extended_xyz: { file: frames.xyz, frequency: 10, fields: [pos, id] }',
      }),
    });
    for (let k = 0; k < TRIES; k++) {
      const run = startCli([...argv, '--overwrite'], { cwd: work.root });
      const printed: { readonly at: number; readonly step: number }[] = [];
      run.child.stdout!.on('data', () => {
        const step = stepOf(run.out().trimEnd().split('\n').at(-1)!);
        if (!Number.isNaN(step)) printed.push({ at: performance.now(), step });
      });
      await run.printed(/\n +0 /);
      await sleep(200 + ((1300 + k * 977) % 1900)); // spread over two seconds
      run.child.kill('SIGKILL');
      const killed = performance.now();
      await run.ended;
      const table = readFileSync(work.path('out/thermo.csv'), 'utf8');
      expect(table.endsWith('\n')).toBe(true);
      const rows = table.trimEnd().split('\n');
      for (const [line, row] of rows.entries()) {
        expect(row.split(',')).toHaveLength(13);
        if (line > 0) expect(Number(row.split(',')[0])).toBe(line - 1);
      }
      const old = printed.findLast(({ at }) => at < killed - 1000)?.step ?? -1;
      expect(rows.length - 2).toBeGreaterThanOrEqual(old);
      const lines = readFileSync(work.path('out/frames.xyz'), 'utf8').split('\n');
      const whole = Math.floor((lines.length - 1) / 258);
      expect(whole).toBeGreaterThan(Math.floor(old / 10));
    }
  },
  60_000 + 10_000 * TRIES,
);
