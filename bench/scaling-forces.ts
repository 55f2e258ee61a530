// How forces of several sorts gain from threads, beside Lennard-Jones: pairs, two passes over pairs with densities between them,
// whole neighborhoods, and a coordination number with its derivatives.
//
//   npx tsx bench/scaling-forces.ts [--atoms 256000] [--threads 1,16] [--rounds 5] [--write]
//
// f64; particles of crystals, displaced; lists are made once. Medians over rounds, which go through the numbers of threads in turn.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { SharedHeap, uniform } from '@corpuscle/core';
import {
  CoordinationNumber,
  createGrid,
  type ForceTerm,
  lattice,
  lennardJonesForce,
  type ParticleFrame,
  silicon,
  stillingerWeberForce,
  suttonChenForce,
  zeroForces,
} from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContext,
  prepareCellParticles,
  updateNeighbors,
} from '@corpuscle/patterns';
import { describeCores } from './support/cores.js';
import { Report } from './support/Report.js';
import { median } from './support/statistics.js';
import { table } from './support/table.js';

const { values: options } = parseArgs({
  options: {
    atoms: { type: 'string', default: '256000' },
    threads: { type: 'string', default: '1,16' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
});
const atoms = Number(options.atoms);
const threadCounts = options.threads
  .split(',')
  .map(Number)
  .filter((threads) => threads <= availableParallelism());

/** Rounds last so long at least, in milliseconds. */
const ROUND = 100;

interface Work {
  readonly name: string;
  readonly frame: ParticleFrame;
  readonly prepare: (
    ctx: ExecutionContext,
    grid: ReturnType<typeof createGrid>,
  ) => Promise<() => Promise<unknown> | undefined>;
}

function shaken(frame: ParticleFrame, by: number): ParticleFrame {
  return { ...frame, position: frame.position.map((x, k) => x + by * (uniform(7, 0, k) - 0.5)) };
}

function crystal(structure: 'fcc' | 'diamond', latticeConstant: number): ParticleFrame {
  const cells = Math.round(Math.cbrt(atoms / (structure === 'fcc' ? 4 : 8)));
  const frame = lattice({ structure, latticeConstant, repeat: [cells, cells, cells] });
  return shaken(frame, 0.05 * latticeConstant);
}

const forcesOf =
  (term: ForceTerm, skin: number): Work['prepare'] =>
  async (ctx, grid) => {
    await updateNeighbors(grid, ctx, { rcut: term.rcut, skin, force: true });
    const zero = prepareCellParticles(grid, zeroForces, ctx);
    const { calls } = term.prepare!(grid, ctx, { forces: true, energies: false, totals: false });
    return () => {
      zero.run();
      for (const call of calls) call.run();
    };
  };

const copper = { epsilon: 0.012382, a: 3.61, n: 9, m: 6, c: 39.432, rcut: 7.2 };
const melt = crystal('fcc', 1.6796);
const works: readonly Work[] = [
  {
    name: 'Lennard-Jones',
    frame: melt,
    prepare: forcesOf(lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5 }), 0.3),
  },
  {
    name: 'Sutton–Chen, embedded atoms',
    frame: crystal('fcc', 3.61),
    prepare: forcesOf(
      suttonChenForce({ types: ['A'], pairs: [{ types: ['A', 'A'], ...copper }] }),
      1,
    ),
  },
  {
    name: 'Stillinger–Weber',
    frame: crystal('diamond', 5.431),
    prepare: forcesOf(stillingerWeberForce({ types: ['A'], triplets: [silicon] }), 1),
  },
  {
    name: 'coordination',
    frame: melt,
    prepare: async (ctx, grid) => {
      const near = { type: 'rational', r0: 1.2, dMax: 2.5 } as const;
      const number = new CoordinationNumber(ctx, {
        groupA: 'all',
        switch: near,
        path: 'neighbor_lists',
      });
      return () => number.evaluate(grid);
    },
  },
];

async function measure({ name, frame, prepare }: Work): Promise<string[]> {
  const runs: { readonly close: () => Promise<void>; readonly round: () => Promise<number> }[] = [];
  for (const threads of threadCounts) {
    const heap = new SharedHeap();
    const ctx = await createExecutionContext({ backend: 'cpu', threads, precision: 'f64', heap });
    await ctx.ready();
    const call = await prepare(ctx, createGrid(frame, [{ name: 'A', mass: 1 }], heap));
    for (let k = 0; k < 5; k++) await call();
    const round = async (): Promise<number> => {
      const start = performance.now();
      let calls = 0;
      for (; calls < 5 || performance.now() - start < ROUND; calls++) await call();
      ctx.engines.host.finish();
      return (performance.now() - start) / calls;
    };
    runs.push({ close: () => ctx.close(), round });
  }
  const times = runs.map((): number[] => []);
  for (let k = 0; k < Number(options.rounds); k++)
    for (const [t, { round }] of runs.entries()) times[t]!.push(await round());
  for (const { close } of runs) await close();
  const middle = times.map((all) => median(all));
  return [
    name,
    frame.count.toLocaleString('en'),
    ...middle.flatMap((ms) => [ms.toFixed(3), (middle[0]! / ms).toFixed(2)]),
  ];
}

const report = new Report('scaling-forces: what sorts of forces gain from threads');
report.add(describeCores());
const head = threadCounts.flatMap((threads) => [`ms, ${threads} thread(s)`, 'gain']);
const rows: string[][] = [];
for (const work of works) {
  const row = await measure(work);
  const lj = Number((rows[0] ?? row).at(-1));
  rows.push([...row, (Number(row.at(-1)) / lj).toFixed(2)]);
  console.error(rows.at(-1)!.join('  '));
}
report.add(table(['forces', 'particles', ...head, 'gain ÷ that of Lennard-Jones'], rows));
report.finish(options.write);
