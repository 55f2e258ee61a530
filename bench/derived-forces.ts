// Forces that the compiler derives from energies beside those written by hand: time of one evaluation, on one core.
//
//   npx tsx bench/derived-forces.ts [--repeat 14] [--passes 400] [--precision f64,f32,scalar,javascript] [--write]
//
// Both run in turn; the ratio is that of medians.
import { parseArgs } from 'node:util';
import type { Grid } from '@corpuscle/core';
import { createGrid, lattice, silicon, zeroForces } from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContext,
  prepareCellParticles,
  updateNeighbors,
} from '@corpuscle/patterns';
import { type DerivedCase, pairCases, tripletCase } from './functors/derivedCases.js';
import { engines, ourMelt } from './melt/ourMelt.js';
import { particles, system } from './melt/system.js';
import { Report } from './support/Report.js';
import { median } from './support/statistics.js';
import { table } from './support/table.js';

const { values: options } = parseArgs({
  options: {
    repeat: { type: 'string', default: '14' },
    passes: { type: 'string', default: '400' },
    precision: { type: 'string', default: 'f64,f32,scalar,javascript' },
    write: { type: 'boolean', default: false },
  },
});
const repeat = Number(options.repeat);
const passes = Number(options.passes);
const { skin, density } = system;

const requests = {
  forces: { forces: true, energies: false, totals: false },
  'forces, totals': { forces: true, energies: false, totals: true },
} as const;

const report = new Report('derived forces beside those written by hand');
const rows: (string | number)[][] = [];

/** Times both in turn, and compares their forces. */
async function compare(
  { name, byHand, derived }: DerivedCase,
  grid: Grid,
  ctx: ExecutionContext,
  precision: string,
): Promise<void> {
  const zero = prepareCellParticles(grid, zeroForces, ctx);
  for (const [what, request] of Object.entries(requests)) {
    const both = [byHand, derived].map((term) => term.prepare!(grid, ctx, request));
    const run = both.map(({ calls }) => () => {
      for (const call of calls) call.run();
    });
    const forces = run.map((once) => {
      zero.run();
      once();
      return ['fx', 'fy', 'fz'].flatMap((field) => [...grid.values(field)]);
    });
    await ctx.ready();
    const scale = Math.max(...forces[0]!.map(Math.abs));
    const off = Math.max(...forces[0]!.map((f, k) => Math.abs(f - forces[1]![k]!))) / scale;
    const times: number[][] = [[], []];
    for (let pass = 0; pass < passes; pass++)
      for (const k of [0, 1]) {
        const start = performance.now();
        run[k]!();
        if (pass >= passes / 4) times[k]!.push(performance.now() - start);
      }
    const [hand, ours] = times.map(median) as [number, number];
    rows.push([
      name,
      what,
      precision,
      hand.toFixed(3),
      ours.toFixed(3),
      (ours / hand).toFixed(3),
      off.toExponential(0),
    ]);
    for (const one of both) one.close();
  }
}

/** Silicon as a crystal, disturbed. */
async function crystal(ctx: ExecutionContext): Promise<Grid> {
  const frame = lattice({
    structure: 'diamond',
    latticeConstant: 5.431,
    repeat: [repeat / 2, repeat / 2, repeat / 2],
  });
  for (let k = 0; k < frame.position.length; k++) frame.position[k]! += 0.1 * Math.sin(7 * k + 1);
  const grid = createGrid(frame, [{ name: 'A', mass: 28.0855 }], ctx.heap);
  await updateNeighbors(grid, ctx, { rcut: silicon.a * silicon.sigma, skin: 0.5 });
  return grid;
}

for (const precision of options.precision.split(',')) {
  const engine = engines[precision];
  if (!engine) throw new Error(`--precision ${precision}: give some of ${Object.keys(engines)}`);
  const melt = await ourMelt({ repeat, threads: 1 }, engine, 'exact');
  melt.run(100); // a liquid
  for (const one of pairCases) await compare(one, melt.grid, melt.ctx, precision);
  await melt.close();
  await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1, ...engine });
  await compare(tripletCase, await crystal(ctx), ctx, precision);
}
report.add(
  `${particles({ repeat }).toLocaleString('en')} particles, density ${density}, skin ${skin}, one thread; ${repeat ** 3} atoms of silicon for triplets; medians of ${passes} evaluations in milliseconds; the last column is the largest difference of a force by the largest force.`,
);
report.add(
  table(['potential', 'asked for', 'precision', 'by hand', 'derived', 'ratio', 'differ by'], rows),
);
report.finish(options.write);
