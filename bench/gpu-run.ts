// Whole runs on WebGPU as the command makes them, from YAML, with a thermo table: speed, and how busy the host is.
//
//   npx tsx bench/gpu-run.ts [atoms …, default 32000 1048576] [--steps 50000] [--every 100] [--warm 20000] [--threads] [--lose]
//
// Counted from step 20,000, when all kernels and most of the host's code are compiled, to the last. Speed is that of rows as they arrive: the host is some
// windows of steps ahead of the device, and it is the device that is measured. The processor time is that of the whole process, driver threads included;
// it is also told for each fifth of the steps, since V8 still compiles in the first ten seconds or so; --threads names the threads.
// --lose destroys the device in the middle of another run and prints the error.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { defineOperator, loadSimulation, runSimulation } from '@corpuscle/core';
import { contextOf, createRegistry, gridKey, statisticsKey } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { type ProcessorTime, processorTime, processorUse } from './support/processorTime.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string', default: '50000' },
    every: { type: 'string', default: '100' },
    warm: { type: 'string', default: '20000' },
    threads: { type: 'boolean', default: false },
    lose: { type: 'boolean', default: false },
  },
});
/** Steps left out at the beginning. */
const WARM = Number(options.warm);
/** Parts of the run whose processor time is told. */
const PARTS = 5;
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));

const yaml = (cells: number, steps: number, extra = ''): string => `
configuration: { units: lj, seed: 87287 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: ${options.every} }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [${cells}, ${cells}, ${cells}], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
simulation: molecular_dynamics
${extra}`;

const loseDevice = defineOperator({
  name: 'lose_device',
  doc: 'Destroys the device.',
  slots: {},
  execute({ state }) {
    const { gpu } = contextOf(state).engines.accelerator as unknown as {
      gpu: { device: GPUDevice };
    };
    if (state.step === 2500) gpu.device.destroy();
  },
});

async function run(cells: number, steps: number, extra = ''): Promise<void> {
  await using context = await createExecutionContext({ backend: 'webgpu' });
  const file = join(folder, 'run.yaml');
  writeFileSync(file, yaml(cells, steps, extra));
  const simulation = loadSimulation([file], { operators: createRegistry().add(loseDevice) });
  const now = () => ({
    processor: processorTime(),
    loop: performance.eventLoopUtilization(),
    counters: { ...context.device!.counters },
  });
  let from = now();
  /** The step at which it counts from: some steps are told at once. */
  let begun = 0;
  const part = Math.ceil((steps - WARM) / PARTS);
  const looks: ProcessorTime[] = [];
  const every = Number(options.every);
  /** When rows of the table arrived, after its head. */
  const arrived: number[] = [];
  const { state } = await runSimulation(simulation, {
    context,
    outputDirectory: folder,
    onMessage: () => arrived.push(performance.now()),
    onProgress: ({ step }) => {
      if (step < WARM) return;
      if (begun === 0) [from, begun] = [now(), step];
      if (step >= begun + looks.length * part) looks.push(processorTime());
    },
  });
  await context.device!.finished();
  const to = now();
  const counted = state.step - begun;
  const first = Math.ceil(WARM / every);
  const last = arrived.length - 2;
  const each = (arrived[last + 1]! - arrived[first + 1]!) / ((last - first) * every);
  const atoms = state.get(gridKey).count;
  const used = processorUse(from.processor, to.processor, counted);
  const parts = looks.slice(1).map((look, k) => {
    const before = looks[k]!;
    return ((0.1 * (look.all - before.all)) / (part * each)).toFixed(1);
  });
  const { active } = performance.eventLoopUtilization(to.loop, from.loop);
  const count = (name: keyof typeof to.counters) => to.counters[name] - from.counters[name];
  console.log(
    `${atoms} atoms | ${counted} steps, ${last + 1} rows | ${((1000 * atoms) / each).toExponential(3)} atom-steps/s | ` +
      `processor ${((0.1 * used.all) / each).toFixed(1)} % of a core (by fifths ${parts.join(' ')}; all threads ${used.all.toFixed(1)} µs a step, the main one ${used.main.toFixed(1)}; event loop ${((1000 * active) / counted).toFixed(1)} µs a step) | ` +
      `to the device ${count('uploadedBytes')} B, back ${(count('downloadedBytes') / 1024).toFixed(1)} KiB in ${count('downloads')} reads, ` +
      `${count('submits')} submits, ${count('dispatches')} dispatches, ${count('polls')} polls | ${state.get(statisticsKey).updates.rebuilds} rebuilds`,
  );
  if (options.threads) {
    const others = used.others.map(([name, time]) => `${name} ${time.toFixed(2)}`).join(', ');
    console.log(`    other threads, µs a step: ${others}; ${used.system.toFixed(1)} in the kernel`);
  }
}

const sizes = positionals.length > 0 ? positionals.map(Number) : [32_000, 1_048_576];
for (const atoms of sizes) await run(Math.round(Math.cbrt(atoms / 4)), Number(options.steps));
if (options.lose) {
  const error = await run(20, 3000, 'dump_data: [lose_device]').catch(
    (failure: unknown) => failure,
  );
  console.log(`forced loss at step 2500: ${(error as Error | undefined)?.message ?? 'no error'}`);
}
rmSync(folder, { recursive: true });
