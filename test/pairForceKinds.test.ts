import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { caseYaml, startText } from './support/integratorCases.js';
import { RunFolders } from './support/restarts.js';

const runs = new RunFolders();
afterAll(() => runs.remove());

const file = fileURLToPath(new URL('./data/potentials/pair.table', import.meta.url));
const keyword = readFileSync(file, 'utf8')
  .split('\n')
  .find((line) => /^[A-Z]+$/.test(line))!;

/** Rows of the thermo table of a run with these forces. */
async function rows(
  name: string,
  force: string,
  { backend = 'cpu', steps = 10 }: { backend?: 'cpu' | 'webgpu'; steps?: number } = {},
  from?: { readonly name: string; readonly step: number },
): Promise<number[][]> {
  writeFileSync(path.join(runs.folder(name), 'start.xyz'), startText());
  const yaml = caseYaml(
    { commands: [], scheme: 'velocity_verlet', forces: `[${force}]` },
    'dump_data: [checkpoint: { frequency: 4, keep: 9 }]',
    `dt: 0.002, end_iteration: ${steps}, thermo_frequency: 2`,
  );
  await runs.run(name, yaml, { backend }, from);
  return readFileSync(path.join(runs.folder(name), 'thermo.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));
}

const table = `file: "${file}", keyword: ${keyword}, rcut: 2.3`;
const lj = '{ types: [A, A], use: lennard_jones, epsilon: 1, sigma: 1, rcut: 2.5 }';
const tabulated = `{ types: [A, B], use: tabulated, ${table} }`;
const dpd = '{ types: [B, B], use: dpd, A: 25, gamma: 4.5, rcut: 1.3 }';
const mixed = `pair_force: { temperature: 1, pairs: [${lj}, ${tabulated}, ${dpd}] }`;
const without = (...kept: string[]) => {
  const none = ['AA', 'AB', 'BB']
    .map(([a, b]) => `[${a}, ${b}]`)
    .filter((types) => !kept.some((entry) => entry.includes(types)));
  const entries = [...kept, ...none.map((types) => `{ types: ${types}, use: none }`)];
  return `pair_force: { temperature: 1, pairs: [${entries.join(', ')}] }`;
};

describe('pair_force takes tables and DPD', () => {
  it.each([
    [`tabulated_force: { ${table}, points: 700 }`, `{ use: tabulated, ${table}, points: 700 }`],
    [
      'dpd_force: { A: 25, gamma: 4.5, rcut: 1.3, temperature: 1 }',
      '{ use: dpd, A: 25, gamma: 4.5, rcut: 1.3 }',
    ],
    [
      `tabulated_force: { ${table}, switch: potential, switch_from: 1.8 }`,
      `{ use: tabulated, ${table}, switch: potential, switch_from: 1.8 }`,
    ],
    [
      'dpd_force: { A: 25, gamma: 4.5, rcut: 1.3, temperature: 1, switch: smooth, switch_from: 0.9 }',
      '{ use: dpd, A: 25, gamma: 4.5, rcut: 1.3, switch: smooth, switch_from: 0.9 }',
    ],
  ])('for all pairs, as %s', async (alone, entry) => {
    const inside = `pair_force: { temperature: 1, pairs: [${entry}] }`;
    expect(await rows('inside', inside)).toEqual(await rows('alone', alone));
  });

  it('for pairs of types beside others: energies and pressures add up', async () => {
    const all = (await rows('mixed', mixed, { steps: 0 }))[0]!;
    const parts: number[][] = [];
    for (const [k, entry] of [lj, tabulated, dpd].entries())
      parts.push((await rows(`part-${k}`, without(entry), { steps: 0 }))[0]!);
    const sum = (column: number) => parts.reduce((total, part) => total + part[column]!, 0);
    expect(all[3]).toBeCloseTo(sum(3), 9);
    // Each has the pressure of the ideal gas.
    const ideal = (2 * all[4]!) / (3 * 6.718384763729186 ** 3);
    expect(all[6]! + 2 * ideal).toBeCloseTo(sum(6), 9);
    for (const part of parts) expect(Math.abs(part[3]!)).toBeGreaterThan(1);
  });

  it('and goes on from a checkpoint to the same bits', async () => {
    const window = ', switch: xplor, switch_from: 0.8 }';
    const several = `pair_force: { temperature: 1, pairs: [${lj}, ${dpd}, { types: [A, B], use: dpd, A: 25, gamma: 4.5, rcut: 1.3${window}] }`;
    const parts = await rows('several', several);
    expect(await rows('on', several, {}, { name: 'several', step: 4 })).toEqual(parts);
    const whole = await rows('whole', mixed);
    expect(await rows('again', mixed, {}, { name: 'whole', step: 4 })).toEqual(whole);
  });

  it('on WebGPU as on the CPU', async () => {
    const [cpu, device] = [
      await rows('host', mixed, { steps: 2 }),
      await rows('device', mixed, { steps: 2, backend: 'webgpu' }),
    ];
    cpu.forEach((row, k) => {
      expect(Math.abs(device[k]![3]! / row[3]! - 1)).toBeLessThan(2e-5);
    });
  });

  it.each([
    [`pair_force: { pairs: [${dpd}, ${lj}] }`, 'no potential is given for the pair A-B'],
    [`pair_force: { pairs: [{ use: dpd, A: 25, gamma: 4.5, rcut: 1 }] }`, 'dpd needs temperature'],
    [
      `pair_force: { mixing: geometric, temperature: 1, pairs: [{ types: [A, A], use: dpd, A: 1, gamma: 1, rcut: 1 }, ${dpd}] }`,
      "dpd has no mixing rule 'geometric'",
    ],
    [
      `pair_force: { temperature: 1, pairs: [${lj}, ${tabulated}, ${dpd}, { types: [B, B], use: dpd, A: 1, gamma: 1, rcut: 1, switch: force, switch_from: 0.5 }] }`,
      'the pair B-B is given twice',
    ],
    [`tabulated_force: { ${table}, switch: force }`, "switch 'force' needs switch_from"],
    [
      `pair_force: { pairs: [{ use: tabulated, ${table}, switch: force, switch_from: 2.4 }] }`,
      'switch_from is 2.4: give a distance between 0 and rcut, which is 2.3',
    ],
    [
      'dpd_force: { A: 25, gamma: 4.5, rcut: 1.3, temperature: 1, switch_from: 1 }',
      'switch_from says where a window begins: give switch too',
    ],
  ])('tells what is wrong with %s', async (force, message) => {
    await expect(rows('wrong', force)).rejects.toThrow(message);
  });
});
