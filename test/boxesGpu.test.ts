import { defineOperator } from '@corpuscle/core';
import { gridKey } from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runBox } from './support/boxCases.js';
import { Workplace } from './support/runCli.js';
import { itLong, itOnce, runs } from './support/runs.js';

const work = new Workplace();
afterAll(() => work.remove());

const STEPS = 10;
const slow = '{ rate: { xy: 0.02 }, true_rate: { zz: -0.01 }';
const outside = `+compute_force:
  - harmonic_force: { point: [0.5, 1, 1], k: 0.5 }
  - spring: { point: [1, 2, 3], k: 10, r0: 1 }
  - add_force: { force: [0.1, 0.2, 0] }
`;
/** On a number of all pairs, for any distance. */
const bias = (group: string) => `+compute_force:
  - coordination: { group_a: ${group}, group_b: all, switch: { r_0: 1.2 }, harmonic_bias: { at: 1500, kappa: 0.001 }, frequency: 1000 }
`;
const files: Readonly<Record<string, string>> = {
  'constant pressure, with forces from outside': `${outside}numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.1, temperature: 1.2, tau: 0.2 } }\n`,
  'deform, with forces from outside': `${outside}+numerical_scheme:\n  - deform: { rate: { xy: 0.1, zz: 0.1 } }\n`,
  'deform, with a flip': '+numerical_scheme:\n  - deform: { rate: { xy: 14, zz: 0.2 } }\n',
  'deform, with velocities that follow at faces':
    '+numerical_scheme:\n  - deform: { rate: { xz: 2, zz: 0.5 }, remap: velocities }\n',
  deform:
    '+numerical_scheme:\n  - deform: { rate: { xy: 0.1, zz: 0.1 }, true_rate: { xx: -0.15 }, wiggle: { amplitude: { yz: 0.01 }, period: 0.4 } }\n',
  'deform slowly, with velocities that follow at faces':
    '+numerical_scheme:\n  - deform: { rate: { xz: 0.15, zz: 0.1 }, remap: velocities }\n',
  'shear flow': 'after_drift:\n  - deform: { rate: { xy: 0.15 }, sllod: true }\n',
  'shear flow, fast': 'after_drift:\n  - deform: { rate: { xy: 14 }, sllod: true }\n',
  'a prism that flips':
    '+setup_system:\n  - change_box: { strain: { xy: 0.446 } }\n+numerical_scheme:\n  - deform: { rate: { xy: 0.19 } }\n',
  'change_box, again and again':
    '+numerical_scheme:\n  - change_box: { strain: { xy: 0.0004, zz: -0.0004 } }\n',
  'each length by its own pressure, a bias on all pairs': `${bias('all')}numerical_scheme: { nose_hoover: { pressure: [1, 4, 0], tau_pressure: 0.1, coupling: aniso, temperature: 1.2, tau: 0.2 } }\n`,
  'constant pressure, a bias on all pairs of some': `${bias('{ first: 1, last: 40 }')}numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.5, temperature: 1.2, tau: 0.2 } }\n`,
  'constant pressure that rests, a bias on all pairs': `${bias('all')}numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.1, every: 5 } }\n`,
  'constant pressure that rests, a bias on near pairs': `${bias('all').replace('r_0: 1.2', 'r_0: 1.2, d_max: 2.2')}numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.2, every: 5 } }\n`,
  'constant pressure, in a prism, a bias on all pairs': `${bias('all')}numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.3, coupling: triclinic } }\n`,
  'each length by its own pressure':
    'numerical_scheme: { nose_hoover: { pressure: [1, 4, 0], tau_pressure: 0.5, coupling: aniso, temperature: 1.2, tau: 0.2 } }\n',
  'a length that deforms beside pressures of the others':
    'numerical_scheme: [{ nose_hoover: { pressure: [1, 4, 0], tau_pressure: 0.5, coupling: aniso, axes: xy, temperature: 1.2, tau: 0.2 } }, { deform: { rate: { zz: 0.2 } } }]\n',
  'a shear beside one pressure':
    'numerical_scheme: [{ nose_hoover: { pressure: 2, tau_pressure: 0.5, temperature: 1.2, tau: 0.2 } }, { deform: { rate: { xy: 0.19, yz: -0.1 } } }]\n',
  'a shear beside pressures of each length':
    'numerical_scheme: [{ nose_hoover: { pressure: [1, 4, 0], tau_pressure: 0.5, coupling: aniso, temperature: 1.2, tau: 0.2 } }, { deform: { rate: { xy: 0.19, xz: 0.1 } } }]\n',
  'a length and a shear beside weak coupling of one length':
    'numerical_scheme: [{ berendsen: { pressure: 3, tau_pressure: 0.2, compressibility: 0.1, coupling: y } }, { deform: { true_rate: { xx: -0.1 }, rate: { yz: 0.1 } } }]\n',
  'a shear beside cell rescaling':
    '+numerical_scheme:\n  - cell_rescale: { pressure: 2, temperature: 1.2, tau: 0.3, compressibility: 0.1 }\n  - deform: { rate: { xz: 0.15 } }\n',
  'a length beside pressures of others, in a prism':
    'numerical_scheme: [{ nose_hoover: { pressure: 2, tau_pressure: 0.5, coupling: aniso, axes: xz } }, { deform: { rate: { yy: 0.15 }, tilts: stay } }]\n',
  'change_box beside constant pressure':
    'numerical_scheme: [{ nose_hoover: { pressure: 2, tau_pressure: 0.5, temperature: 1.2, tau: 0.2 } }, { change_box: { strain: { zz: 0.001 } } }]\n',
  'cell rescaling':
    '+numerical_scheme:\n  - cell_rescale: { pressure: 2, temperature: 1.2, tau: 0.3, compressibility: 0.1, every: 2 }\n',
  'weak coupling, in a prism':
    'numerical_scheme: { berendsen: { pressure: 3, tau_pressure: 0.2, compressibility: 0.1 } }\n',
  'weak coupling, quickly':
    'numerical_scheme: { berendsen: { pressure: 8, tau_pressure: 0.2, compressibility: 0.1 } }\n',
  'weak coupling of each length, in a prism':
    'numerical_scheme: { berendsen: { pressure: [1, 6, 3], tau_pressure: 0.2, compressibility: 0.1, coupling: aniso } }\n',
  'pressure of each length, in a prism':
    'numerical_scheme: { nose_hoover: { pressure: [1, 6, 3], tau_pressure: 0.3, coupling: aniso, temperature: 1.2, tau: 0.2 } }\n',
  'constant pressure, in a prism':
    'numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.3, coupling: triclinic } }\n',
  'constant pressure, embedded atoms':
    '+compute_force:\n  - sutton_chen_force: { epsilon: 0.05, a: 1.6, n: 10, m: 5, c: 15, rcut: 2.5 }\nnumerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.5, temperature: 1.2, tau: 0.2 } }\n',
  'deform, with particles that stay':
    '+numerical_scheme:\n  - deform: { rate: { xy: 0.1, zz: 0.1 }, remap: none }\n',
  'constant pressure, whole neighborhoods':
    '+compute_force:\n  - stillinger_weber_force: { epsilon: 0.1, sigma: 0.8, a: 1.8, lambda: 21, gamma: 1.2, cos_theta0: "-1/3", A: 7.05, B: 0.602, p: 4, q: 0 }\nnumerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.5, temperature: 1.2, tau: 0.2 } }\n',
  'constant pressure, and weak coupling to a temperature':
    'numerical_scheme: [{ nose_hoover: { pressure: 2, tau_pressure: 0.1 } }, { berendsen: { temperature: 2, tau: 0.05 } }]\n',
  'constant pressure that acts in every second step, and a thermostat':
    'numerical_scheme: [{ nose_hoover: { pressure: 2, tau_pressure: 0.1, coupling: triclinic, temperature: 1, tau: 0.1, every: 2 } }, { bussi: { temperature: 1.2, tau: 0.1 } }]\n',
  'constant pressure':
    'numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.5, temperature: 1.2, tau: 0.2 } }\n',
  'velocities that follow at faces beside a thermostat':
    'numerical_scheme: [{ nose_hoover: { temperature: 1.2, tau: 0.2 } }, { deform: { rate: { xz: 0.15 }, true_rate: { zz: 0.1 }, remap: velocities } }]\n',
  'velocities that follow at faces beside one pressure':
    'numerical_scheme: [{ nose_hoover: { pressure: 2, tau_pressure: 0.5, temperature: 1.2, tau: 0.2 } }, { deform: { rate: { xy: 0.19, yz: -0.1 }, remap: velocities } }]\n',
  'particles that stay beside pressures of other lengths':
    'numerical_scheme: [{ nose_hoover: { pressure: [1, 4, 0], tau_pressure: 0.5, coupling: aniso, axes: xy, temperature: 1.2, tau: 0.2 } }, { deform: { rate: { zz: 0.2 }, remap: none } }]\n',
  'shear flow beside one pressure':
    'numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.5, temperature: 1.2, tau: 0.2 } }\nafter_drift:\n  - deform: { rate: { xy: 0.15, yz: 0.05 }, sllod: true }\n',
};

const forces = (text: string): string => text.replace('+compute_force:\n', '');
/**
 * In double-single the kernels of a barostat take ten seconds to compile for each place of its values: what acts with it is looked at
 * together, in place of one after the other as in single precision.
 */
const together: Readonly<Record<string, string>> = {
  'each length by its own pressure, with forces from outside, embedded atoms, and a bias on all pairs': `${outside}${forces(bias('all'))}  - sutton_chen_force: { epsilon: 0.05, a: 1.6, n: 10, m: 5, c: 15, rcut: 2.5 }\n${files['each length by its own pressure']}`,
  'constant pressure that rests, a bias on all pairs of some': `${bias('{ first: 1, last: 40 }')}numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.1, every: 5 } }\n`,
  'a length and shears beside pressures of each other length':
    'numerical_scheme: [{ nose_hoover: { pressure: [1, 4, 0], tau_pressure: 0.5, coupling: aniso, axes: xy, temperature: 1.2, tau: 0.2 } }, { deform: { rate: { zz: 0.2, xy: 0.19, xz: 0.1 } } }]\n',
};
/** Cases whose parts those have, or another case: they are looked at in single precision alone. */
const inParts: readonly string[] = [
  'constant pressure, with forces from outside',
  'constant pressure, embedded atoms',
  'each length by its own pressure',
  'each length by its own pressure, a bias on all pairs',
  'constant pressure, a bias on all pairs of some',
  'constant pressure that rests, a bias on all pairs',
  'a length that deforms beside pressures of the others',
  'a shear beside one pressure',
  'a shear beside pressures of each length',
  'constant pressure, in a prism',
  'constant pressure',
  'constant pressure that rests, a bias on near pairs',
  'pressure of each length, in a prism',
  'a length beside pressures of others, in a prism',
  'a shear beside cell rescaling',
  'weak coupling, quickly',
  'weak coupling of each length, in a prism',
  'change_box, again and again',
  'deform slowly, with velocities that follow at faces',
  'shear flow, fast',
  'velocities that follow at faces beside one pressure',
  'velocities that follow at faces beside a thermostat',
  'particles that stay beside pressures of other lengths',
  'shear flow beside one pressure',
];

const slowFiles: Readonly<Record<string, string>> = {
  'lengths and tilts by pressures, a bias on all pairs': `${bias('all')}numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 2, coupling: triclinic } }\n`,
  'deform a length beside pressures of the others':
    'numerical_scheme: [{ nose_hoover: { pressure: 2, tau_pressure: 0.5, coupling: aniso, axes: xy, temperature: 1.2, tau: 0.2 } }, { deform: { rate: { zz: 0.02 } } }]\n',
  'deform a tilt beside pressures of each length':
    'numerical_scheme: [{ nose_hoover: { pressure: 2, tau_pressure: 0.5, coupling: aniso } }, { deform: { rate: { xy: 0.02 } } }]\n',
  'deform a tilt beside cell rescaling':
    '+numerical_scheme:\n  - cell_rescale: { pressure: 2, temperature: 1.2, tau: 0.3, compressibility: 0.1 }\n  - deform: { rate: { xz: 0.02 } }\n',
  'deform, a little': `+numerical_scheme:\n  - deform: ${slow} }\n`,
  'deform a tilt beside a pressure, with velocities that follow at faces':
    'numerical_scheme: [{ nose_hoover: { pressure: 2, tau_pressure: 0.5 } }, { deform: { rate: { xy: 0.02 }, remap: velocities } }]\n',
  'deform a length beside pressures of the others, with particles that stay':
    'numerical_scheme: [{ nose_hoover: { pressure: 2, tau_pressure: 0.5, coupling: aniso, axes: xy } }, { deform: { rate: { zz: 0.02 }, remap: none } }]\n',
  'deform into a flow beside a pressure':
    'numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.5 } }\nafter_drift:\n  - deform: { rate: { xy: 0.02 }, sllod: true }\n',
  'deform a little, with velocities that follow at faces': `+numerical_scheme:\n  - deform: ${slow}, remap: velocities }\n`,
};

describe('boxes that change on WebGPU', () => {
  let gpu: ExecutionContext;
  let cpu: ExecutionContext;
  beforeAll(async () => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
    cpu = await createExecutionContext({ backend: 'cpu', threads: 1 });
  });
  afterAll(() => cpu.close());
  // In a context of their own, values of runs take the same places, which kernels name: they are compiled once for all.
  beforeEach(async () => {
    gpu = await createExecutionContext({ backend: 'webgpu' });
  });
  afterEach(() => gpu.close());

  // Single precision: a melt loses digits with time.
  const fast = Object.keys(files).filter(
    (name) =>
      !/^deform$|its own|beside|pressure, in a prism|slowly|neighborhoods|embedded|stay|quickly|with forces|again|all pairs of some|rests|pressure of each length|weak coupling (of each length|to a temperature)/.test(
        name,
      ),
  );
  const others = Object.keys(files).filter((name) => !fast.includes(name));
  it.each(runs(fast, others))('%s: as on the CPU', async (name) => {
    const steps = name.includes('second step') ? 25 : STEPS;
    const of = { start: name.includes('prism') ? 'prism' : 'cube', steps } as const;
    const ours = await runBox(work, gpu, of, files[name]!);
    const exact = await runBox(work, cpu, of, files[name]!);
    // Tilted to the other side.
    if (name.includes('flip')) expect(exact.row[10]).toBeLessThan(0);
    exact.row.forEach((x, k) => {
      expect(Math.abs(ours.row[k]! - x), `column ${k}`).toBeLessThan(
        1e-4 * Math.max(1, Math.abs(x)),
      );
    });
    exact.velocities.forEach((v, k) => {
      expect(Math.abs(ours.velocities[k]! - v)).toBeLessThan(1e-3);
    });
  });

  // Images are those of the new box though particles have moved on since it was given.
  it('change_box beside constant pressure, a few steps: as on the CPU', async () => {
    const of = { start: 'cube', steps: 4 } as const;
    const text = files['change_box beside constant pressure']!;
    const ours = await runBox(work, gpu, of, text, { every: 2 });
    const exact = await runBox(work, cpu, of, text, { every: 2 });
    expect(Math.abs(ours.row[1]! / exact.row[1]! - 1)).toBeLessThan(1e-6);
  });

  itOnce.each([
    'nose_hoover: { pressure: 2, tau_pressure: 0.5 }',
    'berendsen: { pressure: 8, tau_pressure: 0.2 }',
    'cell_rescale: { pressure: 2, temperature: 1.2, tau: 0.3 }',
  ])('deform beside %s is refused: one length follows one of them', async (barostat) => {
    const deform = 'deform: { rate: { zz: 0.1 } }';
    for (const [first, second] of [
      [barostat, deform],
      [deform, barostat],
    ]) {
      const text = `numerical_scheme: [{ ${first} }, { ${second} }]\n`;
      const run = runBox(work, cpu, { start: 'cube', steps: 2 }, text, { every: 2 });
      await expect(run).rejects.toThrow(/(and deform|deform and \w+) both move the box \(.*zz\)/);
    }
  });

  const inDouble: Readonly<Record<string, string>> = { ...files, ...together };
  const whole = Object.keys(inDouble).filter((name) => !inParts.includes(name));
  it.each(runs([], whole))('%s: as on the CPU, in double-single', async (name) => {
    const of = { start: name.includes('prism') ? 'prism' : 'cube', steps: STEPS } as const;
    const exact = await runBox(work, cpu, of, inDouble[name]!);
    await using double = await createExecutionContext({ backend: 'webgpu', precision: 'f64' });
    const ours = await runBox(work, double, of, inDouble[name]!);
    exact.row.forEach((x, k) => {
      expect(Math.abs(ours.row[k]! - x), `column ${k}`).toBeLessThan(
        1e-9 * Math.max(1, Math.abs(x)),
      );
    });
  });

  // The host looks every 64 steps whether the box leans too far.
  itLong('a tilt that flips beside a pressure: as on the CPU, in double-single', async () => {
    const of = { start: 'cube', steps: 66 } as const;
    const text = `+setup_system:
  - change_box: { strain: { xy: 0.595 } }
numerical_scheme: [{ nose_hoover: { pressure: 30, tau_pressure: 0.5 } }, { deform: { rate: { xy: 0.19, xz: -0.05 }, tilts: stay } }]
`;
    const exact = await runBox(work, cpu, of, text, { every: 66 });
    expect(exact.row[10]).toBeLessThan(0);
    await using double = await createExecutionContext({ backend: 'webgpu', precision: 'f64' });
    const ours = await runBox(work, double, of, text, { every: 66 });
    exact.row.forEach((x, k) => {
      expect(Math.abs(ours.row[k]! - x), `column ${k}`).toBeLessThan(
        1e-8 * Math.max(1, Math.abs(x)),
      );
    });
  });

  itLong(
    'velocities follow at many faces, beside a thermostat: as on the CPU after 100 steps',
    async () => {
      const of = { start: 'cube', steps: 100 } as const;
      const text =
        'numerical_scheme: [{ nose_hoover: { temperature: 2.4, tau: 0.05 } }, { deform: { rate: { xz: 0.1, yz: -0.15 }, wiggle: { amplitude: { xx: 0.01 }, period: 0.4 }, remap: velocities } }]\n';
      let crossed = 0;
      const count = defineOperator({
        name: 'count_crossings',
        doc: 'Counts particles that are in other images than at the beginning.',
        slots: {},
        requires: [gridKey],
        async execute({ state }) {
          if (state.step < of.steps) return;
          const grid = state.get(gridKey);
          await newestOnHost(grid, state.context as ExecutionContext);
          const [x, y, z] = ['ix', 'iy', 'iz'].map((name) => grid.values(name));
          crossed = x!.filter((_, k) => x![k] !== 0 || y![k] !== 0 || z![k] !== 0).length;
        },
      });
      const parts = `${text}dump_data: [count_crossings]\n`;
      const exact = await runBox(work, cpu, of, parts, { every: 100, operators: [count] });
      expect(crossed).toBeGreaterThan(30);
      await using double = await createExecutionContext({ backend: 'webgpu', precision: 'f64' });
      const ours = await runBox(work, double, of, text, { every: 100 });
      exact.row.forEach((x, k) => {
        expect(Math.abs(ours.row[k]! - x), `column ${k}`).toBeLessThan(
          1e-8 * Math.max(1, Math.abs(x)),
        );
      });
      exact.velocities.forEach((v, k) => {
        expect(Math.abs(ours.velocities[k]! - v)).toBeLessThan(1e-8);
      });
    },
  );

  itOnce(
    'all pairs of a run without other forces, in a prism: as on the CPU, and no step reads anything',
    async () => {
      const [, force] = bias('all').trim().split('- ');
      const text = 'numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.5 } }\n';
      const after = async (ctx: ExecutionContext, steps: number) => {
        const before = ctx.device?.counters.downloads ?? 0;
        const of = { start: 'prism', steps } as const;
        const { row } = await runBox(work, ctx, of, text, { every: 1000, force: force! });
        return { row, reads: (ctx.device?.counters.downloads ?? 0) - before };
      };
      const [few, many] = [await after(gpu, 8), await after(gpu, 28)];
      expect(many.reads - few.reads).toBeLessThan(6);
      const exact = await after(cpu, 28);
      exact.row.forEach((x, k) => {
        expect(Math.abs(many.row[k]! - x), `column ${k}`).toBeLessThan(
          1e-4 * Math.max(1, Math.abs(x)),
        );
      });
    },
  );

  // Lists that allow for a large strain reach over more particles than they have room for: forces without these tell nothing of the box.
  itLong('a box that leans under a high pressure: as on the CPU', async () => {
    const of = { start: 'cube', steps: 24 } as const;
    const text = `+setup_system:
  - change_box: { strain: { xy: 0.5 } }
numerical_scheme: { nose_hoover: { pressure: 30, tau_pressure: 0.5, coupling: aniso } }
`;
    const exact = await runBox(work, cpu, of, text, { every: 24 });
    const ours = await runBox(work, gpu, of, text, { every: 24 });
    exact.row.forEach((x, k) => {
      expect(Math.abs(ours.row[k]! - x), `column ${k}`).toBeLessThan(
        1e-4 * Math.max(1, Math.abs(x)),
      );
    });
  });

  const squeezed: [string, string][] = [
    ['cell_rescale', 'temperature: 1.2, tau: 0.3'],
    ['berendsen_box', 'tau_pressure: 0.3'],
  ];
  it.each(runs([], squeezed))(
    '%s that compresses the box at once ends in an error of the run, not of the device',
    async (name, more) => {
      const text = `+numerical_scheme:\n  - ${name}: { pressure: [2, 2500], ${more}, compressibility: 0.1 }\n`;
      for (const ctx of [cpu, gpu]) {
        const run = runBox(work, ctx, { start: 'cube', steps: STEPS }, text);
        const { code } = await run.catch((error) => error);
        expect(['INVALID_VALUE', 'NOT_FINITE']).toContain(code);
      }
    },
  );

  // Values of a box take places that others have left, while calls of before still wait.
  itLong('runs of several barostats in one context repeat to the bit', async () => {
    const names = ['constant pressure', 'weak coupling, in a prism', 'cell rescaling'];
    const seen = new Map<string, string>();
    for (const name of [0, 1, 1, 2, 0, 0, 2, 1].map((k) => names[k]!)) {
      const { row, positions } = await runBox(work, gpu, { start: 'cube', steps: 2 }, files[name]!);
      const found = JSON.stringify([row, [...positions]]);
      if (seen.has(name)) expect(found, name).toBe(seen.get(name));
      else seen.set(name, found);
    }
  });

  const steady = [
    'constant pressure, with forces from outside',
    'constant pressure',
    'constant pressure, a bias on all pairs of some',
    'deform, a little',
    'deform a length beside pressures of the others',
    'deform a tilt beside pressures of each length',
    'deform a tilt beside cell rescaling',
    'lengths and tilts by pressures, a bias on all pairs',
    'constant pressure, whole neighborhoods',
    'cell rescaling',
    'deform a little, with velocities that follow at faces',
    'deform a tilt beside a pressure, with velocities that follow at faces',
    'deform a length beside pressures of the others, with particles that stay',
    'deform into a flow beside a pressure',
  ];
  // A software adapter takes a second for all pairs in double-single, and compiles anew what it has not compiled above. The host decides the same.
  const precisionsOf = (name: string) =>
    /all pairs|outside|^deform/.test(name) ? (['f32'] as const) : (['f32', 'f64'] as const);
  const inPrecisions = steady.flatMap((name) =>
    precisionsOf(name).map((precision) => [name, precision] as const),
  );
  const isShort = ([name, precision]: readonly [string, string]) =>
    precision === 'f32' && name === 'constant pressure';
  it.each(
    runs(
      inPrecisions.filter(isShort),
      inPrecisions.filter((one) => !isShort(one)),
    ),
  )('%s: no step reads anything, in %s', async (name, precision) => {
    // The device that has compiled kernels of this precision is free.
    if (precision === 'f32') await gpu.close();
    const reads = async (steps: number): Promise<number> => {
      await using own = await createExecutionContext({ backend: 'webgpu', precision });
      await runBox(work, own, { start: 'cube', steps }, { ...files, ...slowFiles }[name]!, {
        every: 1000,
      });
      return own.device!.counters.downloads;
    };
    const [few, many] = [await reads(20), await reads(runs(40, 60))];
    // Windows that prove themselves, some twice; they are short where the box is prescribed.
    expect(many - few).toBeLessThan(name.startsWith('deform') ? 12 : 6);
  });
});
