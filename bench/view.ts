// Drawing a Lennard-Jones melt from the buffers of the GPU engine:
//
//   npx tsx bench/view.ts [atoms …, default 1048576 16384000] [--size 1920x1080] [--seconds 2] [--rate 60] [--software]
//
// Three figures a size: frames alone; steps alone; and both, with as many steps a frame as fit into its time at --rate beside
// the drawing. A frame alone includes waiting for the device. Prints medians of five rounds, and what was read back.
import { parseArgs } from 'node:util';
import { SharedHeap } from '@corpuscle/core';
import {
  createExecutionContext,
  type ExecutionContext,
  updateNeighbors,
} from '@corpuscle/patterns';
import { cameraFor, createView, orbit } from '@corpuscle/view';
import { deviceMelt } from './melt/deviceMelt.js';
import { system } from './melt/system.js';
import { median } from './support/statistics.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '1920x1080' },
    seconds: { type: 'string', default: '2' },
    rate: { type: 'string', default: '60' },
    software: { type: 'boolean', default: false },
  },
});
if (options.software) process.env.CORPUSCLE_SOFTWARE_GPU = '1';
const ROUNDS = 5;
const [width, height] = options.size.split('x').map(Number) as [number, number];
const seconds = Number(options.seconds) / ROUNDS;

/** Repeats something in five rounds, as often as takes a while. @returns how often a second, the median. */
async function rateOf(ctx: ExecutionContext, work: () => Promise<void>): Promise<number> {
  const round = async (times: number): Promise<number> => {
    await ctx.device!.finished();
    const start = performance.now();
    for (let k = 0; k < times; k++) await work();
    await ctx.device!.finished();
    return (performance.now() - start) / 1000;
  };
  await round(1);
  const times = Math.max(1, Math.ceil((3 * seconds) / (await round(3))));
  const rates: number[] = [];
  for (let k = 0; k < ROUNDS; k++) rates.push(times / (await round(times)));
  return median(rates);
}

async function bench(atoms: number): Promise<void> {
  const heap = new SharedHeap();
  await using ctx = await createExecutionContext({ backend: 'webgpu', threads: 1, heap });
  const { grid, prepare } = deviceMelt(atoms, ctx);
  await updateNeighbors(grid, ctx, { rcut: system.rcut, skin: system.skin, force: true });
  const step = prepare();
  const device = ctx.device!;
  await step.run(options.software ? 5 : 600);
  const look = { color: { field: 'vx', range: [-3, 3] } } as const;
  const view = createView({ context: ctx, grid, size: [width, height], look });
  let camera = cameraFor(grid.domain, { aspect: width / height });
  const draw = async () => {
    camera = orbit(camera, 0.01, 0);
    await view.draw(camera);
  };
  await draw();
  const { downloadedBytes } = device.counters;
  for (let k = 0; k < 10; k++) await draw();
  const read = device.counters.downloadedBytes - downloadedBytes;
  const frames = await rateOf(ctx, async () => {
    await draw();
    await device.finished();
  });
  const batch = options.software ? 1 : 50;
  const alone = batch * (await rateOf(ctx, async () => step.run(batch)));
  const perFrame = Math.max(1, Math.floor(alone * (1 / Number(options.rate) - 1 / frames)));
  const both = await rateOf(ctx, async () => {
    await step.run(perFrame);
    await draw();
  });
  const part = (100 * both * perFrame) / alone;
  console.log(
    `${grid.count} atoms, ${width}x${height} | frames alone ${frames.toFixed(1)} a second (${(1000 / frames).toFixed(2)} ms) | ` +
      `steps alone ${alone.toFixed(0)} a second | with ${perFrame} steps a frame: ${both.toFixed(1)} frames a second, ` +
      `${(both * perFrame).toFixed(0)} steps a second (${part.toFixed(0)} %) | ` +
      `read back while drawing ${read} bytes | ${ctx.backendReason}`,
  );
  view.close();
  step.close();
}

for (const atoms of positionals.length > 0 ? positionals.map(Number) : [1_048_576, 16_384_000])
  await bench(atoms);
