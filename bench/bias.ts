// NVE with a harmonic bias on the coordination number of 40 particles with all, or with each other, beside NVE alone, on WebGPU:
//
//   npx tsx bench/bias.ts [--atoms 864] [--steps 200000] [--rounds 5] [--warm 5] [--within] [--biases N] [--path P] [--lanes N] [--profile] [--software]
//
// Rounds alternate, after so many seconds in which V8 compiles; the median of the ratios within a round is printed, the main thread's part of
// the time, and what the device was read for in a round.
// --within takes pairs of the 40 alone. --biases takes several, each of other particles. --path sets where pairs come from (all_pairs, neighbor_lists). --lanes sets the threads an atom.
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { SharedHeap } from '@corpuscle/core';
import {
  coordinationBias,
  createGrid,
  initTemperature,
  lattice,
  lennardJonesForce,
  molecularDynamics,
} from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { system } from './melt/system.js';
import { gpuInternals } from './support/gpuInternals.js';
import { printKernels } from './support/printKernels.js';
import { median } from './support/statistics.js';

const { values: options } = parseArgs({
  options: {
    atoms: { type: 'string', default: '864' },
    steps: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
    warm: { type: 'string', default: '5' },
    within: { type: 'boolean', default: false },
    biases: { type: 'string', default: '1' },
    path: { type: 'string' },
    lanes: { type: 'string' },
    profile: { type: 'boolean', default: false },
    software: { type: 'boolean', default: false },
  },
});
if (options.software) process.env.CORPUSCLE_SOFTWARE_GPU = '1';
const { density, temperature, rcut, skin, seed } = system;
const steps = Number(options.steps);
const repeat = Math.round(Math.cbrt(Number(options.atoms) / 4));

await using ctx = await createExecutionContext({ backend: 'webgpu', heap: new SharedHeap() });
const device = ctx.device!;
if (options.lanes) gpuInternals(ctx).pairs.lanes = Number(options.lanes);

/** Milliseconds in which the main thread was not idle. */
const activeTime = (): number => performance.eventLoopUtilization().active;

/** A melt with a time step that a bias bears, and how to go on with it. */
function melt(biased: boolean) {
  const crystal = lattice({ structure: 'fcc', density, repeat: [repeat, repeat, repeat] });
  const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
  initTemperature(grid, { temperature, seed, method: 'lammps_geom' });
  const pairs = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut, shift: 'force' });
  const biases = Array.from({ length: Number(options.biases) }, (_, k) =>
    coordinationBias(ctx, {
      groupA: { first: 40 * k, last: 40 * k + 39 },
      groupB: options.within ? undefined : 'all',
      switch: { type: 'rational', r0: 1.2, dMax: 2.2 },
      ...(options.path && { path: options.path as 'all_pairs' | 'neighbor_lists' }),
      harmonicBias: { at: options.within ? 60 : 150, kappa: 0.05 },
    }),
  );
  const forces = biased ? [pairs, ...biases] : [pairs];
  /** @returns microseconds a step, those of the main thread, and reads of the device. */
  const run = async () => {
    const before = { ...device.counters };
    const [start, active] = [performance.now(), activeTime()];
    await molecularDynamics(grid, ctx, { forces, dt: 0.002, steps, skin, thermoFrequency: steps });
    const time = (1000 * (performance.now() - start)) / steps;
    const main = (1000 * (activeTime() - active)) / steps;
    const { downloads, downloadedBytes } = device.counters;
    return {
      time,
      main,
      downloads: downloads - before.downloads,
      bytes: downloadedBytes - before.downloadedBytes,
    };
  };
  return { grid, run };
}

const [free, biased] = [melt(false), melt(true)];
const begun = performance.now();
do {
  await free.run();
  await biased.run();
} while (performance.now() - begun < 1000 * Number(options.warm));
const ratios: number[] = [];
const times: [number, number][] = [];
const mains: [number, number][] = [];
let reads = '';
for (let round = 0; round < Number(options.rounds); round++) {
  const [one, other] = [await free.run(), await biased.run()];
  ratios.push(other.time / one.time);
  times.push([one.time, other.time]);
  mains.push([one.main, other.main]);
  reads = `reads in ${steps} steps: ${one.downloads} (${one.bytes} bytes) and ${other.downloads} (${other.bytes} bytes)`;
}
const [nve, withBias] = [0, 1].map((k) => median(times.map((pair) => pair[k]!)));
const [main, mainWithBias] = [0, 1].map((k) => median(mains.map((pair) => pair[k]!)));
console.log(
  `${free.grid.count} atoms, density ${density}, cutoff ${rcut}, skin ${skin}, dt 0.002, f32, rows every ${steps} steps | ` +
    `NVE ${nve!.toFixed(1)} µs a step (main thread ${main!.toFixed(1)}), with a bias of 40 of them${options.within ? ' with each other' : ''} ${withBias!.toFixed(1)} (${mainWithBias!.toFixed(1)}): ratio ${median(ratios).toFixed(2)} ` +
    `(${Math.min(...ratios).toFixed(2)} … ${Math.max(...ratios).toFixed(2)}, ${ratios.length} rounds) | ${reads} | ${ctx.backendReason}`,
);
if (options.profile)
  for (const { run } of [free, biased]) {
    device.startProfile('kernels');
    await run();
    printKernels(await device.profile(), steps);
  }
