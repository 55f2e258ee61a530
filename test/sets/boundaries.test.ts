// Faces of a box that mirror or follow the particles, step by step against LAMMPS; on a device in single precision against the same.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTargets } from '../patternMatrix/support/targets.js';
import { type BoundaryCase, type BoundaryRun, boundaryCases } from '../support/boundaryCases.js';
import { DT, particles, STEPS } from '../support/externalCases.js';
import { runText } from '../support/runText.js';

const lammps: Readonly<Record<string, BoundaryRun>> = JSON.parse(
  gunzipSync(readFileSync(new URL('../data/boundaries/runs.json.gz', import.meta.url))).toString(),
);

const list = (lines: readonly string[] = []) => lines.map((line) => `  - ${line}\n`).join('');

const textOf = ({ setup, drift }: Pick<BoundaryCase, 'setup' | 'drift'>, steps: number): string => `
configuration: { units: lj }
global: { dt: ${DT}, rcut_inc: 0.4, end_iteration: ${steps}, thermo_frequency: 20 }
particle_types: { A: { mass: 1 }, B: { mass: 2.5 } }
setup_system:
  - read_extended_xyz: { file: start.xyz }
${list(setup)}
compute_force:
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }
after_drift:
${list(drift)}
simulation: molecular_dynamics
`;

function startText({ box, periodic }: Pick<BoundaryCase, 'box' | 'periodic'>): string {
  const lines = particles.map(({ id, type, position, velocity }) =>
    ['AB'[type - 1], ...position, ...velocity, id].join(' '),
  );
  const [x, y, z] = box.map(([from, to]) => to - from);
  const origin = box.map(([from]) => from).join(' ');
  const pbc = periodic.map((flag) => (flag ? 'T' : 'F')).join(' ');
  const header = `Lattice="${x} 0 0 0 ${y} 0 0 0 ${z}" Origin="${origin}" pbc="${pbc}"`;
  return `${lines.length}\n${header} Properties=species:S:1:pos:R:3:velo:R:3:id:I:1\n${lines.join('\n')}\n`;
}

async function compare(one: BoundaryCase, ctx: ExecutionContext, tolerance: number, steps = STEPS) {
  const files = { 'start.xyz': startText(one) };
  const { values, table, grid } = await runText(textOf(one, steps), ctx, { files });
  const expected = lammps[one.name]!;
  const rows = expected.rows.filter(([step]) => step! <= steps);
  expect(table.step).toEqual(rows.map(([step]) => step));
  for (const [k, [, potential, kinetic, pressure]] of rows.entries()) {
    // Energies are sums of some hundred terms.
    expect(Math.abs(table.potential_energy![k]! - potential!)).toBeLessThan(100 * tolerance);
    expect(Math.abs(table.kinetic_energy![k]! - kinetic!)).toBeLessThan(100 * tolerance);
    expect(Math.abs(table.pressure![k]! - pressure!)).toBeLessThan(100 * tolerance);
  }
  if (steps < STEPS) return;
  const last = rows.at(-1)!;
  const { matrix, origin } = grid.domain;
  [0, 4, 8].forEach((at, k) => {
    expect(Math.abs(matrix[at]! - last[4 + k]!)).toBeLessThan(tolerance);
    expect(Math.abs(origin[k]! - last[7 + k]!)).toBeLessThan(tolerance);
  });
  const found = ['rx', 'ry', 'rz'].map(values);
  let farthest = 0;
  for (let k = 0; k < 3 * particles.length; k++) {
    const d = found[k % 3]![Math.floor(k / 3)]! - expected.positions[k]!;
    const edge = matrix[4 * (k % 3)]!;
    const image = one.periodic[k % 3] ? edge * Math.round(d / edge) : 0;
    farthest = Math.max(farthest, Math.abs(d - image));
  }
  expect(farthest).toBeLessThan(tolerance);
}

let cpu: ExecutionContext;
beforeAll(async () => {
  cpu = await createExecutionContext({ backend: 'cpu', threads: 1, deterministic: true });
});
afterAll(() => cpu?.close());

it.each(boundaryCases)('cpu: $name: energies, pressure and box are those of LAMMPS', (one) =>
  compare(one, cpu, 1e-8),
);

const [device] = (await openTargets('state')).filter(({ name }) => name === 'webgpu f32');

it.skipIf(!device).each(boundaryCases.slice(-2))('webgpu: $name', (one) =>
  compare(one, device!.ctx, 5e-5, 20),
);

it('lattice vectors are three rows or nine numbers', async () => {
  const matrix = (lattice: string, changed: string) => `
configuration: { units: lj }
global: { dt: 0.002, end_iteration: 0 }
particle_types: { A: { mass: 1 } }
setup_system:
  - domain: { lattice: ${lattice} }
  - create_particles: { type: A, positions: [[1, 1, 1]] }
${changed && `  - change_box: { lattice: ${changed} }`}
compute_force: { lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2 } }
simulation: molecular_dynamics
`;
  const boxOf = async (...lattices: [string, string]) =>
    (await runText(matrix(...lattices), cpu)).grid.domain.matrix;
  const expected = [6, 0, 0, 1, 5, 0, -0.5, 0.8, 4];
  const rows = '[[6, 0, 0], [1, 5, 0], [-0.5, 0.8, 4]]';
  expect(await boxOf(`[${expected}]`, '')).toEqual(expected);
  expect(await boxOf(rows, '')).toEqual(expected);
  expect(await boxOf('[[8, 0, 0], [0, 8, 0], [0, 0, 8]]', rows)).toEqual(expected);
});

describe('faces', () => {
  it('of a skewed box mirror: particles stay inside, and energy is kept', async () => {
    const text = `
configuration: { units: lj }
global: { dt: 0.002, rcut_inc: 0.3, end_iteration: 300, thermo_frequency: 50 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: sc, lattice_constant: 1.2, repeat: [3, 3, 3], types: [A] }
  - change_box: { lattice: [4, 0, 0, 1, 4, 0, -0.5, 0.8, 4], periodic: [false, false, false], remap: positions }
  - init_temperature: { temperature: 3 }
compute_force: { lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2, shift: force } }
after_drift: { mirror: { faces: [xlo, xhi, ylo, yhi, zlo, zhi] } }
simulation: molecular_dynamics
`;
    const { table, grid, values } = await runText(text, cpu);
    const energies = table.total_energy!;
    expect(Math.max(...energies) - Math.min(...energies)).toBeLessThan(0.02 * 27);
    const [x, y, z] = ['rx', 'ry', 'rz'].map(values);
    for (let k = 0; k < grid.count; k++)
      for (const s of grid.domain.toFractional(x![k]!, y![k]!, z![k]!)) {
        expect(s).toBeGreaterThan(-1e-9);
        expect(s).toBeLessThan(1 + 1e-9);
      }
  });

  it('follow a box that an earlier face has moved', async () => {
    const box = [
      [0, 5.129927840030045],
      [0, 5.129927840030045],
      [-4, 12],
    ] as const;
    const files = { 'start.xyz': startText({ box, periodic: [true, true, false] }) };
    // Wrapped at steps 0 and 10: the face that mirrors is then at the last particle.
    const setup = ['shrink_wrap: { faces: [zlo, zhi], margin: 0.01 }'];
    const drift = ['mirror: { faces: [zlo, zhi] }'];
    const { grid, values } = await runText(textOf({ setup, drift }, 100), cpu, { files });
    expect(grid.domain.matrix[8]).toBeLessThan(5);
    const z = values('rz');
    expect(Math.min(...z)).toBeGreaterThan(grid.domain.origin[2]);
    expect(Math.max(...z)).toBeLessThan(grid.domain.origin[2] + grid.domain.matrix[8]!);
  });

  it.each(['mirror', 'shrink_wrap'])('%s refuses an axis that is periodic', async (operator) => {
    const box = [
      [0, 5.2],
      [0, 5.2],
      [0, 8],
    ] as const;
    const files = { 'start.xyz': startText({ box, periodic: [true, true, false] }) };
    const drift = [`${operator}: { faces: [zlo, xhi] }`];
    // Before it acts at all: shrink_wrap does every 100 steps.
    await expect(runText(textOf({ drift }, 10), cpu, { files })).rejects.toThrow(
      `${operator} acts at xhi, and the box is periodic along x: put change_box: { periodic: [false, true, false], remap: none } into setup_system`,
    );
  });
});
