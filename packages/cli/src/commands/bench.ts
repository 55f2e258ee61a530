import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exitCode } from '../exitCodes.js';
import { formatTable } from '../output/formatTable.js';
import { rate } from '../output/SpeedMeter.js';
import { loadCommand } from '../program/loadCommand.js';
import type { Streams } from '../Streams.js';
import { templates } from './init/templates.js';

/** Cells of the crystal along each edge, of four atoms. */
const CELLS = 20;
const ATOMS = 4 * CELLS ** 3;
/** Seconds of steps that each machine is given, and the steps of LAMMPS. */
const SECONDS = 6;
const LAMMPS_STEPS = 100;

/** A row of the table. */
export interface BenchRow {
  readonly what: string;
  readonly stepsPerSecond: number;
}

/**
 * `corpuscle bench`: how fast this machine makes steps of the melt of 32,000 atoms: on one thread, on all, on a GPU, and in LAMMPS,
 * where `lmp` is on the PATH. Whole steps are counted, rebuilds of lists included; lists are exact, in LAMMPS as in its own bench.
 */
export async function bench(
  { json, seconds = SECONDS }: { readonly json: boolean; readonly seconds?: number },
  streams: Streams,
): Promise<number> {
  const { probeGpu, availableThreads } = await import('@corpuscle/patterns');
  const all = availableThreads();
  const gpu = await probeGpu();
  const rows: BenchRow[] = [];
  const add = (what: string, stepsPerSecond: number | null) => {
    if (stepsPerSecond !== null) rows.push({ what, stepsPerSecond });
    if (stepsPerSecond !== null && !json) streams.err(`${what}: ${rate(stepsPerSecond)} steps/s\n`);
  };
  for (const threads of all > 1 ? [1, all] : [1])
    add(
      `cpu, ${threads} ${threads > 1 ? 'threads' : 'thread'}, f64`,
      await measure({ backend: 'cpu', threads }, seconds),
    );
  if (gpu.available && !gpu.software)
    add(`webgpu (${gpu.adapter}), f32`, await measure({ backend: 'webgpu' }, seconds));
  add('LAMMPS, 1 process', await measureLammps());
  const cpu = cpus()[0]?.model.trim() ?? 'unknown';
  if (json) {
    streams.out(`${JSON.stringify({ cpu, atoms: ATOMS, rows }, null, 2)}\n`);
    return exitCode.done;
  }
  const cells = rows.map(({ what, stepsPerSecond }) => [
    what,
    rate(stepsPerSecond),
    (stepsPerSecond * ATOMS).toExponential(2).replace('e+', 'e'),
  ]);
  streams.out(`melt of ${ATOMS} atoms, cutoff 2.5, on ${cpu}\n`);
  streams.out(formatTable(['', 'steps/s', 'atom-steps/s'], cells));
  return exitCode.done;
}

/** Steps a second after the first half second, in which kernels are compiled and lists are tuned. */
async function measure(
  wish: { readonly backend: string; readonly threads?: number },
  seconds: number,
): Promise<number> {
  const [{ loadSimulation, runSimulation }, { createRegistry }, { createExecutionContext }] =
    await loadCommand(() =>
      Promise.all([
        import('@corpuscle/core'),
        import('@corpuscle/operators'),
        import('@corpuscle/patterns'),
      ]),
    );
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));
  const file = join(folder, 'melt.yaml');
  const lattice = `repeat: [${CELLS}, ${CELLS}, ${CELLS}]`;
  writeFileSync(file, templates.melt!.yaml.replace('repeat: [10, 10, 10]', lattice));
  const set = [
    'global.end_iteration=100000000',
    'global.thermo_frequency=1000000',
    'dump_data=nop',
  ];
  const enough = new AbortController();
  let first: { step: number; at: number } | undefined;
  let last = { step: 0, at: 0 };
  const began = performance.now();
  await using context = await createExecutionContext(wish);
  try {
    const simulation = loadSimulation([file], { operators: createRegistry(), set });
    await runSimulation(simulation, {
      context,
      outputDirectory: folder,
      signal: enough.signal,
      onProgress({ step }) {
        last = { step, at: performance.now() };
        if (step > 20 && last.at - began > 500) first ??= last;
        if (first && last.at - first.at > 1000 * seconds) enough.abort();
      },
    });
    return ((last.step - first!.step) / (last.at - first!.at)) * 1000;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same melt in LAMMPS; null where it is not on the PATH. */
async function measureLammps(): Promise<number | null> {
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));
  const script = `units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 ${CELLS} 0 ${CELLS} 0 ${CELLS}
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 1 check yes
fix 1 all nve
run ${LAMMPS_STEPS}
`;
  try {
    writeFileSync(join(folder, 'in.melt'), script);
    const { stdout } = await promisify(execFile)('lmp', ['-in', 'in.melt', '-log', 'none'], {
      cwd: folder,
      env: { ...process.env, OMP_NUM_THREADS: '1' },
    });
    const seconds = Number(/Loop time of ([\d.]+)/.exec(stdout)?.[1]);
    return seconds > 0 ? LAMMPS_STEPS / seconds : null;
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
