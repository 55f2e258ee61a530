import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleScript } from './bundleScript.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const runner = fileURLToPath(new URL('./scriptRunner.ts', import.meta.url));

/** Begins the output of each script. */
const MARK = '─── script';

/** A TypeScript file and what stands after it on the command line. */
export interface Script {
  readonly file: string;
  readonly argument: string;
}

/**
 * Runs scripts on the built packages, as `tsx FILE ARGUMENT` does in the folder of the file, one after the other in one process: Node starts once, and
 * kernels that several need are compiled once.
 * @returns what each has printed.
 */
export async function runScripts(scripts: readonly Script[]): Promise<string[]> {
  const env = { ...process.env, CORPUSCLE_SOFTWARE_GPU: '1', NODE_OPTIONS: '' };
  const home = mkdtempSync(join(tmpdir(), 'corpuscle-scripts-'));
  try {
    const program = join(home, 'runner.mjs');
    await bundleScript(runner, program);
    const bundles = new Map<string, string>();
    for (const { file } of scripts)
      if (!bundles.has(file)) bundles.set(file, join(home, `${bundles.size}.mjs`));
    for (const [file, bundle] of bundles) await bundleScript(file, bundle);
    const list = scripts.map((script) => ({ ...script, bundle: bundles.get(script.file)! }));
    const argv = [program, MARK, JSON.stringify(list)];
    const { stdout } = await run(process.execPath, argv, { cwd: root, env });
    return stdout.split(`${MARK}\n`).slice(1);
  } finally {
    rmSync(home, { recursive: true });
  }
}
