// The examples of all operators in another way beside one thread of the CPU in double precision: rows of their tables, 300 steps of each.
//
//   npx tsx bench/examples.ts [NAME …] [--way webgpu|ranks|threads] [--steps 300] [--repeat 10] [--software]
//
// The ways are a WebGPU device (the default), three ranks, and three threads.
// Software adapters take no series of steps in one dispatch: run it on a card when kernels of these have changed. --repeat gives
// examples with a lattice so many cells along each axis. It needs built packages, prints what differs, and ends with exit code 1 then.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string', default: '300' },
    repeat: { type: 'string' },
    way: { type: 'string', default: 'webgpu' },
    software: { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const cli = join(root, 'packages/cli/bin/corpuscle.js');
const docs = join(root, 'docs/operators');
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-examples-'));
/** Rows are compared up to this part of the steps: later ones differ since particles are chaotic. */
const EARLY = 1 / 3;
/** How examples run beside one thread, and the most by which rows may differ: relative; of what is smaller than `LEAST`, absolute. */
const ways: Readonly<Record<string, { readonly args: readonly string[]; readonly most: number }>> =
  {
    webgpu: { args: ['--backend', 'webgpu'], most: 2e-4 },
    ranks: { args: ['--backend', 'cpu', '--ranks', '3', '--threads', '1'], most: 1e-9 },
    threads: { args: ['--backend', 'cpu', '--threads', '3'], most: 1e-9 },
  };
const way = ways[options.way];
if (!way) throw new Error(`--way ${options.way}: there are ${Object.keys(ways).join(', ')}`);
const LEAST = 0.1;
const LONGEST = 60_000;

type Row = Readonly<Record<string, unknown>>;
interface Outcome {
  readonly code: number | null;
  readonly rows: readonly Row[];
}

function rowsIn(log: string): Row[] {
  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const events = lines.map((line) => JSON.parse(line));
  return events.filter(({ event }) => event === 'row');
}

function run(file: string, name: string, args: readonly string[]): Promise<Outcome> {
  const output = `${file}-${name}`;
  mkdirSync(output);
  const log = join(output, 'log.jsonl');
  writeFileSync(log, '');
  const every = Math.ceil(Number(options.steps) * EARLY);
  const set = [
    '--set',
    `global.end_iteration=${options.steps}`,
    '--set',
    `global.thermo_frequency=${every}`,
  ];
  const to = ['--output', output, '--log', log, '--overwrite', '--quiet'];
  const child = spawn(process.execPath, [cli, 'run', file, ...args, ...set, ...to], {
    env: { ...process.env, ...(options.software && { CORPUSCLE_SOFTWARE_GPU: '1' }) },
    stdio: 'ignore',
    timeout: LONGEST,
  });
  return new Promise((resolve) =>
    child.on('close', (code) => resolve({ code, rows: rowsIn(log) })),
  );
}

/** The largest difference of two rows, and where it is. */
function difference(row: Row, other: Row | undefined): readonly [number, string] {
  const all = Object.entries(row).flatMap(([name, value]): [number, string][] => {
    const its = other?.[name];
    if (typeof value !== 'number' || typeof its !== 'number')
      return typeof value === typeof its ? [] : [[Infinity, name]];
    // Energies are differences of large numbers.
    const scale = name.includes('energy') ? Number(row.kinetic_energy ?? value) : value;
    return [[Math.abs(value - its) / Math.max(LEAST, Math.abs(scale), Math.abs(value)), name]];
  });
  return all.reduce((most, one) => (one[0] > most[0] ? one : most), [0, '']);
}

const examples = readdirSync(docs)
  .filter((file) => positionals.length === 0 || positionals.includes(basename(file, '.md')))
  .flatMap((file) => {
    const [, text = ''] = /```yaml\n(.*?)```/s.exec(readFileSync(join(docs, file), 'utf8')) ?? [];
    if (!text.includes('simulation:') || !text.includes('end_iteration')) return [];
    const place = join(folder, `${basename(file, '.md')}.yaml`);
    const { repeat } = options;
    writeFileSync(
      place,
      repeat ? text.replace(/repeat: \[.*?\]/, `repeat: [${repeat}, ${repeat}, ${repeat}]`) : text,
    );
    return [place];
  });
let different = 0;
for (const file of examples) {
  const [one, other] = await Promise.all([
    run(file, 'one', ['--backend', 'cpu', '--precision', 'f64', '--threads', '1']),
    run(file, 'other', way.args),
  ]);
  const [most, where] = other.rows
    .slice(0, 2)
    .map((row, k) => difference(row, one.rows[k]))
    .reduce((a, b) => (b[0] > a[0] ? b : a), [0, '']);
  // What names a file that is not here says so on both.
  const isLike = other.code === one.code && (other.rows.length > 0 || other.code === 2);
  if (isLike && most <= way.most) continue;
  different++;
  console.log(
    `${basename(file, '.yaml')}: exit codes ${one.code} and ${other.code}, ${where} differs by ${most.toExponential(1)}`,
  );
}
console.log(`${examples.length - different} of ${examples.length} examples agree`);
rmSync(folder, { recursive: true });
process.exitCode = different > 0 ? 1 : 0;
