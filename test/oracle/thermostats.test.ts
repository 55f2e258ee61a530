import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry, gridKey } from '@corpuscle/operators';
import { createExecutionContext, newestOnHost, type Precision } from '@corpuscle/patterns';
import { afterAll, describe, expect, it } from 'vitest';
import { EDGE, MASSES, start } from '../data/thermostats/start.js';

interface Reference {
  readonly kinetic: readonly number[];
  readonly potential: readonly number[];
  readonly positions: readonly number[];
}

const file = new URL('../data/thermostats/lammps.json', import.meta.url);
const { runs } = JSON.parse(readFileSync(file, 'utf8')) as { runs: Record<string, Reference> };
const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-thermostats-'));
afterAll(() => rmSync(folder, { recursive: true }));

function startText(): string {
  const { positions, velocities, types } = start();
  const lines = types.map((type, k) => {
    const numbers = [...positions.slice(3 * k, 3 * k + 3), ...velocities.slice(3 * k, 3 * k + 3)];
    return `${type === 0 ? 'A' : 'B'} ${numbers.join(' ')}`;
  });
  const header = `Lattice="${EDGE} 0 0 0 ${EDGE} 0 0 0 ${EDGE}" Properties=species:S:1:pos:R:3:velo:R:3`;
  return `${types.length}\n${header}\n${lines.join('\n')}\n`;
}

/** 100 steps from the common start: energies every 10 steps, and the positions of every tenth particle. */
async function run(name: string, scheme: string, backend: 'cpu' | 'webgpu', precision?: Precision) {
  writeFileSync(path.join(folder, 'start.xyz'), startText());
  const yaml = `
configuration: { units: lj, seed: 1 }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: 100, thermo_frequency: 10 }
particle_types: { A: { mass: ${MASSES[0]} }, B: { mass: ${MASSES[1]} } }
setup_system:
  - read_extended_xyz: { file: start.xyz }
  - group: { name: light, types: [A] }
  - group: { name: heavy, types: [B] }
compute_force:
  - lennard_jones_force:
      mixing: lorentz_berthelot
      shift: energy
      pairs: [{ types: [A, A], epsilon: 1, sigma: 1, rcut: 2.5 }, { types: [B, B], epsilon: 1, sigma: 1, rcut: 2.5 }]
numerical_scheme: ${scheme}
simulation: molecular_dynamics
`;
  writeFileSync(path.join(folder, `${name}.yaml`), yaml);
  const simulation = loadSimulation([path.join(folder, `${name}.yaml`)], {
    operators: createRegistry(),
  });
  await using context = await createExecutionContext({ backend, threads: 1, precision });
  const outputDirectory = path.join(folder, name);
  const { state } = await runSimulation(simulation, { context, outputDirectory });
  const grid = state.get(gridKey);
  await newestOnHost(grid, context);
  const ids = grid.values('id');
  const rows = readFileSync(path.join(outputDirectory, 'thermo.csv'), 'utf8').trim().split('\n');
  const table = rows.slice(1).map((row) => row.split(',').map(Number));
  const [x, y, z] = ['rx', 'ry', 'rz'].map((axis) => grid.values(axis));
  const positions: number[] = [];
  for (let row = 0; row < grid.count; row++) {
    const id = Number(ids[row]);
    if (id % 10 !== 0) continue;
    positions[(3 * id) / 10] = x![row]!;
    positions[(3 * id) / 10 + 1] = y![row]!;
    positions[(3 * id) / 10 + 2] = z![row]!;
  }
  return {
    kinetic: table.map((row) => row[4]!),
    potential: table.map((row) => row[3]!),
    positions,
  };
}

/** The largest differences of energies, relative, and of positions. */
function differences(ours: Reference, theirs: Reference) {
  const energy = Math.max(
    ...ours.kinetic.map((k, n) => Math.abs(k / theirs.kinetic[n]! - 1)),
    ...ours.potential.map((u, n) => Math.abs(u / theirs.potential[n]! - 1)),
  );
  const position = Math.max(
    ...ours.positions.map((x, n) => {
      const apart = x - theirs.positions[n]!;
      return Math.abs(apart - EDGE * Math.round(apart / EDGE));
    }),
  );
  return { energy, position };
}

const schemes: readonly (readonly [string, string])[] = [
  ['nve', 'velocity_verlet'],
  ['nose_hoover', '{ nose_hoover: { temperature: 1.2, tau: 0.5 } }'],
  ['nose_hoover_chain', '{ nose_hoover: { temperature: 1.2, tau: 0.3, chain: 5, parts: 2 } }'],
  ['nose_hoover_single', '{ nose_hoover: { temperature: 1.2, tau: 0.3, chain: 1 } }'],
  [
    'nose_hoover_group',
    '[{ nose_hoover: { temperature: 1.2, tau: 0.5, group: light } }, { velocity_verlet: { group: heavy } }]',
  ],
  ['berendsen', '{ berendsen: { temperature: 1.2, tau: 0.5 } }'],
  ['berendsen_ramp', '[velocity_verlet, { berendsen: { temperature: [1.2, 1.9], tau: 0.2 } }]'],
  ['rescale', '{ rescale: { temperature: 1.2, frequency: 7, window: 0.02, fraction: 0.7 } }'],
];

describe('100 steps are those of LAMMPS (29 Sep 2021), step by step', () => {
  it.each(schemes)('%s on the CPU', async (name, scheme) => {
    const { energy, position } = differences(await run(name, scheme, 'cpu'), runs[name]!);
    expect(energy).toBeLessThan(1e-8);
    expect(position).toBeLessThan(1e-8);
  });

  // Particles are unstable: what f32 rounds in the first steps has grown to this after 100.
  it.each([schemes[1]!, schemes[6]!])('%s on WebGPU', async (name, scheme) => {
    const ours = await run(`${name}-gpu`, scheme, 'webgpu');
    const { energy, position } = differences(ours, runs[name]!);
    expect(energy).toBeLessThan(1e-3);
    expect(position).toBeLessThan(1e-2);
  });
});
