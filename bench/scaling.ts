// Where the time of many threads goes: the Lennard-Jones melt on 1, 2, 4, … threads, beside LAMMPS on as many ranks.
//
//   npx tsx bench/scaling.ts [--sizes 32k,256k,1M] [--threads 1,2,4,8,16] [--engine f64] [--rounds 3] [--peer lmp]
//                            [--apart 32k] [--write]
//
// Lists are made every 20 steps, as in.lj has it. Rounds go through all numbers of threads in turn; medians over rounds.
// The first table has speeds, and how many rows go through buffers for each particle, because several threads' parts of the list
// name them. The second has the work of each sort:
//
//   ms           by the clock, a step
//   gain         the clock's time on one thread ÷ this one
//   work         time inside of kernels, all threads together ÷ that of one thread: caches, memory, shared cores
//   unequal      the longest thread of a job ÷ the mean: who has more than others
//   around       the clock ÷ the longest thread: starting a job and waiting for its end
//
// --apart: what the machine can give at most. As many processes as threads, each with one thread and its own part of the
// particles of the size, share nothing: their speed together ÷ that of one.
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { engines, ourMelt } from './melt/ourMelt.js';
import { meltCase, particles, sizes, system } from './melt/system.js';
import { lammps } from './peers/lammps.js';
import { describeCores } from './support/cores.js';
import { manyProcesses } from './support/manyProcesses.js';
import { type JobTimes, poolTimes } from './support/poolTimes.js';
import { Report } from './support/Report.js';
import { median } from './support/statistics.js';
import { table } from './support/table.js';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '32k,256k,1M' },
    threads: { type: 'string', default: '1,2,4,8,16' },
    engine: { type: 'string', default: 'f64' },
    rounds: { type: 'string', default: '3' },
    peer: { type: 'string', default: 'lmp' },
    apart: { type: 'string', default: '32k' },
    child: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const engine = engines[options.engine];
if (!engine)
  throw new Error(`--engine ${options.engine}: give one of ${Object.keys(engines).join(', ')}`);

const sorts = ['pairs', 'rows', 'search', 'sort', 'other'] as const;
type Sort = (typeof sorts)[number] | 'outside';

function sortOf(label: string): Sort {
  if (label.startsWith('neighbors.search')) return 'search';
  if (label.startsWith('neighbors.')) return 'sort';
  if (/reduce|kick|zero/.test(label)) return 'rows';
  return /lennard_jones/.test(label) ? 'pairs' : 'other';
}

/** One measured stretch of a run. */
interface Sample {
  readonly rate: number;
  readonly times: ReadonlyMap<string, JobTimes>;
}

async function measured(size: string, threads: number) {
  const melt = meltCase(sizes[size]!, threads);
  const run = await ourMelt(melt, engine!, 'every 20');
  const take = poolTimes(run.ctx, sortOf);
  run.run(melt.warmUp);
  const sample = (): Sample => {
    take();
    const { wall } = run.run(melt.steps);
    const step = new Map<string, JobTimes>();
    let inside = 0;
    for (const [sort, { jobs, wall: ms, busy, longest }] of take()) {
      const per = (sum: number) => sum / melt.steps;
      step.set(sort, { jobs: per(jobs), wall: per(ms), busy: per(busy), longest: per(longest) });
      inside += per(ms);
    }
    const rest = 1000 / wall - inside;
    step.set('outside', { jobs: 0, wall: rest, busy: rest, longest: rest });
    return { rate: wall, times: step };
  };
  /** Rows that several parts of the list may name, for each particle. */
  const named = () => {
    const { segments } = run.ctx.engines.host.neighborList(run.grid, 'half', system.rcut);
    const rows = segments.flatMap(({ borderRows }) => borderRows.map((r) => r.end - r.first));
    return rows.reduce((a, b) => a + b, 0) / run.grid.count;
  };
  return { threads, melt, sample, named, close: run.close };
}

async function compare(size: string, threadCounts: readonly number[], report: Report) {
  const rounds = Number(options.rounds);
  const runs: Awaited<ReturnType<typeof measured>>[] = [];
  for (const threads of threadCounts) runs.push(await measured(size, threads));
  const samples = runs.map((): Sample[] => []);
  const peerRates = runs.map((): number[] => []);
  const missing = new Set<string>();
  for (let round = 0; round < rounds; round++)
    for (const [k, { threads, melt, sample }] of runs.entries()) {
      samples[k]!.push(sample());
      const found = options.peer === 'lmp' ? lammps(threads) : { missing: 'no peer asked for' };
      if ('peer' in found) peerRates[k]!.push(found.peer.run(melt).wall);
      else missing.add(found.missing);
    }
  const rate = (k: number) => median(samples[k]!.map((one) => one.rate));
  const first = runs[0]!;
  const speeds = runs.map(({ threads, named }, k) => {
    const lmp = median(peerRates[k]!);
    const gain = rate(k) / rate(0);
    return [
      threads,
      rate(k).toFixed(1),
      gain.toFixed(2),
      lmp.toFixed(1),
      (lmp / median(peerRates[0]!)).toFixed(2),
      median(samples[k]!.map((one, r) => one.rate / (peerRates[k]![r] ?? Number.NaN))).toFixed(2),
      named().toFixed(2),
    ];
  });
  const count = particles(first.melt).toLocaleString('en');
  report.add(
    `**${count} particles**, ${engine!.name}; medians of ${rounds} rounds of ${first.melt.steps} steps`,
  );
  const one = `÷ ${first.threads} thread(s)`;
  const head = ['threads', 'steps/s', one, 'lmp steps/s', `lmp ${one}`, '÷ lmp', 'rows in buffers'];
  report.add(table(head, speeds));
  const works = [...sorts, 'outside' as const].flatMap((sort) =>
    runs.flatMap(({ threads }, k) => {
      const value = (run: number, key: keyof JobTimes) =>
        median(samples[run]!.map(({ times }) => times.get(sort)?.[key] ?? 0));
      const [wall, busy, longest] = [value(k, 'wall'), value(k, 'busy'), value(k, 'longest')];
      if (wall === 0) return [];
      const alone = sort === 'outside';
      return [
        [
          sort,
          threads,
          value(k, 'jobs').toFixed(2),
          wall.toFixed(4),
          (value(0, 'wall') / wall).toFixed(2),
          alone ? '–' : (busy / value(0, 'busy')).toFixed(2),
          alone ? '–' : ((longest * threads) / busy).toFixed(2),
          alone ? '–' : (wall / longest).toFixed(2),
        ],
      ];
    }),
  );
  report.add(
    table(
      ['work', 'threads', 'jobs a step', 'ms a step', 'gain', 'work', 'unequal', 'around'],
      works,
    ),
  );
  for (const text of missing) report.add(text);
  for (const run of runs) await run.close();
}

/** Steps a second over two seconds of one thread alone. */
async function child(repeat: number): Promise<void> {
  const run = await ourMelt({ repeat, threads: 1 }, engine!, 'every 20');
  run.run(60);
  console.log('ready');
  await new Promise<void>((resolve) => {
    createInterface(process.stdin).once('line', () => resolve());
  });
  const start = performance.now();
  let steps = 0;
  for (; performance.now() - start < 2000; steps += 20) run.run(20);
  console.log((1000 * steps) / (performance.now() - start));
  process.exit();
}

async function apart(size: string, threadCounts: readonly number[], report: Report) {
  const script = fileURLToPath(import.meta.url);
  const rows = [];
  for (const threads of threadCounts) {
    const repeat = Math.max(4, Math.round(sizes[size]! / Math.cbrt(threads)));
    const args = ['--engine', options.engine, '--child', String(repeat)];
    const [alone] = await manyProcesses(1, script, args);
    const rates = await manyProcesses(threads, script, args);
    const sum = rates.reduce((a, b) => a + b);
    rows.push([threads, 4 * repeat ** 3, alone!.toFixed(1), (sum / alone!).toFixed(2)]);
  }
  report.add(`**Processes that share nothing**, ${size} particles divided among them`);
  report.add(table(['processes', 'particles each', 'steps/s of one', 'all ÷ one'], rows));
}

if (options.child) await child(Number(options.child));
const report = new Report('scaling: where the time of many threads goes');
report.add(describeCores());
const threadCounts = options.threads.split(',').map(Number);
const possible = threadCounts.filter((threads) => threads <= availableParallelism());
if (options.apart !== '') await apart(options.apart, possible, report);
for (const size of options.sizes.split(',')) {
  if (!sizes[size])
    throw new Error(`--sizes ${size}: give some of ${Object.keys(sizes).join(', ')}`);
  await compare(size, possible, report);
}
report.finish(options.write);
