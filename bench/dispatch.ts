// The cost of one empty pattern call on 1 and 2 threads, and the processor time of threads that have nothing to do.
//
//   npx tsx bench/dispatch.ts [--threads 1,2] [--calls 20000] [--write]
//
// Awake: one call after the other. Asleep: after 5 ms without a call, when workers have gone to sleep.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SharedHeap } from '@corpuscle/core';
import { createGrid, lattice } from '@corpuscle/operators';
import {
  blockFunctor,
  blockParallelFor,
  cellFunctor,
  computeCellParticlePairs,
  computeCellParticles,
  createExecutionContext,
  type ExecutionContext,
  pairFunctor,
  reduceCellParticles,
  reduceFunctor,
  updateNeighbors,
} from '@corpuscle/patterns';
import { Report } from './support/Report.js';
import { median, quantile } from './support/statistics.js';
import { table } from './support/table.js';

const { values: options } = parseArgs({
  options: {
    threads: { type: 'string', default: '1,2' },
    calls: { type: 'string', default: '20000' },
    write: { type: 'boolean', default: false },
  },
});
const calls = Number(options.calls);

const block = blockFunctor({ name: 'empty_block', arrays: {} }, () => {});
const cell = cellFunctor({ name: 'empty_cell', fields: {} }, () => {});
const reduce = reduceFunctor({ name: 'empty_reduce', result: { n: 'sum' }, read: {} }, () => {});
const pair = pairFunctor(
  { name: 'empty_pair', central: { fx: 'real' }, traits: { newton3: true } },
  () => {},
);

/** One call of each pattern; every one of them uses all threads. */
function patterns(ctx: ExecutionContext): Record<string, () => unknown> {
  const A = [{ name: 'A', mass: 1 }];
  const fcc = (n: number, latticeConstant: number) =>
    lattice({ structure: 'fcc', latticeConstant, repeat: [n, n, n] });
  const many = createGrid(fcc(6, 1.7), A, ctx.heap); // 864, more than one chunk
  const few = createGrid(fcc(2, 10), A, ctx.heap); // 32 with 192 pairs
  const near = { rcut: 7.2, skin: 0.3 };
  updateNeighbors(few, ctx, near);
  return {
    'blockParallelFor, 2 blocks': () => blockParallelFor(2, block, ctx),
    'computeCellParticles, 864 particles': () => computeCellParticles(many, cell, ctx),
    'reduceCellParticles, 864 particles': () => reduceCellParticles(many, reduce, {}, ctx),
    'computeCellParticlePairs, 192 pairs': () =>
      computeCellParticlePairs(few, pair, ctx, { rcut: near.rcut }),
    'updateNeighbors, nothing moved': () => updateNeighbors(few, ctx, near),
  };
}

/** Microseconds of each call, in tight succession. */
function awake(call: () => unknown): number[] {
  const times: number[] = [];
  for (let k = 0; k < calls; k++) {
    const start = performance.now();
    call();
    times.push(1000 * (performance.now() - start));
  }
  return times.slice(calls / 2); // warm
}

async function asleep(call: () => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let k = 0; k < 40; k++) {
    await sleep(5);
    const start = performance.now();
    call();
    times.push(1000 * (performance.now() - start));
  }
  return times;
}

/** Milliseconds of processor time that all threads of this process take in a second of doing nothing. */
async function idleSecond(): Promise<number> {
  const before = process.cpuUsage();
  await sleep(1000);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const report = new Report('dispatch: cost of an empty call');
const rows: string[][] = [];
const idle: string[] = [];
for (const threads of options.threads.split(',').map(Number)) {
  const ctx = await createExecutionContext({ backend: 'cpu', threads, heap: new SharedHeap() });
  await ctx.ready();
  for (const [name, call] of Object.entries(patterns(ctx))) {
    const times = awake(call);
    const late = await asleep(call);
    rows.push([
      name,
      String(ctx.threads),
      ...[median(times), quantile(times, 0.9), median(late)].map((value) => value.toFixed(2)),
    ]);
  }
  const [first, second] = [await idleSecond(), await idleSecond()];
  idle.push(
    `${ctx.threads} thread(s) without work used ${first.toFixed(1)} ms of processor time in the first second and ${second.toFixed(1)} ms in the second.`,
  );
  await ctx.close();
}
report.add(`Microseconds a call; ${calls} calls, the first half not counted.`);
report.add(table(['call', 'threads', 'median', '90 %', 'median asleep'], rows));
report.add(idle.join('\n'));
report.finish(options.write);
