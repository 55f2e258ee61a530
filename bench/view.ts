// Drawing a Lennard-Jones melt from the buffers of the GPU engine:
//
//   npx tsx bench/view.ts [atoms …, default 1048576 16384000] [--size 1920x1080] [--seconds 2] [--rate 60] [--software]
//
// Three figures a size: frames alone; steps alone; and both, paced as the page is: so many steps lie between two frames that
// these keep their rate, 60 a second, and 30 of more than four million atoms. A frame alone includes waiting for the device.
// Prints medians of five rounds, and what was read back while drawing.
import { parseArgs } from 'node:util';
import { SharedHeap } from '@corpuscle/core';
import {
  createExecutionContext,
  type ExecutionContext,
  type PreparedStep,
  updateNeighbors,
} from '@corpuscle/patterns';
import { type AskedPicture, cameraFor, createView, orbit, Pace } from '@corpuscle/view';
import { deviceMelt } from './melt/deviceMelt.js';
import { system } from './melt/system.js';
import { median } from './support/statistics.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '1920x1080' },
    seconds: { type: 'string', default: '2' },
    rate: { type: 'string' },
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

/** Steps and frames in turn. @returns how many a second, medians of five rounds. */
async function paced(
  ctx: ExecutionContext,
  pace: Pace,
  step: PreparedStep,
  picture: () => Promise<AskedPicture>,
): Promise<{ frames: number; steps: number }> {
  const round = async (length: number) => {
    let [frames, steps] = [0, 0];
    const start = performance.now();
    do {
      const waiting = step.run();
      if (waiting) await waiting;
      steps++;
      await pace.atStep(() => {
        frames++;
        return picture();
      });
    } while (performance.now() - start < 1000 * length);
    await ctx.device!.finished();
    const time = (performance.now() - start) / 1000;
    return { frames: frames / time, steps: steps / time };
  };
  await round(2 * seconds); // finds the pace
  const rounds: Awaited<ReturnType<typeof round>>[] = [];
  for (let k = 0; k < ROUNDS; k++) rounds.push(await round(2 * seconds));
  return {
    frames: median(rounds.map(({ frames }) => frames)),
    steps: median(rounds.map(({ steps }) => steps)),
  };
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
  const rate = Number(options.rate ?? (atoms > 4e6 ? 30 : 60));
  const pace = new Pace({ rate, share: 1 });
  const both = await paced(ctx, pace, step, async () => {
    const before = view.done();
    await draw();
    return { before, done: view.done() };
  });
  const part = (100 * both.steps) / alone;
  console.log(
    `${grid.count} atoms, ${width}x${height} | frames alone ${frames.toFixed(1)} a second (${(1000 / frames).toFixed(2)} ms) | ` +
      `steps alone ${alone.toFixed(0)} a second | with ${pace.steps} steps a frame: ${both.frames.toFixed(1)} frames a second, ` +
      `${both.steps.toFixed(0)} steps a second (${part.toFixed(0)} %) | ` +
      `read back while drawing ${read} bytes | ${ctx.backendReason}`,
  );
  view.close();
  step.close();
}

for (const atoms of positionals.length > 0 ? positionals.map(Number) : [1_048_576, 16_384_000])
  await bench(atoms);
