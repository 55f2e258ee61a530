// The most resident memory of a run of 1,000,188 particles, set up and stepped by the built command.
//
//   pnpm run build && npx tsx bench/memory.ts [--repeat 63] [--steps 20] [--precision f64,mixed] [--threads 2] [--write]
//
// Twenty steps melt the crystal and rebuild the lists several times. The least there can be: positions, velocities and
// forces in f64 with list and sort buffers, beside what Node itself takes (the row of 500 particles).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { particles, system } from './melt/system.js';
import { Report } from './support/Report.js';
import { table } from './support/table.js';

const { values: options } = parseArgs({
  options: {
    repeat: { type: 'string', default: '63' },
    steps: { type: 'string', default: '20' },
    precision: { type: 'string', default: 'f64,mixed' },
    threads: { type: 'string', default: String(availableParallelism()) },
    write: { type: 'boolean', default: false },
  },
});
const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
if (!existsSync(path('packages/cli/dist/main.js')))
  throw new Error('build the command first: pnpm run build');
const { density, rcut, skin } = system;
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));
// The command itself, with a last line that says how much memory its process took at most (in KiB).
const measured = join(folder, 'measured.mjs');
const command = pathToFileURL(path('packages/cli/bin/corpuscle.js')).href;
writeFileSync(
  measured,
  `process.on('exit', () => console.log('maxRSS ' + process.resourceUsage().maxRSS));\nawait import('${command}');\n`,
);

function residentBytes(repeat: number, precision: string): number {
  const set = [
    `setup_system.0.lattice.repeat=[${repeat}, ${repeat}, ${repeat}]`,
    `global.end_iteration=${options.steps}`,
    `global.rcut_inc=${skin}`,
  ].flatMap((one) => ['--set', one]);
  const run = ['run', path('examples/01-lj-melt.yaml'), ...set, '--backend', 'cpu'];
  const rest = ['--precision', precision, '--threads', options.threads, '--output', folder];
  const out = execFileSync(process.execPath, [measured, ...run, ...rest], { encoding: 'utf8' });
  return 1024 * Number(/^maxRSS (\d+)$/m.exec(out)?.[1]);
}

const report = new Report('memory: a million particles');
const repeat = Number(options.repeat);
const cases = options.precision.split(',').map((precision) => ({ precision, repeat }));
const small = 5;
const rows = [{ precision: 'f64', repeat: small }, ...cases].map((one) => {
  const bytes = residentBytes(one.repeat, one.precision);
  const count = particles(one);
  return [
    count.toLocaleString('en'),
    one.precision,
    (bytes / 2 ** 20).toFixed(0),
    one.repeat === small ? '–' : (bytes / count).toFixed(0),
  ];
});
rmSync(folder, { recursive: true });
report.add(
  `Density ${density}, cutoff ${rcut}, skin ${skin}, lists exact, ${options.threads} thread(s), ${options.steps} steps; the most resident memory of the whole process.`,
);
report.add(table(['particles', 'precision', 'MiB', 'bytes a particle'], rows));
report.finish(options.write);
