import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { mpirun } from '../support/mpirun.js';
import { runs } from '../support/runs.js';

const program = fileURLToPath(new URL('programs/droplet.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-droplet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [SIDE, RADIUS] = [15, 4];
const steps = runs(240, 10_000);

/** A cold ball of a cubic crystal in the middle of its box, which flies along a diagonal and melts. */
function ball(): string {
  const random = randomNumbers(17);
  const lines: string[] = [];
  for (let x = -RADIUS; x <= RADIUS; x++)
    for (let y = -RADIUS; y <= RADIUS; y++)
      for (let z = -RADIUS; z <= RADIUS; z++) {
        if (Math.hypot(x, y, z) > RADIUS) continue;
        const at = [x, y, z].map((k) => SIDE / 2 + 1.1 * k);
        const velocity = [6, 5, 4].map((drift) => drift + random() - 0.5);
        lines.push(`A ${[...at, ...velocity].join(' ')}`);
      }
  const head = `Lattice="${SIDE} 0 0 0 ${SIDE} 0 0 0 ${SIDE}" pbc="T T T" Properties=species:S:1:pos:R:3:velo:R:3`;
  return `${[lines.length, head, ...lines].join('\n')}\n`;
}

/** Numbers from 0 to 1, always the same ones. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const document = `
configuration: { units: lj, seed: 1 }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: ${steps / 4} }
particle_types: { A: { mass: 1 } }
setup_system: [{ read_extended_xyz: { file: ball.xyz } }]
compute_force: [{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }]
dump_data: [{ write_extended_xyz: { file: frames.xyz, fields: [pos, id], frequency: ${steps / 4} } }]
simulation: molecular_dynamics
`;

/** The energy of all pairs at their nearest images. */
function energyOf(positions: readonly (readonly number[])[]): number {
  let energy = 0;
  for (const [i, one] of positions.entries())
    for (const other of positions.slice(0, i)) {
      const r2 = one.reduce((sum, x, k) => {
        const d = x - other[k]!;
        return sum + (d - SIDE * Math.round(d / SIDE)) ** 2;
      }, 0);
      if (r2 < 2.5 ** 2) energy += 4 * (r2 ** -6 - r2 ** -3);
    }
  return energy;
}

it('a droplet that crosses every border loses no particle and no pair, and its work is shared evenly', async () => {
  const file = join(folder, 'droplet.yaml');
  writeFileSync(file, document);
  writeFileSync(join(folder, 'ball.xyz'), ball());
  const { code, out, err } = await mpirun(runs(3, 4), [program, file]);
  expect(code, err).toBe(0);
  const { imbalance, table, frames } = JSON.parse(out);
  expect(imbalance).toBeLessThan(1.1);
  const [head, ...rows] = table.trim().split('\n');
  const column = (name: string): number[] => {
    const at = head.split(',').indexOf(name);
    return rows.map((row: string) => Number(row.split(',')[at]));
  };
  const energies = column('potential_energy');
  const total = column('total_energy');
  const texts: string[] = frames.split(/^\d+\n.*Lattice.*\n/m).filter(Boolean);
  expect(texts).toHaveLength(5);
  for (const [n, text] of texts.entries()) {
    const lines = text.trim().split('\n');
    const particles = lines.map((line) => line.split(/\s+/).slice(1).map(Number));
    expect(particles.map((numbers) => numbers[3])).toEqual(particles.map((_, k) => k));
    const found = energyOf(particles.map((numbers) => numbers.slice(0, 3)));
    expect(Math.abs(energies[n]! / found - 1)).toBeLessThan(1e-9);
    expect(Math.abs(total[n]! / total[0]! - 1)).toBeLessThan(2e-3);
  }
}, 1_200_000);
