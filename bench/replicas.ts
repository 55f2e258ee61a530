// Replicas of a melt that take their steps together on one WebGPU device, beside one that is alone:
//
//   npx tsx bench/replicas.ts [1 8 64] [--atoms 500] [--steps 60000] [--scheme velocity_verlet] [--every 1000]
//
// Each is a simulation from YAML, with a row of its thermo table every so many steps; only the steps after the first row of the second
// half are timed. Steps a second are those of all replicas.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { openReplicas } from '@corpuscle/patterns/replicas';
import { system } from './melt/system.js';
import { table } from './support/table.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    atoms: { type: 'string', default: '500' },
    steps: { type: 'string', default: '60000' },
    scheme: { type: 'string', default: 'velocity_verlet' },
    every: { type: 'string', default: '1000' },
  },
});
const counts = (positionals.length > 0 ? positionals : ['1', '8', '64']).map(Number);
const steps = Number(options.steps);
const cells = Math.round(Math.cbrt(Number(options.atoms) / 4));
const { density, rcut, skin } = system;
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));

/** A melt with velocities of its own. */
function simulationOf(seed: number) {
  const file = join(folder, `${seed}.yaml`);
  writeFileSync(
    file,
    `
configuration: { units: lj, seed: ${seed} }
global: { dt: 0.004, rcut_inc: ${skin}, end_iteration: ${steps}, thermo_frequency: ${options.every} }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: ${density}, repeat: [${cells}, ${cells}, ${cells}], types: [A] }
  - init_temperature: { temperature: 1.6 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: ${rcut} }
numerical_scheme: ${options.scheme}
simulation: molecular_dynamics
`,
  );
  return loadSimulation([file], { operators: createRegistry() });
}

/** The step of the first row of the second half. */
const middle = Number(options.every) * Math.ceil(steps / 2 / Number(options.every));

/** Milliseconds of the steps of so many replicas from that row on, and of the main thread in them. */
async function timeOf(count: number) {
  const replicas = count > 1 ? await openReplicas(count) : null;
  const middles: number[] = [];
  const ends: number[] = [];
  const actives: number[] = [];
  const run = async (_: unknown, seed: number): Promise<void> => {
    await using context = replicas
      ? await replicas.context()
      : await createExecutionContext({ backend: 'webgpu' });
    using _run = await runSimulation(simulationOf(seed + 1), {
      context,
      outputDirectory: join(folder, `${count}-${seed}`),
      onMessage(line) {
        if (Number.parseInt(line, 10) !== middle) return;
        middles.push(performance.now());
        actives.push(performance.eventLoopUtilization().active);
      },
    });
    ends.push(performance.now());
    actives.push(performance.eventLoopUtilization().active);
  };
  await Promise.all(Array.from({ length: count }, run));
  await replicas?.[Symbol.asyncDispose]();
  // From the first that comes there: one that lags behind would count its steps for nothing.
  const time = Math.max(...ends) - Math.min(...middles);
  return { time, busy: (Math.max(...actives) - Math.min(...actives)) / time };
}

const rows: (string | number)[][] = [];
let alone = 0;
for (const count of counts) {
  const { time, busy } = await timeOf(count);
  const speed = (count * (steps - middle)) / (time / 1000);
  if (count === 1) alone = speed;
  const ratio = alone > 0 ? (speed / alone).toFixed(2) : '–';
  rows.push([
    count,
    Math.round(speed).toLocaleString('en-US'),
    ratio,
    `${Math.round(100 * busy)} %`,
  ]);
}
console.log(table(['replicas', 'steps/s in all', '÷ one', 'main thread'], rows));
rmSync(folder, { recursive: true });
