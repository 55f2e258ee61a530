import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { exitCode } from '../exitCodes.js';
import { withoutOption } from '../program/withoutOption.js';
import type { Streams } from '../Streams.js';

/** How the simulations of a matrix are run side by side. */
interface JobOptions {
  /** How many at a time. */
  readonly jobs: number;
  /** Threads of each; default: the cores are shared between them. */
  readonly threads?: number | undefined;
  readonly output: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs the simulations of a matrix side by side, each by this command in a process of its own. What one prints appears when it ends.
 * A signal is passed on, and no other begins. Where this process is killed, they end as after SIGTERM.
 *
 * @param names their folders in the output folder
 * @returns the largest exit code; that of an interruption where there was one
 */
export async function runJobs(
  names: readonly string[],
  { jobs, threads, output }: JobOptions,
  streams: Streams,
): Promise<number> {
  const together = Math.min(jobs, names.length);
  const each = threads ?? Math.max(1, Math.floor(availableParallelism() / together));
  const argv = [...withoutOption(process.argv.slice(2), '--jobs'), '--threads', `${each}`];
  const running = new Set<ChildProcess>();
  let isStopped = false;
  const forward = (signal: NodeJS.Signals) => {
    isStopped = true;
    for (const child of running) child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  const codes: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < names.length && !isStopped) {
      const k = next++;
      const { code, out, err } = await runPoint([...argv, '--point', `${k}`], running);
      streams.err(`${k + 1} of ${names.length}: ${join(output, names[k]!)}\n${err}`);
      streams.out(out);
      codes.push(code);
    }
  };
  try {
    await Promise.all(Array.from({ length: together }, work));
  } finally {
    for (const signal of SIGNALS) process.off(signal, forward);
  }
  return codes.includes(exitCode.interrupted) || isStopped
    ? exitCode.interrupted
    : Math.max(...codes);
}

/** One of them, in a process that is known while it runs. */
function runPoint(
  argv: readonly string[],
  running: Set<ChildProcess>,
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const whole = [...process.execArgv, process.argv[1]!, ...argv];
  const child = spawn(process.execPath, whole, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  running.add(child);
  let [out, err] = ['', ''];
  child.stdout!.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      running.delete(child);
      if (code === null)
        err += `corpuscle: ${signal} has ended this simulation: files hold what was written before\n`;
      resolve({ code: code ?? exitCode.failed, out, err });
    });
  });
}
