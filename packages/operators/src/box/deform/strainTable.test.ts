import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, describe, expect, it } from 'vitest';
import { createRegistry } from '../../createRegistry.js';
import { gridKey } from '../../run/stateKeys.js';
import { noStrain } from '../strainBox.js';
import { tableRate, tableStrain, wrongTimes } from './strainTable.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-strains-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rows = [{ time: 1 }, { time: 3, xx: 0.2, yz: -0.1 }, { time: 4, xx: 0.1 }];

describe('a table of strains', () => {
  it('is linear between its times, and stays before and after', () => {
    expect(tableStrain(rows, 0)).toEqual(noStrain);
    expect(tableStrain(rows, 2)).toEqual({ ...noStrain, xx: 0.1, yz: -0.05 });
    expect(tableStrain(rows, 3)).toEqual({ ...noStrain, xx: 0.2, yz: -0.1 });
    expect(tableStrain(rows, 9)).toEqual({ ...noStrain, xx: 0.1 });
  });

  it('has the slopes between its times as rates', () => {
    expect(tableRate(rows, 0.5)).toEqual(noStrain);
    expect(tableRate(rows, 1)).toEqual({ ...noStrain, xx: 0.1, yz: -0.05 });
    expect(tableRate(rows, 3.5).xx).toBeCloseTo(-0.1, 12);
    expect(tableRate(rows, 4)).toEqual(noStrain);
  });

  it('has times that grow', () => {
    expect(wrongTimes(rows)).toBeNull();
    expect(wrongTimes([{ time: 1 }, { time: 1 }])).toMatch(/row 2 of table is not later/);
  });
});

const input = (steps: number, table: string) => ({
  name: 'in.yaml',
  text: `configuration: { units: lj, seed: 1 }
global: { dt: 0.005, end_iteration: ${steps} }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8, repeat: [3, 3, 3], types: [A] }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.0 }]
numerical_scheme: [velocity_verlet, { deform: { table: ${table} } }]
simulation: molecular_dynamics
`,
});

it.each(['cpu', 'webgpu'] as const)('deform follows a table on %s', async (backend) => {
  await using context = await createExecutionContext({ backend, threads: 1 });
  const table = '[{ time: 0 }, { time: 0.02, xx: 0.004 }, { time: 0.04, xx: 0.001, xy: 0.002 }]';
  const edge = 3 * Math.cbrt(4 / 0.8);
  for (const [steps, xx, xy] of [
    [4, 0.004, 0],
    [6, 0.0025, 0.001],
    [12, 0.001, 0.002],
  ] as const) {
    const simulation = loadSimulation([input(steps, table)], { operators: createRegistry() });
    const { state } = await runSimulation(simulation, { context, outputDirectory: folder });
    const { matrix } = state.get(gridKey).domain;
    expect(matrix[0]! / edge - 1).toBeCloseTo(xx, 6);
    expect(matrix[3]! / edge).toBeCloseTo(xy, 6);
    expect(matrix[8]! / edge - 1).toBeCloseTo(0, 6);
  }
});

it('refuses rows that are not sorted', () => {
  const load = () =>
    loadSimulation([input(5, '[{ time: 1 }, { time: 0.5, xx: 0.1 }]')], {
      operators: createRegistry(),
    });
  expect(load).toThrow(/row 2 of table is not later than the row before: sort it by time/);
});
