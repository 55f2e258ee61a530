import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry, gridKey } from '@corpuscle/operators';
import { createExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { afterAll, describe, expect, it } from 'vitest';
import { EDGE } from '../data/thermostats/start.js';
import {
  caseYaml,
  type IntegratorRun,
  integratorCases,
  startText,
} from '../support/integratorCases.js';
import { isLong, itOnce } from '../support/runs.js';

const file = new URL('../data/integrators/lammps.json', import.meta.url);
const { runs } = JSON.parse(readFileSync(file, 'utf8')) as { runs: Record<string, IntegratorRun> };
const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-integrators-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(name: string, backend: 'cpu' | 'webgpu', steps = 100): Promise<IntegratorRun> {
  writeFileSync(path.join(folder, 'start.xyz'), startText());
  const input = path.join(folder, `${name}.yaml`);
  writeFileSync(
    input,
    caseYaml(
      integratorCases[name]!,
      '',
      `dt: 0.004, end_iteration: ${steps}, thermo_frequency: 10`,
    ),
  );
  const simulation = loadSimulation([input], { operators: createRegistry() });
  await using context = await createExecutionContext({ backend, threads: 1 });
  const outputDirectory = path.join(folder, `${name}-${backend}`);
  const { state } = await runSimulation(simulation, { context, outputDirectory });
  const grid = state.get(gridKey);
  await newestOnHost(grid, context);
  const [x, y, z] = ['rx', 'ry', 'rz'].map((axis) => grid.values(axis));
  const positions: number[] = [];
  grid.values('id').forEach((id, row) => {
    if (id % 10 !== 0) return;
    positions[(3 * id) / 10] = x![row]!;
    positions[(3 * id) / 10 + 1] = y![row]!;
    positions[(3 * id) / 10 + 2] = z![row]!;
  });
  const table = readFileSync(path.join(outputDirectory, 'thermo.csv'), 'utf8').trim().split('\n');
  const rows = table.slice(1).map((row) => row.split(',').map(Number));
  return { rows: rows.map((row) => [row[0]!, row[1]!, row[4]!, row[3]!]), positions };
}

/** The largest differences: of times, of energies, relative, and of positions. */
function differences(ours: IntegratorRun, theirs: IntegratorRun) {
  const apart = (column: number, scale: (value: number) => number) =>
    Math.max(
      ...ours.rows.map((row, k) => {
        const expected = theirs.rows[k]!;
        expect(row[0]).toBe(expected[0]);
        return Math.abs(row[column]! - expected[column]!) / scale(expected[column]!);
      }),
    );
  const positions = ours.positions.map((x, n) => {
    const distance = x - theirs.positions[n]!;
    return Math.abs(distance - EDGE * Math.round(distance / EDGE));
  });
  return {
    time: apart(1, () => 1),
    energy: Math.max(apart(2, Math.abs), apart(3, Math.abs)),
    position: Math.max(...positions),
  };
}

describe('100 steps are those of LAMMPS (29 Sep 2021), step by step', () => {
  itOnce.each(Object.keys(integratorCases))('%s on the CPU', async (name) => {
    const { time, energy, position } = differences(await run(name, 'cpu'), runs[name]!);
    expect(time).toBeLessThan(1e-10);
    expect(energy).toBeLessThan(1e-8);
    expect(position).toBeLessThan(1e-8);
  });

  // respa.test.ts has RESPA on a device.
  it.each(isLong ? ['respa', 'wiggled'] : ['adaptive', 'rotated'])(
    '%s on WebGPU, 20 steps',
    async (name) => {
      const { time, energy } = differences(await run(name, 'webgpu', 20), runs[name]!);
      expect(time).toBeLessThan(1e-6);
      expect(energy).toBeLessThan(2e-5); // f32
    },
  );
});
