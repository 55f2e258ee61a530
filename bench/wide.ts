// What 64-bit addresses cost, and how large a run can be: the melt in heaps of both kinds, by turns, on one runtime that has both
// (Node 24). `--only wide` makes one large run instead of rounds.
//   node --import tsx bench/wide.ts 32000 1000188 --threads 16 --rounds 5 --steps 100
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSimulation, runSimulation, SharedHeap } from '@corpuscle/core';
import { createRegistry, gridKey } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    steps: { type: 'string', default: '100' },
    warm: { type: 'string', default: '20' },
    precision: { type: 'string', default: 'f64' },
    only: { type: 'string' },
  },
});
const steps = Number(values.steps);
const warm = Number(values.warm);
const sizes = (positionals.length > 0 ? positionals : ['32000']).map(Number);
const MOST_PAGES = { narrow: 65_536, wide: 262_144 } as const;
type Kind = keyof typeof MOST_PAGES;
const kinds: readonly Kind[] = values.only ? [values.only as Kind] : ['narrow', 'wide'];

interface Measured {
  readonly atoms: number;
  /** Seconds until the first steps are done. */
  readonly setUp: number;
  readonly rate: number;
  readonly cpu: number;
  readonly energy: number;
  readonly heap: number;
}

const text = (repeat: number) => `configuration: { units: lj, seed: 87287 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: ${warm + steps}, thermo_frequency: ${warm + steps} }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [${repeat}, ${repeat}, ${repeat}], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
simulation: molecular_dynamics
`;

/** Runs the melt; rates are atom-steps a second after the first steps, by the clock and by processor time. */
async function melt(repeat: number, kind: Kind): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-wide-'));
  const file = join(folder, 'in.yaml');
  writeFileSync(file, text(repeat));
  const heap = new SharedHeap(64, MOST_PAGES[kind]);
  await using context = await createExecutionContext({
    backend: 'cpu',
    threads: Number(values.threads),
    precision: values.precision as 'f64' | 'mixed',
    heap,
  });
  const now = (step: number) => {
    const { user, system } = process.cpuUsage();
    return { step, at: performance.now(), cpu: (user + system) / 1000 };
  };
  const begin = performance.now();
  let first: ReturnType<typeof now> | undefined;
  let last = now(0);
  try {
    const simulation = loadSimulation([file], { operators: createRegistry() });
    const { state } = await runSimulation(simulation, {
      context,
      outputDirectory: folder,
      onProgress({ step }) {
        last = now(step);
        if (step >= warm) first ??= last;
      },
    });
    const { count } = state.get(gridKey);
    const [names, row] = readFileSync(join(folder, 'thermo.csv'), 'utf8').split('\n');
    const column = names!.split(',').indexOf('potential_energy');
    const done = 1000 * count * (last.step - first!.step);
    return {
      atoms: count,
      setUp: (first!.at - begin) / 1000,
      rate: done / (last.at - first!.at),
      cpu: done / (last.cpu - first!.cpu),
      energy: Number(row!.split(',')[column]) / count,
      heap: heap.allocatedBytes,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[list.length >> 1]!;

console.log(
  `${cpus()[0]!.model}, ${cpus().length} cores, Node ${process.version}, ${values.threads} threads, ${values.precision}, cutoff 2.5, skin 0.3, ${steps} steps`,
);
for (const size of sizes) {
  const repeat = Math.round((size / 4) ** (1 / 3));
  const found: Record<Kind, Measured[]> = { narrow: [], wide: [] };
  for (let round = 0; round < Number(values.rounds); round++)
    for (const kind of round % 2 ? kinds.toReversed() : kinds)
      found[kind].push(await melt(repeat, kind));
  for (const kind of kinds) {
    const of = found[kind];
    const { atoms, energy, heap, setUp } = of[0]!;
    console.log(
      `${atoms} atoms, ${kind}: ${median(of.map((m) => m.rate)).toExponential(3)} atom-steps/s, ${median(of.map((m) => m.cpu)).toExponential(3)} by processor time; energy ${energy} each at step 0; ${(heap / atoms).toFixed(0)} bytes each, ${(heap / 2 ** 30).toFixed(2)} GiB; ${(process.memoryUsage.rss() / 2 ** 30).toFixed(2)} GiB resident; ${setUp.toFixed(1)} s until step ${warm}`,
    );
  }
  if (kinds.length > 1) {
    const ratio = (key: 'rate' | 'cpu') =>
      median(found.narrow.map((m, k) => m[key] / found.wide[k]![key])).toFixed(3);
    console.log(
      `  time with 64-bit addresses: ${ratio('rate')} times by the clock, ${ratio('cpu')} by processor time`,
    );
  }
}
