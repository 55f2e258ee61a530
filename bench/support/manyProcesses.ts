import { type ChildProcess, spawn } from 'node:child_process';

/** Rates that so many processes of a script reach at the same time; each prints `ready`, waits for a line, and prints its rate. */
export async function manyProcesses(
  count: number,
  script: string,
  args: readonly string[],
): Promise<readonly number[]> {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, [...process.execArgv, script, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  const lines = children.map(linesOf);
  await Promise.all(lines.map((next) => next()));
  for (const child of children) child.stdin!.write('go\n');
  const rates = await Promise.all(lines.map((next) => next()));
  return rates.map(Number);
}

function linesOf(child: ChildProcess): () => Promise<string> {
  let text = '';
  let told = () => {};
  child.stdout!.on('data', (data) => {
    text += data;
    told();
  });
  child.on('exit', () => told());
  return async () => {
    for (;;) {
      const end = text.indexOf('\n');
      if (end >= 0) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        return line;
      }
      if (child.exitCode !== null) throw new Error(`a process ended with ${child.exitCode}`);
      await new Promise<void>((resolve) => {
        told = resolve;
      });
    }
  };
}
