// The time from typing the command to the first step of a run, with 4,000 particles: the built command in a new process.
//
//   pnpm run build && npx tsx bench/startup.ts [--rounds 10] [--write]
//
// The first step has been done when row 1 of the thermo table is printed. Beside it: what Node alone takes, and where the
// rest goes.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Report } from './support/Report.js';
import { median, quantile } from './support/statistics.js';
import { table } from './support/table.js';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
  },
});
const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const command = path('packages/cli/bin/corpuscle.js');
if (!existsSync(path('packages/cli/dist/main.js')))
  throw new Error('build the command first: pnpm run build');
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));

/** Milliseconds until the output matches, and until the process has ended. */
function time(args: readonly string[], until?: RegExp): Promise<{ first: number; end: number }> {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  let first = Number.NaN;
  child.stdout.on('data', (data) => {
    out += data;
    if (Number.isNaN(first) && until?.test(out)) first = performance.now() - start;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) reject(new Error(`${args.join(' ')} ended with ${code}: ${out}`));
      else resolve({ first, end: performance.now() - start });
    });
  });
}

const oneStep = ['--set', 'global.end_iteration=1', '--set', 'global.thermo_frequency=1'];
const run = [command, 'run', path('examples/01-lj-melt.yaml'), ...oneStep, '--backend', 'cpu'];
const cases: Record<string, () => Promise<number>> = {
  'node alone': async () => (await time(['-e', '0'])).end,
  'corpuscle --version, ended': async () => (await time([command, '--version'])).end,
  'first step done, 1 thread': async () => (await time([...run, '--threads', '1'], /^ *1 /m)).first,
  'first step done, all threads': async () => (await time(run, /^ *1 /m)).first,
  'run of one step ended': async () => (await time(run)).end,
};

const report = new Report('startup: from the command to the first step');
const names = Object.keys(cases);
const times = names.map((): number[] => []);
for (let round = 0; round < Number(options.rounds); round++)
  for (const [k, name] of names.entries()) times[k]!.push(await cases[name]!());
rmSync(folder, { recursive: true });
report.add(
  `4,000 particles (examples/01-lj-melt.yaml), density 0.8442, cutoff 2.5, skin 0.3, f64, lists exact; milliseconds, ${options.rounds} rounds.`,
);
const rows = names.map((name, k) => {
  const of = times[k]!;
  return [name, ...[Math.min(...of), median(of), quantile(of, 0.9)].map((ms) => ms.toFixed(0))];
});
report.add(table(['', 'least', 'median', '90 %'], rows));
report.finish(options.write);
