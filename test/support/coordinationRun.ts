import { readFileSync } from 'node:fs';
import { afterAll, afterEach } from 'vitest';
import { runCli, Workplace } from './runCli.js';

/** A workplace of a test file, for runs of the command on the CPU; `output` reads what they wrote. */
export function runsInWorkplace() {
  const work = new Workplace();
  afterEach(() => work.clear());
  afterAll(() => work.remove());
  return {
    work,
    run(text: string, files: Readonly<Record<string, string>>, ...argv: string[]) {
      work.write({ 'run.yaml': text, ...files });
      const command = ['run', work.path('run.yaml'), '--output', work.root, '--backend', 'cpu'];
      return runCli([...command, ...argv]);
    },
    output: (name: string) => readFileSync(work.path(name), 'utf8'),
  };
}
