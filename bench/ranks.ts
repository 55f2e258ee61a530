// The Lennard-Jones melt on ranks × threads, beside LAMMPS on as many MPI ranks as both make together.
//
//   npx tsx bench/ranks.ts [--sizes 32k,256k] [--runs 1x1,2x1,1x2] [--lists every20|exact] [--engine f64] [--rounds 3]
//                          [--weak] [--peer lmp] [--write]
//
// A run 4x2 has 4 ranks with 2 threads each. Rounds go through all runs in turn; medians over rounds.
//
//   gain        steps a second ÷ those of the first run; with --weak every core has as many particles, and the gain is that of
//               particles times steps
//   processor   processor time of a step, all ranks together ÷ that of the first run: what ranks do beside the work
//   exchange    ms a step that a rank spends in exchanges of numbers, the mean of all: messages, and waiting for others
//   imbalance   work of the rank that has most ÷ the mean, in counted pairs
//
// --lists exact: ranks agree in every step whether to build lists, as runs of users do; every20 as in.lj does, without asking.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Communicator, joinRanks, RanksEngine } from '@corpuscle/mpi';
import { engines, ourMelt } from './melt/ourMelt.js';
import { type MeltCase, meltCase, particles, sizes } from './melt/system.js';
import { lammps } from './peers/lammps.js';
import { Report } from './support/Report.js';
import { median } from './support/statistics.js';
import { table } from './support/table.js';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '32k,256k' },
    runs: { type: 'string', default: '1x1,2x1,1x2' },
    lists: { type: 'string', default: 'every20' },
    engine: { type: 'string', default: 'f64' },
    rounds: { type: 'string', default: '3' },
    peer: { type: 'string', default: 'lmp' },
    weak: { type: 'boolean', default: false },
    child: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const engine = engines[options.engine];
if (!engine)
  throw new Error(`--engine ${options.engine}: give one of ${Object.keys(engines).join(', ')}`);

/** What one run of all ranks has found. */
interface Sample {
  /** Steps a second by the clock. */
  readonly rate: number;
  /** Processor time and time in exchanges, in ms a step: of all ranks, and the mean of them. */
  readonly processor: number;
  readonly exchange: number;
  readonly imbalance: number;
}

/** The same communicator, with a clock for the time that is spent in it. */
function timed(ranks: Communicator) {
  let spent = 0;
  const during = <T>(work: () => T): T => {
    const begin = performance.now();
    const result = work();
    spent += performance.now() - begin;
    return result;
  };
  const communicator: Communicator = {
    rank: ranks.rank,
    size: ranks.size,
    gather: (numbers) => during(() => ranks.gather(numbers)),
    sum: (numbers) => during(() => ranks.sum(numbers)),
    start(sent, received) {
      const transfer = during(() => ranks.start(sent, received));
      return { wait: () => during(() => transfer.wait()) };
    },
    exchange: (bytes) => during(() => ranks.exchange(bytes)),
    abort: (code) => ranks.abort(code),
    close: () => ranks.close(),
  };
  return { communicator, spent: () => spent };
}

/** One of the ranks: the first prints what all have found. */
async function child(melt: MeltCase): Promise<void> {
  const ranks = await joinRanks();
  const { communicator, spent } = timed(ranks);
  let around: RanksEngine | undefined;
  const run = await ourMelt(
    {
      ...melt,
      around(below) {
        around = new RanksEngine(below, communicator, () => false);
        return around;
      },
    },
    engine!,
    options.lists === 'exact' ? 'exact' : 'every 20',
  );
  run.run(melt.warmUp);
  ranks.sum(new Float64Array(1)); // all begin together
  const [begin, before, used] = [performance.now(), spent(), process.cpuUsage()];
  run.run(melt.steps);
  const exchange = (spent() - before) / melt.steps;
  const { user, system } = process.cpuUsage(used);
  ranks.sum(new Float64Array(1));
  const rate = (1000 * melt.steps) / (performance.now() - begin);
  const [cpu, wait] = ranks.sum(Float64Array.of((user + system) / 1000 / melt.steps, exchange));
  const found: Sample = {
    rate,
    processor: cpu!,
    exchange: wait! / ranks.size,
    imbalance: around!.imbalanceOf(run.grid),
  };
  if (ranks.rank === 0) console.log(JSON.stringify(found));
  await run.close();
  ranks.close();
}

/** Starts the ranks of a run. */
function measure(ranks: number, melt: MeltCase): Sample {
  const script = fileURLToPath(import.meta.url);
  const asked = ['--engine', options.engine, '--lists', options.lists];
  const program = [process.execPath, ...process.execArgv, script, ...asked];
  const whole = [...program, '--child', JSON.stringify(melt)];
  const env = {
    ...process.env,
    OMPI_ALLOW_RUN_AS_ROOT: '1',
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1',
    OMPI_MCA_rmaps_base_oversubscribe: '1',
    OMPI_MCA_hwloc_base_binding_policy: 'none', // threads of a rank have cores of their own
  };
  const text = execFileSync('mpirun', ['-n', `${ranks}`, ...whole], { encoding: 'utf8', env });
  return JSON.parse(text.trim().split('\n').at(-1)!) as Sample;
}

function compare(size: string, report: Report): void {
  const runs = options.runs.split(',').map((text) => {
    const [ranks, threads] = text.split('x').map(Number) as [number, number];
    const repeat = options.weak
      ? Math.round(sizes[size]! * Math.cbrt(ranks * threads))
      : sizes[size]!;
    const melt = meltCase(repeat, threads);
    const peer = options.peer === 'lmp' ? lammps(ranks * threads) : { missing: 'no peer' };
    return { ranks, threads, melt, peer, samples: [] as Sample[], peerRates: [] as number[] };
  });
  for (let round = 0; round < Number(options.rounds); round++)
    for (const { ranks, melt, peer, samples, peerRates } of runs) {
      samples.push(measure(ranks, melt));
      if ('peer' in peer) peerRates.push(peer.peer.run(melt).wall);
    }
  const of = (run: (typeof runs)[number], name: keyof Sample) =>
    median(run.samples.map((sample) => sample[name]));
  const first = runs[0]!;
  const perParticle = (run: (typeof runs)[number], rate: number) => rate * particles(run.melt);
  const rows = runs.map((run) => {
    const [rate, lmp] = [of(run, 'rate'), median(run.peerRates)];
    return [
      `${run.ranks} × ${run.threads}`,
      particles(run.melt),
      rate.toFixed(1),
      (perParticle(run, rate) / perParticle(first, of(first, 'rate'))).toFixed(2),
      (of(run, 'processor') / of(first, 'processor')).toFixed(2),
      of(run, 'exchange').toFixed(3),
      of(run, 'imbalance').toFixed(3),
      lmp.toFixed(1),
      median(run.samples.map((one, k) => one.rate / run.peerRates[k]!)).toFixed(2),
    ];
  });
  const kind = options.weak ? 'for each core' : 'in all';
  report.add(`**${size} particles ${kind}**, ${engine!.name}, lists ${options.lists}`);
  const head = ['ranks × threads', 'particles', 'steps/s', 'gain', 'processor', 'exchange, ms'];
  report.add(table([...head, 'imbalance', 'lmp steps/s', '÷ lmp'], rows));
  const missing = runs.flatMap(({ peer }) => ('missing' in peer ? [peer.missing] : []));
  for (const text of new Set(missing)) report.add(text);
}

if (options.child) await child(JSON.parse(options.child) as MeltCase);
else {
  const report = new Report('ranks: a melt on ranks and threads');
  for (const size of options.sizes.split(',')) {
    if (!sizes[size])
      throw new Error(`--sizes ${size}: give some of ${Object.keys(sizes).join(', ')}`);
    compare(size, report);
  }
  report.finish(options.write);
}
