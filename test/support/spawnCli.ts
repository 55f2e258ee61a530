import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The command as users have it: built. */
export const binary = fileURLToPath(
  new URL('../../packages/cli/bin/corpuscle.js', import.meta.url),
);

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A command in its own process. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it has printed so far. */
  out(): string;
  err(): string;
  /** Waits until the output matches. */
  printed(pattern: RegExp): Promise<void>;
}

/** Starts the command; `shell` is a command line in which `"$@"` stands for it. */
export function startCli(
  argv: readonly string[],
  { shell, ...options }: SpawnOptions & { readonly shell?: string } = {},
): Running {
  const whole = [process.execPath, binary, ...argv];
  const [program, ...rest] = shell ? ['bash', '-c', shell, '-', ...whole] : whole;
  const child = spawn(program!, rest, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let out = '';
  let err = '';
  child.stdout?.on('data', (data) => {
    out += data;
  });
  child.stderr?.on('data', (data) => {
    err += data;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, out, err }));
  });
  return {
    child,
    ended,
    out: () => out,
    err: () => err,
    async printed(pattern) {
      while (!pattern.test(out)) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`it ended before it printed ${pattern}:\n${out}${err}`);
        await sleep(5);
      }
    },
  };
}
