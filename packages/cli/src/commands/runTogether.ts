import type { Replicas } from '@corpuscle/patterns/replicas';
import { exitCode, exitCodeOf } from '../exitCodes.js';
import { formatError } from '../output/formatError.js';
import type { Streams } from '../Streams.js';
import { Interruption } from '../signals/Interruption.js';
import type { SharedRun } from './run.js';

/** How simulations are run together. */
interface TogetherOptions {
  readonly output: string;
  /** What is said of one of them before what it prints. */
  readonly nameOf: (k: number) => string;
}

/**
 * Runs the simulations of a matrix on one device. The first tells whether it takes steps that others can take with it. Then all go on side
 * by side, and what one prints appears when it ends; otherwise they are run one after the other.
 *
 * @returns the largest exit code; that of an interruption where there was one
 */
export async function runTogether(
  count: number,
  { output, nameOf }: TogetherOptions,
  streams: Streams,
  runOne: (k: number, shared: SharedRun, streams: Streams) => Promise<number>,
): Promise<number> {
  const { openReplicas } = await import('@corpuscle/patterns/replicas');
  await using replicas = await openReplicas(count);
  const interruption = new Interruption(output, (sentence) => streams.err(`${sentence}\n`));
  const codes: number[] = [];
  const run = async (k: number, isShared: boolean): Promise<void> => {
    let [out, err] = ['', ''];
    let hasJoined = false;
    const own: Replicas = {
      ...replicas,
      async context(options) {
        const context = await replicas.context(options);
        hasJoined = true;
        return context;
      },
    };
    const said: Streams = {
      ...streams,
      terminal: false,
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
    };
    try {
      codes[k] = await runOne(
        k,
        isShared ? { replicas: own, interruption } : { interruption },
        said,
      );
    } catch (error) {
      err += formatError(error);
      codes[k] = exitCodeOf(error);
    }
    if (isShared && !hasJoined) replicas.expectLess(1);
    streams.err(`${nameOf(k)}${err}`);
    streams.out(out);
  };
  try {
    const first = run(0, true);
    const isShared = await Promise.race([replicas.mayShare, first.then(() => false)]);
    const others = Array.from({ length: count - 1 }, (_, k) => k + 1);
    if (isShared) await Promise.all([first, ...others.map((k) => run(k, true))]);
    else {
      replicas.expectLess(count - 1);
      await first;
      for (const k of others) if (!interruption.signal.aborted) await run(k, false);
    }
  } finally {
    interruption.close();
  }
  return codes.includes(exitCode.interrupted) ? exitCode.interrupted : Math.max(...codes);
}
