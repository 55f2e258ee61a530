import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry, defineAnalysis, ledgerKey } from '@corpuscle/operators';
import { createExecutionContext, newestOnHost } from '@corpuscle/patterns';

/** What a run of an ensemble gives, sample by sample. */
export interface EnsembleSamples {
  readonly kinetic: number[];
  readonly potential: number[];
  readonly volume: number[];
  /** Σ m v² of type and axis: 3 · type + axis. */
  readonly parts: number[][];
  /** Pressure times volume: xx, yy, zz, xy, xz, yz. */
  readonly stress: number[][];
  /** Particles of each type. */
  readonly counts: readonly number[];
}

/** Particles of two types and masses, half of them of each. */
const matters = {
  fluid: {
    lattice: 'structure: bcc, density: 0.7, repeat: [3, 3, 3], types: [A, B]',
    rcut: 1.8,
    count: 54,
  },
  crystal: {
    lattice: 'structure: fcc, density: 1.05, repeat: [2, 2, 2], types: [A, A, B, B]',
    rcut: 1.5,
    count: 32,
  },
} as const;

/** A run to sample. */
export interface EnsembleRun {
  readonly scheme: string;
  readonly backend: 'cpu' | 'webgpu';
  readonly steps: number;
  /** Steps before the first sample, and between samples. */
  readonly from: number;
  readonly every: number;
  readonly dt?: number;
  readonly temperature?: number;
  readonly seed?: number;
  /** A crystal keeps its shape where all of the box follows a pressure. Default: the fluid. */
  readonly matter?: keyof typeof matters;
}

/** A few particles of two masses, so that runs of many steps are short. */
export async function sampleEnsemble(run: EnsembleRun): Promise<EnsembleSamples> {
  const { scheme, backend, steps, from, every, dt = 0.005, temperature = 1.5, seed = 5 } = run;
  const { lattice, rcut, count } = matters[run.matter ?? 'fluid'];
  const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-ensemble-'));
  const samples: EnsembleSamples = {
    kinetic: [],
    potential: [],
    volume: [],
    parts: [],
    stress: [],
    counts: [count / 2, count / 2],
  };
  const sampler = defineAnalysis({
    name: 'sample_ensemble',
    doc: 'Takes a sample.',
    slots: {},
    every: () => every,
    from: () => from,
    needs: ['energy', 'virial'],
    requires: [ledgerKey],
    async frame({ grid, ctx, state }) {
      await newestOnHost(grid, ctx);
      const { energy, virial } = await state.get(ledgerKey).totals();
      const [vx, vy, vz] = ['vx', 'vy', 'vz'].map((name) => grid.values(name));
      const [mass, type] = [grid.values('mass'), grid.values('type')];
      const parts = [0, 0, 0, 0, 0, 0];
      for (let row = 0; row < grid.count; row++)
        for (const [axis, v] of [vx!, vy!, vz!].entries())
          parts[3 * Number(type[row]) + axis]! += Number(mass[row]) * Number(v[row]) ** 2;
      samples.parts.push(parts);
      samples.stress.push(stressOf([vx!, vy!, vz!], mass!, virial));
      samples.kinetic.push(parts.reduce((sum, x) => sum + x, 0) / 2);
      samples.potential.push(energy);
      samples.volume.push(grid.domain.volume);
    },
  });
  const file = path.join(folder, 'run.yaml');
  writeFileSync(
    file,
    `configuration: { units: lj, seed: ${seed} }
global: { dt: ${dt}, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: ${steps} }
particle_types: { A: { mass: 1.0 }, B: { mass: 3.0 } }
setup_system:
  - lattice: { ${lattice} }
  - init_temperature: { temperature: ${temperature} }
compute_force:
  - lennard_jones_force: { mixing: lorentz_berthelot, shift: force, pairs: [{ types: [A, A], epsilon: 1, sigma: 1, rcut: ${rcut} }, { types: [B, B], epsilon: 1, sigma: 1, rcut: ${rcut} }] }
dump_data: [sample_ensemble]
numerical_scheme: ${scheme}
simulation: molecular_dynamics
`,
  );
  const operators = createRegistry().add(sampler);
  try {
    const simulation = loadSimulation([file], { operators });
    await using context = await createExecutionContext({ backend, threads: 1 });
    await runSimulation(simulation, { context, outputDirectory: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return samples;
}

const components = [
  [0, 0],
  [1, 1],
  [2, 2],
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/** Σ m v v, and the virial. */
function stressOf(
  v: readonly ArrayLike<number | bigint>[],
  mass: ArrayLike<number | bigint>,
  virial: readonly number[],
): number[] {
  return components.map(([a, b], k) => {
    let sum = virial[k]!;
    for (let row = 0; row < mass.length; row++)
      sum += Number(mass[row]) * Number(v[a]![row]) * Number(v[b]![row]);
    return sum;
  });
}
