// The Lennard-Jones melt of LAMMPS' bench/in.lj on our CPU engine beside LAMMPS, lammps.js and GROMACS, interleaved.
//
//   npx tsx bench/lj-cpu.ts [--sizes 32k (of 4k,32k,256k,1M)] [--threads 1,2] [--engines f64,mixed,javascript] [--rounds 3]
//                           [--policies every20,tuned (of every20,exact,tuned)] [--peers lmp,lammpsjs,gromacs] [--steps n]
//                           [--wait 0] [--write]
//
// --wait: seconds to wait at most before each round for a second in which no other program uses the cores.
// One round runs every code once; rates are medians over rounds and ratios medians of the ratios within a round, by the
// clock and by processor time (which counts the same when other programs use the cores).
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { engines, type ListPolicy, type OurMelt, ourMelt } from './melt/ourMelt.js';
import { type MeltCase, meltCase, particles, sizes, system } from './melt/system.js';
import { gromacs } from './peers/gromacs.js';
import { lammps } from './peers/lammps.js';
import { lammpsJs } from './peers/lammpsJs.js';
import type { Peer, PeerOrReason, Rate } from './peers/Peer.js';
import { describeLoad } from './support/machine.js';
import { Report } from './support/Report.js';
import { median } from './support/statistics.js';
import { table } from './support/table.js';
import { waitForQuiet } from './support/waitForQuiet.js';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '32k' },
    threads: { type: 'string', default: '1,2' },
    engines: { type: 'string', default: 'f64,mixed,javascript' },
    policies: { type: 'string', default: 'every20,tuned' },
    peers: { type: 'string', default: 'lmp,lammpsjs,gromacs' },
    rounds: { type: 'string', default: '3' },
    steps: { type: 'string' },
    wait: { type: 'string', default: '0' },
    write: { type: 'boolean', default: false },
  },
});
const list = (text: string) => text.split(',').filter((name) => name !== '');
const policies: Record<string, ListPolicy> = {
  every20: 'every 20',
  exact: 'exact',
  tuned: 'tuned',
};

/** A code in the table; only ours has details and something to close. */
interface Contestant {
  readonly name: string;
  readonly lists: ListPolicy;
  readonly run: () => Rate;
  readonly melt?: OurMelt;
}

function peersFor(threads: number): { peers: Peer[]; missing: string[] } {
  const makers: Record<string, () => PeerOrReason[]> = {
    lmp: () => [lammps(threads)],
    lammpsjs: () => [
      ...(threads === 1 ? [lammpsJs('serial', 1)] : []), // the serial build has no more to give
      lammpsJs('kokkos', threads),
    ],
    gromacs: () => [gromacs(threads)],
  };
  const all = list(options.peers).flatMap(
    (name) => makers[name]?.() ?? [{ missing: `no peer ${name}` }],
  );
  return {
    peers: all.flatMap((one) => ('peer' in one ? [one.peer] : [])),
    missing: all.flatMap((one) => ('missing' in one ? [one.missing] : [])),
  };
}

async function ours(melt: MeltCase): Promise<Contestant[]> {
  const contestants: Contestant[] = [];
  for (const key of list(options.engines)) {
    const engine = engines[key];
    if (!engine)
      throw new Error(`--engines ${key}: give some of ${Object.keys(engines).join(', ')}`);
    for (const name of list(options.policies)) {
      const lists = policies[name];
      if (!lists)
        throw new Error(`--policies ${name}: give some of ${Object.keys(policies).join(', ')}`);
      if (engine.lowering === 'javascript' && lists !== 'every 20') continue; // slow; its lists are the same as f64's
      const run = await ourMelt(melt, engine, lists);
      contestants.push({ name: engine.name, lists, run: () => run.run(melt.steps), melt: run });
    }
  }
  for (const { melt: run } of contestants) run!.run(melt.warmUp);
  return contestants;
}

async function compare(melt: MeltCase, rounds: number): Promise<string> {
  const { peers, missing } = peersFor(melt.threads);
  const contestants: Contestant[] = [
    ...peers.map((peer) => ({
      name: peer.name,
      lists: 'every 20' as const,
      run: () => peer.run(melt),
    })),
    ...(await ours(melt)),
  ];
  const rates = contestants.map((): Rate[] => []);
  const loadBefore = describeLoad();
  const others: number[] = [];
  for (let round = 0; round < rounds; round++) {
    others.push(await waitForQuiet(Number(options.wait)));
    contestants.forEach(({ name, run }, k) => {
      try {
        rates[k]!.push(run());
      } catch (error) {
        missing.push(`${name} failed: ${String(error).split('\n')[0]}`);
      }
    });
  }
  const ratio = (k: number, peer: number, by: keyof Rate) => {
    if (peer < 0 || rates[peer]!.length < rounds) return '–';
    const value = median(rates[k]!.map((rate, round) => rate[by] / rates[peer]![round]![by]));
    return Number.isNaN(value) ? '–' : value.toFixed(2);
  };
  const native = contestants.findIndex(({ name }) => name.startsWith('lmp'));
  const wasm = contestants.findIndex(({ name }) => name.includes('KOKKOS'));
  const count = particles(melt);
  const rows = contestants.flatMap(({ name, lists, melt: run }, k) => {
    if (rates[k]!.length < rounds) return [];
    const rate = median(rates[k]!.map(({ wall }) => wall));
    const alone = median(rates[k]!.map(({ processor }) => processor));
    const rest = [
      ratio(k, native, 'wall'),
      ratio(k, wasm, 'wall'),
      shown(alone),
      ratio(k, native, 'processor'),
      ratio(k, wasm, 'processor'),
      run?.details() ?? '',
    ];
    return [[name, lists, shown(rate), ((rate * count) / 1e6).toFixed(2), ...rest]];
  });
  for (const { melt: run } of contestants) await run?.close();
  const head = [
    'code',
    'lists',
    'steps/s',
    'M atom-steps/s',
    '÷ lmp',
    '÷ lammps.js KOKKOS',
    'steps / s of processor time',
    '÷ lmp',
    '÷ lammps.js KOKKOS',
    'details',
  ];
  const { density, rcut, skin } = system;
  const title = `**${count.toLocaleString('en')} particles, ${melt.threads} thread(s)**; density ${density}, cutoff ${rcut}, skin ${skin}; median of ${rounds} rounds of ${melt.steps} steps after ${melt.warmUp}; ${loadBefore} before the first round, others used ${others.map((cores) => cores.toFixed(1)).join(', ')} cores before each.`;
  return [title, table(head, rows), ...missing].join('\n\n');
}

/** Three or four digits. */
function shown(rate: number): string {
  return Number.isNaN(rate) ? '–' : rate.toFixed(rate < 20 ? 2 : 1);
}

const report = new Report('lj-cpu: the Lennard-Jones melt');
for (const size of list(options.sizes)) {
  const repeat = sizes[size];
  if (!repeat) throw new Error(`--sizes ${size}: give some of ${Object.keys(sizes).join(', ')}`);
  for (const threads of list(options.threads).map(Number)) {
    if (threads > availableParallelism()) {
      report.add(
        `${size} on ${threads} threads left out: there are ${availableParallelism()} cores.`,
      );
      continue;
    }
    const melt = meltCase(repeat, threads);
    const steps = Number(options.steps ?? melt.steps);
    report.add(await compare({ ...melt, steps }, Number(options.rounds)));
  }
}
report.finish(options.write);
