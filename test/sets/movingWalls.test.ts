// Walls that move: where they are is computed where the particles are, so that steps stay fused.

import { defineOperator } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { expect, it } from 'vitest';
import { engineOf } from '../../packages/patterns/test/support/gpu.js';
import { openTargets } from '../patternMatrix/support/targets.js';
import { itLong, runs } from '../support/runs.js';
import { runText, type TextRun } from '../support/runText.js';

const DT = 0.01;
const STEPS = 60;
const FIRST = 600;
const STIFFNESS = 3;
const RCUT = 30;
const HEIGHT = 5;
const [U, A, PERIOD] = [0.002, 0.3, 0.37];

/** Particles that stay where they are, at one height. */
const start = `8
Lattice="12 0 0 0 12 0 0 0 12" pbc="T T F" Properties=species:S:1:pos:R:3:id:I:1
${Array.from({ length: 8 }, (_, k) => `A ${1 + 3 * (k % 4)} ${2 + 5 * (k >> 2)} ${HEIGHT} ${k}`).join('\n')}
`;

const wall = `wall: { form: harmonic, plane: { point: [0, 0, -1], normal: [0, 0, 1] }, stiffness: ${STIFFNESS}, rcut: ${RCUT}, velocity: [0, 0, ${U}], wiggle: { amplitude: [0, 0, ${A}], period: ${PERIOD} } }`;

const text = (scheme: string, every: number, last = FIRST + STEPS) => `
configuration: { units: lj }
global: { dt: ${DT}, rcut_inc: 0.3, end_iteration: ${last}, thermo_frequency: ${every} }
particle_types: { A: { mass: 1e20 } }
setup_system: [{ read_extended_xyz: { file: start.xyz } }, late]
compute_force: [pairs, walls]
pairs: [lennard_jones_force: { epsilon: 1e-9, sigma: 1, rcut: 2.5 }]
walls: [${wall}]
${scheme}
simulation: molecular_dynamics
`;

/** Sets the clock, as a frame does that is read in a loop. */
const late = defineOperator({
  name: 'late',
  doc: 'Sets the clock.',
  slots: {},
  execute({ state }) {
    state.step = FIRST;
    state.time = FIRST * DT;
  },
});
const operators = createRegistry().add(late);

/** The energy of a particle, whose distance from the wall follows from the time. */
function energyAt(step: number): number {
  const time = step * DT;
  const z = -1 + U * time + A * Math.sin((2 * Math.PI * time) / PERIOD);
  return STIFFNESS * (HEIGHT - z - RCUT) ** 2;
}

const respa =
  'numerical_scheme: { respa: { levels: [{ forces: walls, steps: 3 }, { forces: pairs }] } }';

function compare(table: TextRun['table'], within: number) {
  for (const [k, step] of table.step!.entries()) {
    const known = 8 * energyAt(step);
    expect(Math.abs(table.potential_energy![k]! / known - 1), `step ${step}`).toBeLessThan(within);
  }
}

const cases: readonly (readonly [string, string, number])[] = [
  ['a row at every step', '', 1],
  ['a row now and then', '', 15],
  ['several evaluations a step', respa, 15],
];

for (const { name, ctx } of await openTargets('state')) {
  // A software adapter takes some seconds to compile, in double-single most of all.
  it.each(name === 'webgpu f64' ? runs([], cases) : runs(cases, []))(
    `${name}: a wall is where the time tells, %s`,
    async (_, scheme, every) => {
      const fused = () => (ctx.device ? engineOf(ctx).speculation.fusedSteps : STEPS);
      const before = ctx.device ? fused() : 0;
      const files = { 'start.xyz': start };
      const { table } = await runText(text(scheme, every), ctx, { operators, files });
      expect(table.step).toHaveLength(STEPS / every + 1);
      if (scheme === '') expect(fused() - before).toBeGreaterThan(STEPS / 2);
      compare(table, name.includes('f32') ? 2e-6 : 1e-11);
    },
  );

  // Steps are counted in two halves of 16 bits.
  if (!name.includes('simd')) continue;
  itLong(`${name}: so it is in long runs`, async () => {
    const files = { 'start.xyz': start };
    const yaml = text('', 8195, 8 * 8195).replace(', late', '');
    const { table } = await runText(yaml, ctx, { operators, files });
    expect(table.step!.at(-1)).toBeGreaterThan(65_536);
    compare(table, 1e-11);
  });
}
