import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CorpuscleError, loadSimulation } from '@corpuscle/core';
import { createRegistry, gridKey, ledgerKey } from '@corpuscle/operators';
import { afterAll, describe, expect, it } from 'vitest';
import { caseYaml, integratorCases, startText } from './support/integratorCases.js';
import { RunFolders } from './support/restarts.js';

const runs = new RunFolders();
afterAll(() => runs.remove());

const respa = integratorCases.respa!;
const write = (name: string) =>
  writeFileSync(path.join(runs.folder(name), 'start.xyz'), startText());

/** Positions by id after a time of 0.16. */
async function positionsAfter(dt: number): Promise<number[]> {
  const name = `dt-${dt}`;
  write(name);
  const steps = Math.round(0.16 / dt);
  const { state } = await runs.run(
    name,
    caseYaml(respa, '', `dt: ${dt}, end_iteration: ${steps}, thermo_frequency: ${steps}`),
  );
  const grid = state.get(gridKey);
  const axes = ['rx', 'ry', 'rz'].map((axis) => grid.values(axis));
  return [...grid.rowsById()].flatMap((row) => axes.map((values) => values[row]!));
}

/** Root mean square of the distances that do not come from another image. */
function distance(a: readonly number[], b: readonly number[]): number {
  const near = a.map((x, k) => x - b[k]!).filter((x) => Math.abs(x) < 1);
  return Math.sqrt(near.reduce((sum, x) => sum + x * x, 0) / near.length);
}

it('respa is of second order in the time step', async () => {
  const exact = await positionsAfter(0.0005);
  const [coarse, fine] = [await positionsAfter(0.008), await positionsAfter(0.004)];
  const ratio = distance(coarse, exact) / distance(fine, exact);
  expect(ratio).toBeGreaterThan(3.6);
  expect(ratio).toBeLessThan(4.6);
});

/** The last potential energy of a warm crystal with a bias whose number goes by neighbor lists. */
async function biasedEnergy(scheme: string): Promise<number> {
  const { state } = await runs.run(
    scheme.slice(2, 7),
    `
configuration: { units: lj, seed: 3 }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: 6, thermo_frequency: 6 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8, repeat: [7, 7, 7], types: [A] }
  - init_temperature: { temperature: 0.9 }
biased:
  - coordination: { group_a: all, switch: { r_0: 1.3, d_max: 1.9 }, harmonic_bias: { at: 2000, kappa: 1e-4 } }
pairs: [{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }]
compute_force: [biased, pairs]
numerical_scheme: ${scheme}
simulation: molecular_dynamics
`,
  );
  const { energy } = await state.get(ledgerKey).totals();
  return energy;
}

it('takes a bias as a level: with one step each it is velocity Verlet', async () => {
  const [one, other] = [
    await biasedEnergy('{ respa: { levels: [{ forces: biased }, { forces: pairs }] } }'),
    await biasedEnergy('{ velocity_verlet: { dt: 0.004 } }'),
  ];
  expect(one / other).toBeCloseTo(1, 12);
});

describe.each(['cpu', 'webgpu'] as const)('on %s', (backend) => {
  it('a run with respa goes on from a checkpoint to the same bits', async () => {
    const yaml = caseYaml(
      respa,
      // Stresses of step 4 are found after its checkpoint, by the forces of all levels.
      'dump_data: [checkpoint: { frequency: 4, keep: 9 }, particle_stress: { file: stress.csv, every: 4 }]',
      'dt: 0.004, end_iteration: 10, thermo_frequency: 5',
    );
    const whole = `whole-${backend}`;
    write(whole);
    await runs.run(whole, yaml, { backend });
    const table = (name: string, file: string) =>
      readFileSync(path.join(runs.folder(name), file), 'utf8');
    const again = `again-${backend}`;
    await runs.run(again, yaml, { backend }, { name: whole, step: 4 });
    for (const file of ['thermo.csv', 'stress.csv'])
      expect(table(again, file)).toBe(table(whole, file));
  });
});

// dE/dt = −V P : ∇u, Evans and Morriss 1984.
it('a flow at the end of its step does work on the particles as thermodynamics has it', async () => {
  write('flow');
  const scheme = `[${respa.scheme}, { deform: { true_rate: { xy: 0.5 }, sllod: true } }]`;
  const time = 'dt: 0.001, end_iteration: 300, thermo_frequency: 1';
  await runs.run('flow', caseYaml({ ...respa, scheme }, 'thermo: { box: true }', time));
  const file = path.join(runs.folder('flow'), 'thermo.csv');
  const [head, ...rows] = readFileSync(file, 'utf8').trim().split('\n');
  const at = (name: string, k: number) =>
    Number(rows[k]!.split(',')[head!.split(',').indexOf(name)]);
  const power = (k: number) => -0.5 * at('volume', k) * at('pxy', k);
  const work = rows.slice(1).reduce((sum, _, k) => sum + 0.0005 * (power(k) + power(k + 1)), 0);
  const change = at('total_energy', rows.length - 1) - at('total_energy', 0);
  expect(Math.abs(change)).toBeGreaterThan(10);
  expect(work / change).toBeCloseTo(1, 2);
});

describe('respa tells', () => {
  const failure = (scheme: string, more = ''): CorpuscleError => {
    write('wrong');
    const file = path.join(runs.folder('wrong'), 'in.yaml');
    writeFileSync(file, caseYaml({ ...respa, scheme }, more));
    try {
      loadSimulation([file], { operators: createRegistry() });
    } catch (error) {
      if (error instanceof CorpuscleError) return error;
    }
    throw new Error('it loads');
  };

  it.each([
    ['respa', 'MISSING_VALUE', 'needs levels'],
    ['{ respa: { levels: [{ forces: pairs }] } }', 'INVALID_VALUE', 'give at least 2'],
    ['{ respa: { levels: [pairs, bonded] } }', 'WRONG_TYPE', 'item 0 of levels of respa'],
    [
      '{ respa: { levels: [{ forces: bonded, step: 4 }, { forces: pairs }] } }',
      'UNKNOWN_KEY',
      "no key 'step'",
    ],
    [
      '{ respa: { levels: [{ forces: bonded, steps: 0.5 }, { forces: pairs }] } }',
      'WRONG_TYPE',
      'whole number',
    ],
    [
      '{ respa: { levels: [{ forces: bonded, steps: 2 }, { forces: pairs, steps: 2 }] } }',
      'INVALID_VALUE',
      'last level',
    ],
    [
      '[velocity_verlet, { respa: { levels: [{ forces: bonded }, { forces: pairs }] } }]',
      'INVALID_VALUE',
      'both move all particles',
    ],
  ] as const)('what is wrong with %s', (scheme, code, message) => {
    const error = failure(scheme);
    expect(error.message).toContain(message);
    expect(error.code).toBe(code);
  });

  it('where a flow stands between its drifts', () => {
    const { code, message, location } = failure(
      respa.scheme,
      'after_drift: [{ deform: { rate: { xy: 0.1 }, sllod: true } }]',
    );
    expect(code).toBe('INVALID_VALUE');
    expect(message).toContain('put it at the end of numerical_scheme');
    expect(location).toMatchObject({ line: 22, column: 53 });
  });

  it('of a force that is in no level', async () => {
    write('lost');
    const yaml = caseYaml({ ...respa, forces: '[bonded, pairs, anchored]' });
    await expect(runs.run('lost', yaml)).rejects.toThrow('is in no level of respa');
  });
});
