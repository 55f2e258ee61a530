import { loadSimulation, operatorsOf, withOneBackend } from '@corpuscle/core';
import { createRegistry, functorUses } from '@corpuscle/operators';
import { cellFunctor, createExecutionContext, explain } from '@corpuscle/patterns';
import { beforeAll, describe, expect, it } from 'vitest';
import { itOnce, runs } from './support/runs.js';
import { runText, type TextRun } from './support/runText.js';

const melt = (backend: string, { scheme = '', more = '' } = {}) => `
configuration: { units: lj, seed: 7, backend: ${backend} }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: 20, thermo_frequency: 10 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
${scheme}
${more}
simulation: molecular_dynamics
`;

const nosePressure = `
numerical_scheme:
  - nose_hoover: { temperature: 1.2, tau: 0.2, pressure: 3, tau_pressure: 1 }`;

const known = ['cpu', 'webgpu', 'webgl'];
const load = (text: string) =>
  loadSimulation([{ name: 'in.yaml', text }], { operators: createRegistry(), backends: known });

describe('a backend for operators', () => {
  itOnce(
    'is given by the end of a path, the last pattern that fits, and decides what the run needs',
    () => {
      const { root, configuration } = load(
        melt("{ '*': cpu, numerical_scheme: auto, compute_force: webgpu }"),
      );
      const backends = Object.fromEntries(
        [...operatorsOf(root)].map(({ path, backend }) => [path.split('/').at(-1), backend]),
      );
      expect(backends).toMatchObject({ lattice: 'cpu', lennard_jones_force: 'webgpu' });
      expect(configuration.backend).toBe('webgpu');
      expect(load(melt("{ '*': cpu }")).configuration.backend).toBe('cpu');
      expect(load(melt("{ 'compute_force/*': cpu }")).configuration.backend).toBe('auto');
      const uses = functorUses(load(melt("{ '*': webgpu, compute_force: cpu }")));
      const given = uses.map(({ functor, backend }) => [functor.name, backend]);
      expect(given).toContainEqual(['lennard_jones', 'cpu']);
      expect(given).toContainEqual(['zero_forces', 'webgpu']);
      const plain = withOneBackend(load(melt("{ '*': cpu }")));
      expect([...operatorsOf(plain.root)].some(({ backend }) => backend)).toBe(false);
    },
  );

  itOnce.each([
    [
      "{ 'compute_forse/*': cpu }",
      'UNKNOWN_KEY',
      /'compute_forse\/\*': did you mean 'compute_force'/,
    ],
    ["{ '*': gpu }", 'INVALID_VALUE', /the backend of '\*' is 'gpu'/],
    ["{ '*': 3 }", 'WRONG_TYPE', /the backend of '\*' is 3: give a name/],
    [
      "{ '*': webgl, compute_force: webgpu }",
      'INVALID_VALUE',
      /webgl and webgpu cannot be in one run/,
    ],
  ])('%s is a mistake with its place', (backend, code, message) => {
    expect(() => load(melt(backend))).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringMatching(message),
        location: expect.objectContaining({ line: 2 }),
      }),
    );
  });
});

describe('a run with operators on two engines', () => {
  let reference: TextRun;
  let pressed: TextRun;
  const run = async (text: string, backend: 'cpu' | 'webgpu'): Promise<TextRun> => {
    await using context = await createExecutionContext({ backend, threads: 2 });
    return await runText(text, context);
  };
  beforeAll(async () => {
    reference = await run(melt('cpu'), 'cpu');
    pressed = await run(melt('cpu', { scheme: nosePressure }), 'cpu');
  });

  /** Steps in f32 forget what forces of f32 lose: twenty steps keep four digits. */
  const expectSame = (made: TextRun, expected: TextRun) => {
    for (const column of ['potential_energy', 'kinetic_energy', 'pressure']) {
      const [a, b] = [made.table[column]!, expected.table[column]!];
      expect(a.length).toBe(b.length);
      for (const [k, value] of a.entries()) expect(value / b[k]!).toBeCloseTo(1, 3);
    }
  };

  const cases: [string, string][] = [
    ['forces and their lists on the CPU, steps on the device', "{ 'compute_force/*': cpu }"],
    [
      'forces and their lists on the device, steps on the CPU',
      "{ '*': cpu, 'compute_force/*': webgpu }",
    ],
    ['steps on the CPU', '{ numerical_scheme: cpu, compute_force: webgpu }'],
    ['thermo on the CPU', '{ thermo: cpu }'],
  ];
  it.each(runs(cases.slice(0, 2), cases.slice(2)))('%s', async (_, backend) => {
    expectSame(await run(melt(backend), 'webgpu'), reference);
  });

  itOnce.each(["{ 'compute_force/*': cpu }", "{ '*': cpu, 'compute_force/*': webgpu }"])(
    'with a barostat, %s',
    async (backend) => {
      expectSame(await run(melt(backend, { scheme: nosePressure }), 'webgpu'), pressed);
    },
  );

  itOnce('is refused where two forces that share lists are on different engines', async () => {
    const more = `
also_force:
  - buckingham_force: { A: 1, rho: 1, C: 0, rcut: 2 }`;
    const text = melt('{ lennard_jones_force: cpu }', { more }).replace(
      'rcut: 2.5 }',
      'rcut: 2.5 }\n  - also_force',
    );
    await expect(run(text, 'webgpu')).rejects.toMatchObject({
      code: 'INVALID_VALUE',
      message: expect.stringMatching(
        /lennard_jones_force \(cpu\) and buckingham_force \(auto\) have different backends/,
      ),
      location: expect.objectContaining({ line: expect.any(Number) }),
    });
  });

  itOnce('explain says where a call of an operator would run', async () => {
    await using context = await createExecutionContext({ backend: 'webgpu' });
    const push = cellFunctor({ name: 'push', fields: { rx: 'real' } }, (i) => {
      i.rx += 1;
    });
    context.enterOperator('push', 'cpu');
    expect(explain(push, context)).toMatchObject({
      backend: 'cpu',
      reason: 'backend cpu was asked for',
    });
    context.enterOperator('push');
    expect(explain(push, context).backend).toBe('webgpu');
  });
});
