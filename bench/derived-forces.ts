// Forces that the compiler derives from energies beside those written by hand: processor time of one evaluation, on one core.
//
//   npx tsx bench/derived-forces.ts [--repeat 14] [--passes 400] [--precision f64,f32,scalar,javascript] [--only embedded_atom] [--write]
//   npx tsx bench/derived-forces.ts --precision webgpu-f32,webgpu-mixed,webgpu-f64 --repeat 28 [--batch 100]
//
// Both run in turn; the ratio is that of medians. On a device one time is that of --batch evaluations, until the device is idle.
import { parseArgs } from 'node:util';
import type { Grid } from '@corpuscle/core';
import { createGrid, lattice, silicon, zeroForces } from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContext,
  newestOnHost,
  type Precision,
  prepareCellParticles,
  prepareStep,
  updateNeighbors,
} from '@corpuscle/patterns';
import { type DerivedCase, pairCases, tripletCase } from './functors/derivedCases.js';
import { embeddedAtomCase } from './functors/energyAloneEam.js';
import { engines, ourMelt } from './melt/ourMelt.js';
import { particles, system } from './melt/system.js';
import { Report } from './support/Report.js';
import { median } from './support/statistics.js';
import { table } from './support/table.js';

const { values: options } = parseArgs({
  options: {
    repeat: { type: 'string', default: '14' },
    passes: { type: 'string', default: '400' },
    batch: { type: 'string', default: '100' },
    precision: { type: 'string', default: 'f64,f32,scalar,javascript' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const repeat = Number(options.repeat);
const passes = Number(options.passes);
/** Evaluations that are timed at once where a device computes. */
const batch = Number(options.batch);
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
  if (options.only && !options.only.split(',').includes(name)) return;
  const zero = prepareCellParticles(grid, zeroForces, ctx);
  for (const [what, request] of Object.entries(requests)) {
    const both = [byHand, derived].map((term) => term.prepare!(grid, ctx, request));
    const steps = both.map(({ calls }) => prepareStep(ctx, [zero, ...calls]));
    const run = async (k: number): Promise<number> => {
      if (!ctx.device) {
        const before = process.cpuUsage();
        for (const call of both[k]!.calls) call.run();
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      }
      const start = performance.now();
      await steps[k]!.run(batch);
      await ctx.device.finished();
      return (performance.now() - start) / batch;
    };
    const forces: number[][] = [];
    for (const step of steps) {
      await step.run(1);
      await newestOnHost(grid, ctx);
      forces.push(['fx', 'fy', 'fz'].flatMap((field) => [...grid.values(field)]));
    }
    await ctx.ready();
    const scale = Math.max(...forces[0]!.map(Math.abs));
    const off = Math.max(...forces[0]!.map((f, k) => Math.abs(f - forces[1]![k]!))) / scale;
    const times: number[][] = [[], []];
    const rounds = ctx.device ? Math.ceil(passes / 10) : passes;
    for (let pass = 0; pass < rounds; pass++)
      for (const k of [0, 1]) {
        const time = await run(k);
        if (pass >= rounds / 4) times[k]!.push(time);
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
    for (const step of steps) step.close();
    for (const one of both) one.close();
  }
}

async function disturbed(
  structure: 'fcc' | 'diamond',
  a: number,
  cells: number,
  ctx: ExecutionContext,
  rcut: number,
): Promise<Grid> {
  const frame = lattice({ structure, latticeConstant: a, repeat: [cells, cells, cells] });
  for (let k = 0; k < frame.position.length; k++)
    frame.position[k]! += 0.02 * a * Math.sin(7 * k + 1);
  const grid = createGrid(
    frame,
    [
      { name: 'A', mass: 28.0855 },
      { name: 'B', mass: 1 },
    ],
    ctx.heap,
  );
  await updateNeighbors(grid, ctx, { rcut, skin: 0.1 * rcut });
  return grid;
}

/** Silicon as a crystal, disturbed. */
async function crystal(ctx: ExecutionContext): Promise<Grid> {
  return disturbed('diamond', 5.431, repeat / 2, ctx, silicon.a * silicon.sigma);
}

/** Copper's lattice of two metals, disturbed. */
async function metal(ctx: ExecutionContext): Promise<Grid> {
  return disturbed('fcc', 3.61, repeat, ctx, embeddedAtomCase.byHand.rcut);
}

for (const precision of options.precision.split(',')) {
  const [backend, ofDevice] = precision.split('-');
  const engine = engines[precision];
  if (!engine && backend !== 'webgpu')
    throw new Error(`--precision ${precision}: give some of ${Object.keys(engines)}`);
  if (engine) {
    const melt = await ourMelt({ repeat, threads: 1 }, engine, 'exact');
    melt.run(100); // a liquid
    for (const one of pairCases) await compare(one, melt.grid, melt.ctx, precision);
    await melt.close();
  }
  await using ctx = await createExecutionContext(
    engine
      ? { backend: 'cpu', threads: 1, ...engine }
      : { backend: 'webgpu', precision: ofDevice as Precision },
  );
  if (!engine) {
    const a = Math.cbrt(4 / density);
    for (const one of pairCases)
      await compare(one, await disturbed('fcc', a, repeat, ctx, 2.5), ctx, precision);
  }
  await compare(tripletCase, await crystal(ctx), ctx, precision);
  await compare(embeddedAtomCase, await metal(ctx), ctx, precision);
}
report.add(
  `${particles({ repeat }).toLocaleString('en')} particles, density ${density}, skin ${skin}, one thread or a device; ${repeat ** 3} atoms of silicon and ${4 * repeat ** 3} of a metal; medians of ${passes} evaluations in milliseconds (of processor time on the CPU); the last column is the largest difference of a force by the largest force.`,
);
report.add(
  table(['potential', 'asked for', 'precision', 'by hand', 'derived', 'ratio', 'differ by'], rows),
);
report.finish(options.write);
