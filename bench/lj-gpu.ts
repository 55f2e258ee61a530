// The Lennard-Jones melt on WebGPU, whole NVE steps with rebuilds:
//
//   npx tsx bench/lj-gpu.ts [atoms …, default 32000 1048576] [--precision f32] [--rounds 5] [--seconds 1] [--warm 5] [--melt 600] [--stages] [--quick] [--profile] [--threads] [--check]
//     [--twice] [--no-twin] [--software] [--series on|off|both] [--lanes N] [--skin S] [--in-place N]
//
// Up to --in-place atoms (4096) lists are built without a sort, within series. Atoms are rounded to a cube of fcc cells. Lists are exact: rebuilt before any particle has moved half the skin. A round
// is timed from an idle device to an idle device, so that repeated steps and the last read-back count. Prints the median.
// Processor time is that of all rounds and all threads. V8 compiles in the first ten seconds or so, most of it in the first
// five, which come before the rounds (--warm 5). --threads names the threads.
// Up to some ten thousand atoms series of steps are one dispatch: --series off takes a dispatch each, both compares them in
// one run. --lanes sets the threads an atom, --skin how far lists reach beyond the cutoff (0.3).
// --stages tells when each part of a long benchmark is done. --quick: velocities are uniform numbers, which are made soon.
// Its twin in CUDA (cuda/lj.cu, f32) is built where there is nvcc, and timed after each size. --check compares forces with the CPU's in f64, --twice the bits of two deterministic runs.
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { SharedHeap } from '@corpuscle/core';
import { lennardJonesForce, sampleThermo, zeroForces } from '@corpuscle/operators';
import {
  computeCellParticles,
  createExecutionContext,
  type ExecutionContext,
  newestOnHost,
  type Precision,
  type PreparedStep,
  updateNeighbors,
} from '@corpuscle/patterns';
import { deviceMelt } from './melt/deviceMelt.js';
import { system } from './melt/system.js';
import { cudaTwin } from './support/cudaTwin.js';
import { forceDifference, forcesById } from './support/forces.js';
import { gpuInternals } from './support/gpuInternals.js';
import { printKernels } from './support/printKernels.js';
import { processorTime, processorUse } from './support/processorTime.js';
import { median } from './support/statistics.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    precision: { type: 'string', default: 'f32' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    warm: { type: 'string', default: '5' },
    stages: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    melt: { type: 'string', default: '600' },
    profile: { type: 'boolean', default: false },
    threads: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
    'no-twin': { type: 'boolean', default: false },
    software: { type: 'boolean', default: false },
    series: { type: 'string', default: 'on' },
    lanes: { type: 'string' },
    skin: { type: 'string' },
    'in-place': { type: 'string' },
  },
});
if (options.software) process.env.CORPUSCLE_SOFTWARE_GPU = '1';
const precision = options.precision as Precision;
const { density, rcut, dt } = system;
const skin = Number(options.skin ?? system.skin);
const request = { backend: 'webgpu', threads: 1, precision } as const;

/** A melt at its start, and how to go on with it. */
function melt(atoms: number, ctx: ExecutionContext) {
  const gpu = ctx.device!;
  let rebuilds = 0;
  const { grid, prepare } = deviceMelt(
    ...([atoms, ctx, skin, () => rebuilds++] as const),
    options.quick ? 'quick' : 'lammps',
  );
  const term = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut });
  const forces = (totals: boolean) => {
    computeCellParticles(grid, zeroForces, ctx, {});
    return term.compute(grid, ctx, { forces: true, energies: false, totals });
  };
  let step: PreparedStep | null = null;
  /** Takes steps and waits for the last. @returns seconds, and how often lists were built. */
  const run = async (steps: number): Promise<{ seconds: number; rebuilds: number }> => {
    rebuilds = 0;
    const start = performance.now();
    step ??= prepare();
    await step.run(steps);
    await gpu.finished();
    const seconds = (performance.now() - start) / 1000;
    return { seconds, rebuilds };
  };
  return { gpu, grid, term, forces, run };
}

/** A digest of all positions and velocities after some steps. */
async function fingerprint(atoms: number, steps: number): Promise<string> {
  await using ctx = await createExecutionContext({
    ...request,
    deterministic: true,
    heap: new SharedHeap(),
  });
  const { grid, forces, run } = melt(atoms, ctx);
  await updateNeighbors(grid, ctx, { rcut, skin, force: true });
  forces(false);
  await run(steps);
  await newestOnHost(grid, ctx);
  const hash = createHash('sha256');
  for (const name of ['rx', 'ry', 'rz', 'vx', 'vy', 'vz']) {
    const values = grid.values(name);
    hash.update(Float64Array.from(grid.rowsById(), (row) => values[row]!));
  }
  return hash.digest('hex').slice(0, 16);
}

/** @param series whether series of steps are one dispatch. @returns atom-steps a second. */
async function bench(atoms: number, series: boolean): Promise<number> {
  await using ctx = await createExecutionContext({ ...request, heap: new SharedHeap() });
  const { resident, pairs, neighbors, speculation } = gpuInternals(ctx);
  resident.isOn = series;
  if (options['in-place']) neighbors.builder.inPlace.upTo = Number(options['in-place']);
  if (options.lanes) pairs.lanes = Number(options.lanes);
  const asked = performance.now();
  const done = (what: string) => {
    if (options.stages)
      console.log(
        `    ${what}: ${((performance.now() - asked) / 1000).toFixed(1)} s, ${(ctx.device!.counters.allocatedBytes / 2 ** 30).toFixed(1)} GiB on the device`,
      );
  };
  const { gpu, grid, term, forces, run } = melt(atoms, ctx);
  const energy = async (): Promise<number> => {
    const totals = Promise.resolve(forces(true)).then((values) => term.totals(values));
    const row = await sampleThermo(grid, ctx, { step: 0, time: 0, totals });
    return row.total_energy / grid.count;
  };

  const started = performance.now();
  done('set-up');
  await updateNeighbors(grid, ctx, { rcut, skin, force: true });
  const first = await energy();
  const begun = performance.now();
  done('first lists and energy');
  // The crystal must have melted: it is hotter before, and lists last shorter.
  await run(Number(options.melt));
  done('melted');
  let steps = 20;
  let { seconds } = await run(steps);
  while (seconds < Number(options.seconds) && steps < 50_000) {
    steps = Math.ceil(steps * Math.min(8, (1.2 * Number(options.seconds)) / seconds));
    ({ seconds } = await run(steps));
  }
  const warmUntil = begun + 1000 * Number(options.warm);
  while (performance.now() < warmUntil) await run(steps);
  const times: number[] = [];
  const looks = [processorTime()];
  let rebuilds = 0;
  const { dispatches } = gpu.counters;
  const before = { ...resident.counters };
  const { repeats } = speculation;
  for (let round = 0; round < Number(options.rounds); round++) {
    const taken = await run(steps);
    times.push(taken.seconds);
    rebuilds += taken.rebuilds;
    looks.push(processorTime());
  }
  const all = steps * times.length;
  const each = (gpu.counters.dispatches - dispatches) / all;
  const used = processorUse(looks[0]!, looks.at(-1)!, all);
  const percent = (microseconds: number, seconds: number) => (1e-4 * microseconds) / seconds;
  const busy = percent(used.all * all, (looks.at(-1)!.at - looks[0]!.at) / 1000);
  const rates = times.map((time) => (steps * grid.count) / time);
  const drift = Math.abs((await energy()) / first - 1);
  const lasts = all / rebuilds;
  console.log(
    `corpuscle webgpu ${precision} | ${grid.count} atoms | density ${density}, cutoff ${rcut}, skin ${skin}, dt ${dt} | ` +
      `${median(rates).toExponential(3)} atom-steps/s (${Math.min(...rates).toExponential(2)} … ${Math.max(...rates).toExponential(2)}, ${times.length} rounds of ${steps} steps) | ` +
      `${((1e3 * median(times)) / steps).toFixed(4)} ms a step | lists exact, last ${lasts.toFixed(1)} steps, ${each.toFixed(2)} dispatches a step | ` +
      `host ${busy.toFixed(1)} % of a core (all threads ${used.all.toFixed(1)} µs a step, the main one ${used.main.toFixed(1)}) | energy off by ${drift.toExponential(1)} | ${ctx.backendReason}`,
  );
  const gibibytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(2)} GiB`;
  console.log(
    `    memory: ${gibibytes(gpu.counters.allocatedBytes)} on the device, ${gibibytes(process.memoryUsage().rss)} on the host, ${gibibytes(1024 * process.resourceUsage().maxRSS)} at most | ` +
      `set-up ${((started - asked) / 1000).toFixed(1)} s, first lists and forces ${((begun - started) / 1000).toFixed(1)} s`,
  );
  const inSeries = resident.counters.steps - before.steps;
  const length = inSeries / (resident.counters.series - before.series || 1);
  console.log(
    `    ${(median(rates) / grid.count).toFixed(0)} steps/s | series ${resident.isOn ? 'on' : 'off'}: ${((100 * inSeries) / all).toFixed(0)} % of the steps, ${length.toFixed(1)} steps each | ${speculation.repeats - repeats} windows repeated, rounds ${times.map((time) => ((1e3 * time) / steps).toFixed(2)).join(', ')} ms a step`,
  );
  if (options.threads) {
    const rounds = times.map((time, k) => percent(looks[k + 1]!.all - looks[k]!.all, time));
    const others = used.others.map(([name, time]) => `${name} ${time.toFixed(2)}`).join(', ');
    console.log(
      `    host by rounds, % of a core: ${rounds.map((part) => part.toFixed(1)).join(' ')}`,
    );
    console.log(`    other threads, µs a step: ${others}; ${used.system.toFixed(1)} in the kernel`);
  }
  if (options.profile) {
    gpu.startProfile('kernels');
    const profiled = Math.min(steps, 500);
    await run(profiled);
    printKernels(await gpu.profile(), profiled);
  }
  if (options.check) {
    // Forces and energy of the melt as it is now against the CPU in f64, by particle.
    const ourEnergy = term.totals(await forces(true)).energy;
    await newestOnHost(grid, ctx);
    const ours = forcesById(grid);
    await using cpu = await createExecutionContext({
      backend: 'cpu',
      threads: 1,
      precision: 'f64',
      heap: ctx.heap,
    });
    updateNeighbors(grid, cpu, { rcut, skin, force: true });
    computeCellParticles(grid, zeroForces, cpu, {});
    const exactEnergy = term.totals(
      await term.compute(grid, cpu, { forces: true, energies: false, totals: true }),
    ).energy;
    const { rms, most } = forceDifference(ours, forcesById(grid));
    const energyOff = Math.abs(ourEnergy / exactEnergy - 1).toExponential(2);
    console.log(
      `    against the CPU in f64: forces off by ${rms.toExponential(2)} (relative rms), at most ${most.toExponential(2)} of the largest force; potential energy by ${energyOff}`,
    );
  }
  if (options.twice) {
    const [first, second] = [await fingerprint(atoms, 2000), await fingerprint(atoms, 2000)];
    const same = first === second ? 'the same bits' : 'DIFFERENT bits';
    console.log(`    two deterministic runs of 2000 steps: ${same} (${first}, ${second})`);
  }
  return median(rates);
}

const sizes = positionals.length > 0 ? positionals.map(Number) : [32_000, 1_048_576];
const left = options['no-twin'] || options.software ? 'it was not asked for' : '';
const twin = left || cudaTwin('lj');
if (typeof twin === 'string') console.log(`CUDA twin left out: ${twin}`);
const ways = { on: [true], off: [false], both: [true, false] }[options.series] ?? [true];
for (const atoms of sizes) {
  let rate = 0;
  for (const way of ways) rate = Math.max(rate, await bench(atoms, way));
  if (typeof twin === 'string') continue;
  const its = twin.run([String(atoms)]);
  if (typeof its === 'string') console.log(`CUDA twin left out: ${its}`);
  else {
    const rated = Number(/([\d.e+]+) atom-steps/.exec(its.printed)?.[1]);
    console.log(`${its.printed}\n    ours ÷ CUDA twin: ${(rate / rated).toFixed(2)}`);
  }
}
if (typeof twin !== 'string') twin.close();
