/**
 * Coordination numbers, value + derivatives + box derivatives, at water's density of atoms (33.4 nm⁻³, R_0 0.3, D_MAX 0.6),
 * all particles with all:
 *
 *   npx tsx bench/coordination.ts [counts, default 1000 10000 50000] [--backend webgpu] [--precision f64] [--endless]
 *
 *     [--rounds 30] [--only-all-pairs] [--no-twin] [--write]
 *
 * Every frame is evaluated anew, from positions that have moved, and awaited. `--endless` adds a switch without D_MAX.
 * PLUMED on one core of the project's machine takes 25 ms (10,000) and 129 ms (50,000) with cell lists made every step, and
 * 7.8 ms for all pairs of 1,000. On WebGPU the twin in CUDA (cuda/coordination.cu) is built where there is nvcc, and timed after
 * ours.
 */
import { parseArgs } from 'node:util';
import { Domain, Grid } from '@corpuscle/core';
import { CoordinationNumber, type SwitchOptions } from '@corpuscle/operators';
import {
  cellFunctor,
  computeCellParticles,
  createExecutionContext,
  type ExecutionContext,
  type Precision,
} from '@corpuscle/patterns';
import { cudaTwin } from './support/cudaTwin.js';
import { Report } from './support/Report.js';
import { median } from './support/statistics.js';
import { table } from './support/table.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backend: { type: 'string', default: 'cpu' },
    precision: { type: 'string' },
    endless: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '30' },
    'only-all-pairs': { type: 'boolean', default: false },
    'no-twin': { type: 'boolean', default: false },
  },
});
const DENSITY = 33.4;
/** Errors of a switch without an end are told up to here. */
const MOST_ENDLESS = 20_000;
/** All pairs are measured up to here. */
const MOST_ALL_PAIRS = { cpu: 10_000, webgpu: 200_000 };
const backend = options.backend === 'webgpu' ? 'webgpu' : 'cpu';
const precision = (options.precision ?? (backend === 'cpu' ? 'f64' : 'f32')) as Precision;
const counts = positionals.length > 0 ? positionals.map(Number) : [1_000, 10_000, 50_000];

const near: SwitchOptions = { type: 'rational', r0: 0.3, dMax: 0.6 };
const endless: SwitchOptions = { type: 'rational', r0: 0.3 };

/** Moves every particle a little; no pair changes. */
const stir = cellFunctor(
  { name: 'stir', fields: { rx: 'real' }, params: { by: 'real' } },
  (i, p) => {
    i.rx += p.by;
  },
);

const report = new Report(
  `coordination: value, derivatives and box derivatives on ${backend}`,
  backend === 'cpu' ? 'CPU' : 'GPU',
);
const rows: string[][] = [];
for (const count of counts) {
  const expected = await reference(count, near);
  await using ctx = await createExecutionContext({ backend, precision, threads: 1 });
  const grid = liquid(ctx, count);
  if (count <= MOST_ALL_PAIRS[backend]) {
    await measure(ctx, grid, { name: 'all pairs', path: 'all_pairs' }, near, expected);
    if (options.endless) {
      const known = count <= MOST_ENDLESS ? await reference(count, endless) : null;
      await measure(ctx, grid, { name: 'all pairs', path: 'all_pairs' }, endless, known);
    }
  }
  if (!options['only-all-pairs'])
    for (const path of ['cell_lists', 'neighbor_lists'] as const)
      await measure(ctx, grid, { name: path.replace('_', ' '), path }, near, expected);
  grid.free();
}
report.add(
  `${precision}${backend === 'cpu' ? ', one thread' : ''}; density ${DENSITY}, r_0 0.3, d_max 0.6; best and median of ${options.rounds} frames, processor time of the best; cell lists are made in every frame, neighbor lists last (skin chosen by itself).`,
);
report.add(
  table(['particles', 'path', 'ms', 'median', 'CPU ms', 'kernels ms', 'value', 'error'], rows),
);
if (backend === 'webgpu') report.add(twinText());
report.finish(options.write);

/** What the twin in CUDA prints, or why it is left out. */
function twinText(): string {
  const twin = options['no-twin'] ? 'it was not asked for' : cudaTwin('coordination');
  if (typeof twin === 'string') return `CUDA twin left out: ${twin}.`;
  const its = twin.run(counts.map(String));
  twin.close();
  return typeof its === 'string' ? `CUDA twin left out: ${its}.` : `\`\`\`\n${its.printed}\n\`\`\``;
}

interface Way {
  readonly name: string;
  readonly path: 'all_pairs' | 'cell_lists' | 'neighbor_lists';
}

async function measure(
  ctx: ExecutionContext,
  grid: Grid,
  { name, path }: Way,
  switching: SwitchOptions,
  expected: number | null,
): Promise<void> {
  const number = new CoordinationNumber(ctx, { groupA: 'all', switch: switching, path });
  const times: number[] = [];
  const processor: number[] = [];
  let value = 0;
  let frames = 0;
  const frame = async () => {
    computeCellParticles(grid, stir, ctx, { params: { by: frames++ % 2 === 0 ? 1e-4 : -1e-4 } });
    await ctx.device?.finished();
    const cpu = process.cpuUsage();
    const start = performance.now();
    ({ value } = await number.evaluate(grid));
    const time = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    return [time, (user + system) / 1000] as const;
  };
  for (let k = 0; k < 8; k++) await frame();
  const end = performance.now() + 10_000;
  for (let k = 0; k < Number(options.rounds) && performance.now() < end; k++) {
    const [time, own] = await frame();
    times.push(time);
    processor.push(own);
  }
  const device = ctx.backend === 'webgpu' ? await deviceTime(ctx, frame) : '–';
  number.close();
  rows.push([
    String(grid.count),
    switching.dMax === undefined ? `${name}, no d_max` : name,
    Math.min(...times).toFixed(2),
    median(times).toFixed(2),
    Math.min(...processor).toFixed(2),
    device,
    value.toPrecision(9),
    expected === null ? '–' : Math.abs(value / expected - 1).toExponential(1),
  ]);
  console.error(rows.at(-1)!.join('  '));
}

/** Milliseconds of all kernels of a frame, by the device's time stamps. */
async function deviceTime(ctx: ExecutionContext, frame: () => Promise<unknown>): Promise<string> {
  const gpu = ctx.device;
  if (!gpu) return '–';
  gpu.startProfile();
  const before = new Map(
    (await gpu.profile()).kernels.map(({ label, milliseconds }) => [label, milliseconds]),
  );
  for (let k = 0; k < 5; k++) await frame();
  let sum = 0;
  for (const { label, milliseconds } of (await gpu.profile()).kernels) {
    const own = (milliseconds - (before.get(label) ?? 0)) / 5;
    if (own === 0 || label === 'stir') continue;
    console.error(`    ${label}: ${own.toFixed(4)} ms a frame`);
    sum += own;
  }
  return sum > 0 ? sum.toFixed(3) : '–';
}

/** The value in doubles. */
async function reference(count: number, switching: SwitchOptions): Promise<number> {
  await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const grid = liquid(ctx, count);
  const number = new CoordinationNumber(ctx, { groupA: 'all', switch: switching });
  const { value } = await number.evaluate(grid);
  number.close();
  grid.free();
  return value;
}

/** Random particles that keep some distance, in no order: points of a lattice, displaced and shuffled. */
function liquid({ heap }: ExecutionContext, count: number): Grid {
  const length = (count / DENSITY) ** (1 / 3);
  const grid = new Grid(heap, Domain.orthorhombic([length, length, length]));
  grid.resize(count);
  const sites = Math.ceil(count ** (1 / 3));
  const position = grid.block('position').array as Float64Array;
  const id = grid.block('id').array as BigUint64Array;
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const order = Uint32Array.from({ length: count }, (_, k) => k);
  for (let k = count - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [order[k], order[other]] = [order[other]!, order[k]!];
  }
  order.forEach((row, k) => {
    const site = [k % sites, Math.floor(k / sites) % sites, Math.floor(k / sites ** 2)];
    site.forEach((s, axis) => {
      position[4 * row + axis] = ((s + 0.6 * random()) * length) / sites;
    });
    id[row] = BigInt(row);
  });
  grid.block('position').hostWritten();
  grid.block('id').hostWritten();
  return grid;
}
