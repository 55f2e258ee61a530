// The Lennard-Jones melt of LAMMPS' bench/in.lj on our CPU engine beside `lmp -sf opt`, in the same minute.
//
//   npx tsx bench/lj-cpu.ts [--repeat 20] [--threads 1] [--steps 200] [--rounds 5] [--precision f64,mixed]
//
// repeat 20: 32,000 particles, density 0.8442, T 1.44, rcut 2.5, skin 0.3, dt 0.005. Two list policies: `exact` rebuilds
// when a particle has moved half the skin; `every 20` is what in.lj does (fast particles outrun such lists).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SharedHeap } from '@corpuscle/core';
import {
  createGrid,
  initTemperature,
  kick,
  kickDrift,
  lattice,
  lennardJonesForce,
  zeroForces,
} from '@corpuscle/operators';
import {
  computeCellParticles,
  createExecutionContext,
  type Precision,
  updateNeighbours,
} from '@corpuscle/patterns';

const { values: options } = parseArgs({
  options: {
    repeat: { type: 'string', default: '20' },
    threads: { type: 'string', default: '1' },
    steps: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    precision: { type: 'string', default: 'f64,mixed' },
    lowering: { type: 'string', default: 'simd' },
  },
});
const [repeat, threads, steps, rounds] = [
  options.repeat,
  options.threads,
  options.steps,
  options.rounds,
].map(Number) as [number, number, number, number];
const [rcut, skin, dt] = [2.5, 0.3, 0.005];

type Policy = 'exact' | 'every 20';

/** A melt that has run for a while; `run` gives steps/s. */
async function melt(precision: Precision, policy: Policy) {
  const ctx = await createExecutionContext({
    backend: 'cpu',
    threads,
    precision,
    lowering: options.lowering as 'simd',
    heap: new SharedHeap(),
  });
  const frame = lattice({ structure: 'fcc', density: 0.8442, repeat: [repeat, repeat, repeat] });
  const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
  initTemperature(grid, { temperature: 1.44, seed: 87287, method: 'lammps_geom' });
  const term = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut });
  const forces = () => {
    computeCellParticles(grid, zeroForces, ctx, {});
    term.compute(grid, ctx, { forces: true, energies: false, totals: false });
  };
  updateNeighbours(grid, ctx, { rcut, skin, force: true });
  forces();
  let step = 0;
  let rebuilds = 0;
  const spent = { lists: 0, forces: 0, rest: 0 };
  const run = (count: number): number => {
    const start = performance.now();
    for (let k = 0; k < count; k++) {
      step++;
      const t0 = performance.now();
      computeCellParticles(grid, kickDrift, ctx, { params: { dt, halfDt: dt / 2 } });
      const t1 = performance.now();
      if (policy === 'exact') {
        if (updateNeighbours(grid, ctx, { rcut, skin }).value.rebuilt) rebuilds++;
      } else if (step % 20 === 0) {
        updateNeighbours(grid, ctx, { rcut, skin, force: true });
        rebuilds++;
      }
      const t2 = performance.now();
      forces();
      const t3 = performance.now();
      computeCellParticles(grid, kick, ctx, { params: { halfDt: dt / 2 } });
      spent.lists += t2 - t1;
      spent.forces += t3 - t2;
      spent.rest += t1 - t0 + performance.now() - t3;
    }
    return (1000 * count) / (performance.now() - start);
  };
  return {
    name: `corpuscle ${precision} ${options.lowering}, lists ${policy}`,
    run: () => run(steps),
    warmUp: () => run(Math.min(steps, 100)),
    details: () =>
      `${(step / Math.max(1, rebuilds)).toFixed(1)} steps a list; ms a step: ` +
      Object.entries(spent)
        .map(([what, ms]) => `${what} ${(ms / step).toFixed(2)}`)
        .join(', '),
    close: () => ctx.close(),
  };
}

const input = `units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 ${repeat} 0 ${repeat} 0 ${repeat}
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut ${rcut}
pair_coeff 1 1 1.0 1.0 ${rcut}
neighbor ${skin} bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
run 100
run ${steps}
`;

/** steps/s of LAMMPS on as many MPI ranks, or null when it is not installed. */
function lammps(): number | null {
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));
  const file = join(folder, 'in.lj');
  writeFileSync(file, input);
  const program = ['lmp', '-sf', 'opt', '-log', 'none', '-in', file];
  const ranks = ['mpirun', '--oversubscribe', '--allow-run-as-root', '-np', String(threads)];
  const [command, ...args] = threads > 1 ? [...ranks, ...program] : program;
  try {
    const text = execFileSync(command!, args, {
      encoding: 'utf8',
      env: { ...process.env, OMP_NUM_THREADS: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const last = text.slice(text.lastIndexOf('Performance:'));
    return Number(/([\d.]+) timesteps\/s/.exec(last)?.[1] ?? Number.NaN);
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const median = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

const runs = [];
for (const precision of options.precision.split(',') as Precision[]) {
  for (const policy of ['every 20', 'exact'] as const) runs.push(await melt(precision, policy));
}
const rates = new Map<string, number[]>();
const note = (name: string, rate: number) => rates.set(name, [...(rates.get(name) ?? []), rate]);
for (const run of runs) run.warmUp();
for (let round = 0; round < rounds; round++) {
  const peer = lammps();
  if (peer) note('lmp -sf opt, lists every 20', peer);
  for (const run of runs) note(run.name, run.run());
}
const count = 4 * repeat ** 3;
console.log(
  `${count} particles, ${threads} thread(s) of ${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(2)}, median of ${rounds}`,
);
const peer = rates.get('lmp -sf opt, lists every 20');
for (const [name, all] of rates) {
  const rate = median(all);
  const ratio = peer ? `${(rate / median(peer)).toFixed(2)} × lmp` : 'no lmp to compare with';
  const details = runs.find((run) => run.name === name)?.details() ?? '';
  console.log(
    `${name.padEnd(40)} ${rate.toFixed(1).padStart(7)} steps/s  ${((rate * count) / 1e6).toFixed(2)} M atom-steps/s  ${ratio}  ${details}`,
  );
}
for (const run of runs) await run.close();
