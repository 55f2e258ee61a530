// What temperature and pressure control cost: steps a second of the Lennard-Jones melt beside NVE in the same process.
//
//   npx tsx bench/ensembles.ts [atoms …, default 64000] [--backend webgpu|cpu] [--threads N] [--steps 4000] [--repeat 3] [--every 1000] [--profile] [--check]
//
// The schemes are run one after the other, and all of them again, --repeat times; the table has medians, and their ratio to NVE.
// "reads" are transfers from the device in the steps that count: rows of the thermo table make some, a step none. "dispatches" are
// those of the same steps, lists and rows among them. `--only 'Bussi;cell rescaling'` leaves out all others but NVE. "user" is
// processor time of all threads: on a busy machine it tells more than the clock. --check instead compares tables of runs with steps
// in series and in a dispatch each, on WebGPU: they must be the same.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { defineOperator, loadSimulation, runSimulation } from '@corpuscle/core';
import { contextOf, createRegistry, gridKey } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import type { GpuEngine } from '../packages/patterns/src/gpu/GpuEngine.js';
import { printKernels } from './support/printKernels.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backend: { type: 'string', default: 'webgpu' },
    threads: { type: 'string' },
    steps: { type: 'string', default: '4000' },
    repeat: { type: 'string', default: '3' },
    every: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    profile: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const steps = Number(options.steps);
const warm = Math.floor(steps / 2);
const backend = options.backend === 'cpu' ? 'cpu' : 'webgpu';

/** Stands for NVE with a bias on the coordination number of 40 atoms. */
const withBias = 'bias';
const bias = `  - coordination: { group_a: { first: 0, last: 39 }, group_b: all, switch: { type: rational, r_0: 1.2, d_max: 2.2 }, harmonic_bias: { at: 150, kappa: 0.05 }, frequency: 1000000, file: cn.csv }
`;
const schemes: Record<string, string> = {
  NVE: 'velocity_verlet',
  'NVE with a bias': withBias,
  Langevin: '{ langevin: { temperature: 0.8, friction: 1.0 } }',
  'Langevin, every 10': '{ langevin: { temperature: 0.8, friction: 1.0, every: 10 } }',
  Bussi: '{ bussi: { temperature: 0.8, tau: 0.5 } }',
  'Nosé–Hoover': '{ nose_hoover: { temperature: 0.8, tau: 0.5 } }',
  'Nosé–Hoover NPT':
    '{ nose_hoover: { temperature: 0.8, tau: 0.5, pressure: 0.5, tau_pressure: 5.0 } }',
  'Bussi, every 10': '{ bussi: { temperature: 0.8, tau: 0.5, every: 10 } }',
  'Nosé–Hoover, every 10': '{ nose_hoover: { temperature: 0.8, tau: 0.5, every: 10 } }',
  'Nosé–Hoover NPT, every 10':
    '{ nose_hoover: { temperature: 0.8, tau: 0.5, pressure: 0.5, tau_pressure: 5.0, every: 10 } }',
  'Nosé–Hoover NPT, aniso':
    '{ nose_hoover: { temperature: 0.8, tau: 0.5, pressure: 0.5, tau_pressure: 5.0, coupling: aniso } }',
  'Nosé–Hoover NPT, triclinic':
    '{ nose_hoover: { temperature: 0.8, tau: 0.5, pressure: 0.5, tau_pressure: 5.0, coupling: triclinic } }',
  'Nosé–Hoover NPH': '{ nose_hoover: { pressure: 0.5, tau_pressure: 5.0 } }',
  'Berendsen NPT, every 10':
    '{ berendsen: { temperature: 0.8, tau: 0.5, pressure: 0.5, tau_pressure: 5.0, every: 10 } }',
  Berendsen: '{ berendsen: { temperature: 0.8, tau: 0.5 } }',
  Andersen: '{ andersen: { temperature: 0.8, rate: 1.0 } }',
  'cell rescaling':
    '[{ bussi: { temperature: 0.8, tau: 0.5, every: 10 } }, { cell_rescale: { temperature: 0.8, pressure: 0.5, tau: 5.0, every: 10 } }]',
};
/**
 * When all was done that had been asked for in the first half of a run, and in all of it. Rows would not do: the longer the
 * windows of the engine are, the later a row arrives.
 */
const marks: number[] = [];
const markTime = defineOperator({
  name: 'mark_time',
  doc: 'Waits for the device, and notes the time.',
  slots: { every: { type: 'integer', min: 1, required: true, doc: 'steps between marks' } },
  every: 'every',
  execute: async ({ state }) => {
    await contextOf(state).device?.finished();
    marks.push(performance.now());
  },
});
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));

interface Measured {
  readonly atoms: number;
  readonly perSecond: number;
  readonly reads: number;
  readonly dispatches: number;
  /** Processor time of a step, in microseconds. */
  readonly user: number;
  /** Rows of the table, and the part of the steps that series have taken. */
  readonly rows: readonly string[];
  readonly inSeries: number;
  /** What the engine says about them. */
  readonly why: string;
}

/** @param series whether steps may be made in series, on a device. */
async function run(cells: number, scheme: string, series = true): Promise<Measured> {
  const threads = options.threads ? { threads: Number(options.threads) } : {};
  await using context = await createExecutionContext({ backend, ...threads });
  const resident = (context.engines.accelerator as GpuEngine | null)?.gpu.resident;
  if (resident && !series) resident.isOn = false;
  const file = join(folder, 'run.yaml');
  writeFileSync(
    file,
    `
configuration: { units: lj, seed: 87287 }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: ${options.every} }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [${cells}, ${cells}, ${cells}], types: [A] }
  - init_temperature: { temperature: 1.6 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
${scheme === withBias ? bias : ''}numerical_scheme: ${scheme === withBias ? 'velocity_verlet' : scheme}
dump_data: [mark_time: { every: ${warm} }]
simulation: molecular_dynamics
`,
  );
  const simulation = loadSimulation([file], { operators: createRegistry().add(markTime) });
  const now = () => ({
    reads: context.device?.counters.downloads ?? 0,
    dispatches: context.device?.counters.dispatches ?? 0,
    user: process.cpuUsage().user,
  });
  const rows: string[] = [];
  let before = now();
  let begun = 0;
  const { state } = await runSimulation(simulation, {
    context,
    outputDirectory: folder,
    onMessage: (text) => void rows.push(text),
    onProgress: ({ step }) => {
      if (begun > 0 || step < warm) return; // some steps are told at once
      [before, begun] = [now(), step];
      if (options.profile) context.device?.startProfile('kernels');
    },
  });
  if (options.profile && context.device)
    printKernels(await context.device.profile(), steps - begun);
  const [start, end] = marks.splice(0).slice(-2) as [number, number];
  return {
    atoms: state.get(gridKey).count,
    perSecond: (1000 * warm) / (end - start),
    rows,
    inSeries: (resident?.counters.steps ?? 0) / steps,
    why: resident?.explain() ?? '',
    ...perStep(before, now(), steps - begun),
  };
}

/** What a step took after the first ones. */
function perStep<N extends string>(
  before: Readonly<Record<N, number>>,
  after: Readonly<Record<N, number>>,
  count: number,
): Record<N, number> {
  const each = (Object.keys(after) as N[]).map((name) => [
    name,
    (after[name] - before[name]) / count,
  ]);
  return Object.fromEntries(each);
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** Schemes to run with so many atoms: more than 4,096 make a bias another thing. */
const schemesOf = (size: number): [name: string, scheme: string][] =>
  Object.entries(schemes).filter(([, scheme]) => scheme !== withBias || size <= 4096);

/** Whether series and single dispatches give the same rows. */
async function check(size: number): Promise<void> {
  for (const [name, scheme] of schemesOf(size)) {
    if (options.only && !options.only.split(';').includes(name)) continue;
    const cells = Math.round(Math.cbrt(size / 4));
    const [apart, whole] = [await run(cells, scheme, false), await run(cells, scheme)];
    const isSame = apart.rows.join() === whole.rows.join();
    console.log(
      `${whole.atoms} atoms | ${name.padEnd(26)} | ${(100 * whole.inSeries).toFixed(0)} % of the steps in series | ${isSame ? 'the same rows' : `OTHER ROWS\n${apart.rows.join('\n')}\n${whole.rows.join('\n')}`}`,
    );
  }
}

const sizes = positionals.length > 0 ? positionals.map(Number) : [64_000];
for (const size of options.check ? sizes : []) await check(size);
for (const size of options.check ? [] : sizes) {
  const found = new Map<string, Measured[]>();
  // The first run compiles, and is not counted.
  await run(Math.round(Math.cbrt(size / 4)), schemes.NVE!);
  for (let k = 0; k < Number(options.repeat); k++)
    for (const [name, scheme] of schemesOf(size)) {
      if (options.only && name !== 'NVE' && !options.only.split(';').includes(name)) continue;
      const measured = await run(Math.round(Math.cbrt(size / 4)), scheme).catch((error: Error) => {
        console.log(`${name}: ${error.message}`);
        return null;
      });
      if (measured) found.set(name, [...(found.get(name) ?? []), measured]);
    }
  const of = (name: string, what: keyof Omit<Measured, 'rows' | 'why'>) =>
    median(found.get(name)!.map((one) => one[what]));
  for (const name of found.keys()) {
    const speed = of(name, 'perSecond');
    const user = of(name, 'user');
    console.log(
      [
        `${of(name, 'atoms')} atoms`,
        name.padEnd(26),
        `${speed.toFixed(0)} steps/s`,
        `${(speed / of('NVE', 'perSecond')).toFixed(3)} of NVE`,
        `${user.toFixed(0)} µs user a step`,
        `${(user / of('NVE', 'user')).toFixed(3)} times NVE`,
        `${of(name, 'dispatches').toFixed(2)} dispatches a step`,
        `${of(name, 'reads').toFixed(3)} reads`,
        `${(100 * of(name, 'inSeries')).toFixed(0)} % in series`,
      ].join(' | '),
    );
    if (backend === 'webgpu' && of(name, 'inSeries') < 0.5)
      console.log(`    ${found.get(name)![0]!.why}`);
  }
}
rmSync(folder, { recursive: true });
