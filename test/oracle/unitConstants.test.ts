import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dimensions, loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry, gridKey } from '@corpuscle/operators';
import { createExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, Workplace } from '../support/runCli.js';
import { itOnce } from '../support/runs.js';
import { copyUnitScripts, type UnitRun, unitFolder, unitScripts } from '../support/unitCases.js';

const work = new Workplace();
beforeAll(() => copyUnitScripts(work.root));
afterAll(() => work.remove());

const stored = JSON.parse(readFileSync(join(unitFolder, 'lammps.json'), 'utf8')) as Record<
  string,
  UnitRun
>;

/** The script, converted and run with the constants of LAMMPS: `units: real` and the like have them. */
async function run(name: string, steps: number) {
  const yaml = work.path(`${name}.${steps}.yaml`);
  expect(await runCli(['convert', work.path(name), yaml])).toMatchObject({ code: 0, err: '' });
  const simulation = loadSimulation([yaml], {
    operators: createRegistry(),
    set: [`global.end_iteration=${steps}`],
  });
  await using context = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const outputDirectory = work.path(`out.${name}.${steps}`);
  const { state } = await runSimulation(simulation, { context, outputDirectory });
  const grid = state.get(gridKey);
  await newestOnHost(grid, context);
  const columns = ['rx', 'ry', 'rz', 'fx', 'fy', 'fz'].map((field) => grid.values(field));
  const particles = Array.from({ length: grid.count }, (_, row) => columns.map((c) => c[row]!));
  const table = readFileSync(join(outputDirectory, 'thermo.csv'), 'utf8').trim().split('\n');
  const rows = table.slice(1).map((line) => {
    const [step, , temperature, potential, kinetic, , pressure] = line.split(',').map(Number);
    return [step!, temperature!, potential!, kinetic!, pressure!];
  });
  const { units } = simulation.configuration;
  const force = (value: number) => units.fromInternal(value, dimensions.force);
  const { matrix } = grid.domain;
  return { rows, particles, force, box: [matrix[0]!, matrix[4]!, matrix[8]!] };
}

/** The particle nearest to a place, and how far it is, by edges of the box: lattices count particles in another order. */
function nearest(
  particles: readonly (readonly number[])[],
  place: readonly number[],
  box: readonly number[],
) {
  let found = particles[0]!;
  let least = Infinity;
  for (const particle of particles) {
    const square = box.reduce((sum, length, k) => {
      const off = (particle[k]! - place[k]!) / length;
      return sum + (off - Math.round(off)) ** 2;
    }, 0);
    if (square < least) [found, least] = [particle, square];
  }
  return { particle: found, distance: Math.sqrt(least) };
}

/** The largest difference of two rows, each number by its own size; pressures by the largest of the run. */
function apart(ours: readonly number[], theirs: readonly number[], pressure: number): number {
  return Math.max(
    ...theirs.map(
      (value, k) => Math.abs(ours[k]! - value) / (k === 4 ? pressure : Math.abs(value) || 1),
    ),
  );
}

describe('named systems of units have the constants of LAMMPS', () => {
  itOnce('in six scripts', () => expect(unitScripts).toEqual(Object.keys(stored)));

  it.each(unitScripts)('%s: temperature, energies, pressure and forces of step 0', async (name) => {
    const [ours, theirs] = [await run(name, 0), stored[name]!];
    const pressure = Math.max(...theirs.rows.map((row) => Math.abs(row[4]!)));
    expect(apart(ours.rows[0]!, theirs.rows[0]!, pressure)).toBeLessThan(1e-10);
    const largest = Math.max(...theirs.first.flatMap((row) => row.slice(3).map(Math.abs)));
    for (const row of theirs.first) {
      const { particle, distance } = nearest(ours.particles, row, ours.box);
      expect(distance).toBeLessThan(1e-12);
      for (let k = 3; k < 6; k++)
        expect(Math.abs(ours.force(particle[k]!) - row[k]!) / largest).toBeLessThan(1e-10);
    }
  });

  it.each(unitScripts)('%s: 100 steps', async (name) => {
    const [ours, theirs] = [await run(name, 100), stored[name]!];
    const pressure = Math.max(...theirs.rows.map((row) => Math.abs(row[4]!)));
    expect(ours.rows).toHaveLength(theirs.rows.length);
    for (const [k, row] of theirs.rows.entries())
      expect(apart(ours.rows[k]!, row, pressure), `row ${k}`).toBeLessThan(1e-8);
    ours.box.forEach((length, k) => {
      expect(Math.abs(length / theirs.boxes[1][k]! - 1)).toBeLessThan(1e-9);
    });
    for (const row of theirs.last)
      expect(nearest(ours.particles, row, ours.box).distance).toBeLessThan(1e-9);
  });
});
