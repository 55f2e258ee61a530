// Walls and forces from outside, step by step against LAMMPS; on a device in single precision against the same.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTargets } from '../patternMatrix/support/targets.js';
import {
  DT,
  EDGE,
  type ExternalCase,
  type ExternalRun,
  externalCases,
  particles,
  STEPS,
} from '../support/externalCases.js';
import { runs } from '../support/runs.js';
import { runText } from '../support/runText.js';

const lammps: Readonly<Record<string, ExternalRun>> = JSON.parse(
  gunzipSync(readFileSync(new URL('../data/external/runs.json.gz', import.meta.url))).toString(),
);

const list = (lines: readonly string[] = []) => lines.map((line) => `  - ${line}\n`).join('');

/** The case as a simulation of `steps` steps. */
function textOf({ setup, forces, drift }: ExternalCase, steps: number): string {
  return `
configuration: { units: lj }
global: { dt: ${DT}, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: ${Math.min(20, steps)} }
particle_types: { A: { mass: 1, charge: 0.5 }, B: { mass: 2.5, charge: -1 } }
setup_system:
  - read_extended_xyz: { file: start.xyz }
${list(setup)}
compute_force:
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }
${list(forces)}
${drift ? `after_drift:\n${list(drift)}` : ''}
simulation: molecular_dynamics
`;
}

function startText(periodic: boolean): string {
  const [low, edge] = periodic ? [0, EDGE] : [-10, 30];
  const open = periodic ? 'T T F' : 'F F F';
  const lines = particles.map(({ id, type, position, velocity }) =>
    ['AB'[type - 1], ...position, ...velocity, id].join(' '),
  );
  const header = `Lattice="${edge} 0 0 0 ${edge} 0 0 0 30" Origin="${low} ${low} -10" pbc="${open}"`;
  return `${lines.length}\n${header} Properties=species:S:1:pos:R:3:velo:R:3:id:I:1\n${lines.join('\n')}\n`;
}

async function compare(one: ExternalCase, ctx: ExecutionContext, tolerance: number, steps = STEPS) {
  const files = { 'start.xyz': startText(one.periodic) };
  const { values, table } = await runText(textOf(one, steps), ctx, { files });
  const expected = lammps[one.name]!;
  const rows = expected.rows.filter(([step]) => step <= steps);
  expect(table.step).toEqual(rows.map(([step]) => step));
  for (const [k, [, potential, kinetic]] of rows.entries()) {
    // Energies are sums of some hundred terms.
    expect(Math.abs(table.potential_energy![k]! - potential)).toBeLessThan(100 * tolerance);
    expect(Math.abs(table.kinetic_energy![k]! - kinetic)).toBeLessThan(100 * tolerance);
  }
  if (steps < STEPS) return;
  const found = ['rx', 'ry', 'rz'].map(values);
  let farthest = 0;
  for (let k = 0; k < 3 * particles.length; k++) {
    const d = found[k % 3]![Math.floor(k / 3)]! - expected.positions[k]!;
    const image = one.periodic && k % 3 < 2 ? EDGE * Math.round(d / EDGE) : 0;
    farthest = Math.max(farthest, Math.abs(d - image));
  }
  expect(farthest).toBeLessThan(tolerance);
}

let cpu: ExecutionContext;
beforeAll(async () => {
  cpu = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => cpu?.close());

it.each(externalCases)('cpu: $name: positions and energies are those of LAMMPS to 1e-8', (one) =>
  compare(one, cpu, 1e-8),
);

const onDevice = externalCases.filter(({ name }) =>
  runs(/lj93|moving|spring of|frozen/, /on a group|reflect|where particles/).test(name),
);
const [device] = (await openTargets('state')).filter(({ name }) => name === 'webgpu f32');

it.skipIf(!device).each(onDevice)('webgpu: $name: energies are those of LAMMPS', (one) =>
  // Twenty steps, in which rounding grows little.
  compare(one, device!.ctx, 2e-5, 20),
);

// LAMMPS counts faces from where particles are placed, whenever fix spring begins.
it('spring has unwrapped positions from where particles are placed, at whatever step it begins', async () => {
  await using context = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const { table } = await runText(
    `
configuration: { units: lj }
global: { dt: 0.1, rcut_inc: 0.1, end_iteration: 51, thermo_frequency: 51 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: sc, lattice_constant: 2, repeat: [3, 3, 3], types: [A] }
  - set: { velocity: [2, 0, 0] }
compute_force:
  - lennard_jones_force: { epsilon: 0, sigma: 1, rcut: 1 }
  - { condition: 'step > 50', body: [{ spring: { point: [2, 2, 2], k: 3 } }] }
simulation: molecular_dynamics
`,
    context,
  );
  // The center of the lattice, whose sites begin at 0, is at 2 2 2 and moves by 0.2 a step.
  expect(table.potential_energy!.at(-1)!).toBeCloseTo(1.5 * 10.2 ** 2, 9);
});
