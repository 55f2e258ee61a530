import { createInterface } from 'node:readline';
import { startCli } from '../support/spawnCli.js';

/** How a run ended, and what it had printed. */
export interface KilledRun {
  /** The exit code, null where it was killed. */
  readonly code: number | null;
  readonly err: string;
  /** Steps of rows that were printed more than a second before the kill. */
  readonly settled: readonly number[];
}

/** When a run is killed: so many milliseconds after it was started, or after its first row. */
export interface Moment {
  readonly after: number;
  readonly since: 'start' | 'first row';
}

/** Runs the command in a folder, and kills it at a moment, if there is one and the run has not ended before. */
export async function killRun(
  cwd: string,
  argv: readonly string[],
  moment?: Moment,
): Promise<KilledRun> {
  const run = startCli(['run', ...argv], { cwd });
  const printed: { readonly step: number; readonly at: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let killedAt = 0;
  const begin = () => {
    if (!moment) return;
    timer = setTimeout(() => {
      killedAt = performance.now();
      run.child.kill('SIGKILL');
    }, moment.after);
  };
  if (moment?.since === 'start') begin();
  createInterface({ input: run.child.stdout! }).on('line', (line) => {
    const step = /^ +(\d+) +-?\d/.exec(line)?.[1];
    if (!step) return;
    printed.push({ step: Number(step), at: performance.now() });
    if (printed.length === 1 && moment?.since === 'first row') begin();
  });
  const { code, err } = await run.ended;
  clearTimeout(timer);
  const old = printed.filter(({ at }) => at < killedAt - 1000);
  return { code, err, settled: old.map(({ step }) => step) };
}
