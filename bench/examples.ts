// The examples of all operators in another way beside one thread of the CPU in double precision: rows of their tables, 300 steps of each.
//
//   npx tsx bench/examples.ts [NAME …] [--way webgpu|ranks|threads] [--steps 300] [--repeat 10] [--precision f32] [--seeds 1] [--together 1] [--software]
//
// The ways are a WebGPU device (the default), three ranks, and three threads. --precision is that of the device.
// Software adapters take no series of steps in one dispatch: run it on a card when kernels of these have changed. --repeat gives
// examples with a lattice so many cells along each axis. --seeds makes each with so many seeds, as a matrix, whose small systems share
// the device. --together: so many examples at a time. It needs built packages, prints what differs, and ends with exit code 1 then.
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
    precision: { type: 'string', default: 'f32' },
    seeds: { type: 'string', default: '1' },
    together: { type: 'string', default: '1' },
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
    webgpu: { args: ['--backend', 'webgpu', '--precision', options.precision], most: 2e-4 },
    ranks: { args: ['--backend', 'cpu', '--ranks', '3', '--threads', '1'], most: 1e-9 },
    threads: { args: ['--backend', 'cpu', '--threads', '3'], most: 1e-9 },
  };
const way = ways[options.way];
if (!way) throw new Error(`--way ${options.way}: there are ${Object.keys(ways).join(', ')}`);
const LEAST = 0.1;
const LONGEST = 60_000 * Number(options.seeds);

type Row = Readonly<Record<string, number>>;
interface Outcome {
  readonly code: number | null;
  /** Those of each seed. */
  readonly tables: readonly (readonly Row[])[];
}

function rowsIn(table: string): Row[] {
  const [names = [], ...lines] = readFileSync(table, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(','));
  return lines.map((values) =>
    Object.fromEntries(names.map((name, k) => [name, Number(values[k])])),
  );
}

function tablesIn(output: string): Row[][] {
  const tables = readdirSync(output, { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === 'thermo.csv')
    .sort();
  return tables.map((path) => rowsIn(join(output, path)));
}

function run(file: string, name: string, args: readonly string[]): Promise<Outcome> {
  const output = `${file}-${name}`;
  mkdirSync(output);
  const every = Math.ceil(Number(options.steps) * EARLY);
  const set = [
    '--set',
    `global.end_iteration=${options.steps}`,
    '--set',
    `global.thermo_frequency=${every}`,
  ];
  const to = ['--output', output, '--quiet'];
  const child = spawn(process.execPath, [cli, 'run', file, ...args, ...set, ...to], {
    env: { ...process.env, ...(options.software && { CORPUSCLE_SOFTWARE_GPU: '1' }) },
    stdio: 'ignore',
    timeout: LONGEST,
  });
  return new Promise((resolve) =>
    child.on('close', (code) => resolve({ code, tables: tablesIn(output) })),
  );
}

/** The largest difference of two rows, and where it is. */
function difference(row: Row, other: Row | undefined): readonly [number, string] {
  const all = Object.entries(row).map(([name, value]): [number, string] => {
    const its = other?.[name];
    if (its === undefined || Number.isNaN(value) !== Number.isNaN(its)) return [Infinity, name];
    if (Number.isNaN(value)) return [0, name];
    // Energies are differences of large numbers.
    const scale = name.includes('energy') ? (row.kinetic_energy ?? value) : value;
    return [Math.abs(value - its) / Math.max(LEAST, Math.abs(scale), Math.abs(value)), name];
  });
  return all.reduce((most, one) => (one[0] > most[0] ? one : most), [0, '']);
}

const examples = readdirSync(docs)
  .filter((file) => positionals.length === 0 || positionals.includes(basename(file, '.md')))
  .flatMap((file) => {
    const [, text = ''] = /```yaml\n(.*?)```/s.exec(readFileSync(join(docs, file), 'utf8')) ?? [];
    if (!text.includes('simulation:') || !text.includes('end_iteration')) return [];
    const { repeat, seeds } = options;
    const sized = repeat
      ? text.replace(/repeat: \[.*?\]/, `repeat: [${repeat}, ${repeat}, ${repeat}]`)
      : text;
    const place = join(folder, `${basename(file, '.md')}.yaml`);
    const isMatrix = Number(seeds) > 1 && !/^matrix:/m.test(text);
    writeFileSync(place, isMatrix ? `${sized}\nmatrix: { seed: 1..${seeds} }\n` : sized);
    return [place];
  });
let different = 0;
async function compare(file: string): Promise<void> {
  const [one, other] = await Promise.all([
    run(file, 'one', ['--backend', 'cpu', '--precision', 'f64', '--threads', '1']),
    run(file, 'other', way!.args),
  ]);
  const [most, where] = other.tables
    .flatMap((rows, table) =>
      rows.slice(0, 2).map((row, k) => difference(row, one.tables[table]?.[k])),
    )
    .reduce((a, b) => (b[0] > a[0] ? b : a), [0, '']);
  // What names a file that is not here says so on both.
  if (other.code === one.code && other.tables.length === one.tables.length && most <= way!.most)
    return;
  different++;
  console.log(
    `${basename(file, '.yaml')}: exit codes ${one.code} and ${other.code}, ${where} differs by ${most.toExponential(1)}`,
  );
}
const waiting = [...examples];
const inTurn = async () => {
  for (let file = waiting.shift(); file; file = waiting.shift()) await compare(file);
};
await Promise.all(Array.from({ length: Number(options.together) }, inTurn));
console.log(`${examples.length - different} of ${examples.length} examples agree`);
rmSync(folder, { recursive: true });
process.exitCode = different > 0 ? 1 : 0;
