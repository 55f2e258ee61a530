// What changes velocities now and then beside a Nosé–Hoover barostat, which measures them again. Steps are fused in one run and made one
// by one in the other, where an operator within the step may look at particles.

import { defineOperator } from '@corpuscle/core';
import { contextOf, createRegistry, gridKey } from '@corpuscle/operators';
import {
  cellFunctor,
  computeCellParticles,
  createExecutionContext,
  type ExecutionContext,
} from '@corpuscle/patterns';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runBox } from './support/boxCases.js';
import { Workplace } from './support/runCli.js';
import { itOnce, runs } from './support/runs.js';
import { runText } from './support/runText.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const faster = cellFunctor(
  {
    name: 'faster',
    fields: { vx: 'real', vy: 'real', vz: 'real' },
    params: { factor: 'real' },
    traits: { gpu: true },
  },
  (i, p) => {
    i.vx *= p.factor;
    i.vy *= p.factor;
    i.vz *= p.factor;
  },
);
const look = defineOperator({ name: 'look', doc: 'Looks.', slots: {}, execute() {} });
const heat = defineOperator({
  name: 'heat',
  doc: 'Scales velocities.',
  slots: {},
  requires: [gridKey],
  changesVelocities: true,
  async execute({ state }) {
    const params = { factor: 1.1 };
    await computeCellParticles(state.get(gridKey), faster, contextOf(state), { params });
  },
});
const STEPS = 24;

async function run(ctx: ExecutionContext, text: string, isFused: boolean) {
  const between = isFused ? '' : 'after_drift: [look]\n';
  const of = { start: 'cube', steps: STEPS } as const;
  const options = { every: STEPS, operators: [look, heat] };
  return runBox(work, ctx, of, `${text}${between}`, options);
}

const barostats = {
  NPH: 'nose_hoover: { pressure: 2, tau_pressure: 0.1 }',
  NPT: 'nose_hoover: { pressure: 2, tau_pressure: 0.1, temperature: 1.2, tau: 0.2 }',
  'NPH of every second step': 'nose_hoover: { pressure: 2, tau_pressure: 0.1, every: 2 }',
};
const changes = [
  'set: { fields: { vz: 0 } }',
  'gaussian_noise: { of: velocities, sigma: 0.3 }',
  'heat: {}',
];
const cases = Object.entries(barostats).flatMap(([name, barostat]) =>
  changes.map((change) => [name, change, barostat] as const),
);

// Each barostat and each change once on a device; the long form has the other pairs.
const some = cases.filter((_, k) => k % 4 === 0);
const others = cases.filter((_, k) => k % 4 !== 0);
const casesOn = { cpu: runs(cases, []), webgpu: runs(some, others) } as const;

describe('velocities that change now and then', () => {
  for (const backend of ['cpu', 'webgpu'] as const)
    it.each(casesOn[backend])(
      `${backend}: %s, %s: fused steps do as single ones`,
      async (_, change, box) => {
        const scheme = `numerical_scheme: [{ ${box} }]\n`;
        const text = `${scheme}dump_data:\n  - { condition: 'step % 8 == 0', body: [{ ${change} }] }\n`;
        await using cpu = await createExecutionContext({ backend: 'cpu', threads: 1 });
        const exact = await run(cpu, text, false);
        await using gpu = backend === 'cpu' ? null : await createExecutionContext({ backend });
        const ours = await run(gpu ?? cpu, text, true);
        // A device computes in single precision.
        const tolerance = gpu ? 1e-4 : 1e-12;
        exact.row.forEach((x, k) => {
          const off = Math.abs(ours.row[k]! - x) / Math.max(1, Math.abs(x));
          expect(off, `column ${k}`).toBeLessThan(tolerance);
        });
      },
    );

  itOnce('between two stages: as within one', async () => {
    const text = (steps: string) => `
configuration: { units: lj, seed: 1 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 48, thermo_frequency: 24 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force: [lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }]
numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.1 } }
simulation: [setup_system, ${steps}]
`;
    await using cpu = await createExecutionContext({ backend: 'cpu', threads: 1 });
    await using gpu = await createExecutionContext({ backend: 'webgpu' });
    const width = async (ctx: ExecutionContext, steps: string) => {
      const operators = createRegistry().add(heat);
      const { grid } = await runText(text(steps), ctx, { operators });
      return grid.domain.matrix[0]!;
    };
    const within = "run: { dump_data: [{ condition: 'step == 24', body: [heat] }] }";
    const exact = await width(cpu, within);
    const stages = 'run: { steps: 24 }, heat, run: { steps: 24 }';
    expect((await width(cpu, stages)) / exact).toBeCloseTo(1, 12);
    expect((await width(gpu, stages)) / exact).toBeCloseTo(1, 5);
  });
});
