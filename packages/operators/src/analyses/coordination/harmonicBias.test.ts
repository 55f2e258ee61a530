import {
  createExecutionContext,
  type ExecutionContext,
  updateNeighbors,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { frameOfPositions } from '../../../../../test/support/frameOfPositions.js';
import { ForceLedger } from '../../forces/ForceLedger.js';
import { createGrid } from '../../system/createGrid.js';
import { coordinationBias } from './coordinationBias.js';
import { evaluateSwitching, switchingFunction } from './switching/Switching.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx?.close());

const edge = 8;
const options = { type: 'rational', r0: 1.2, dMax: 2.4 } as const;
const harmonicBias = { at: 3, kappa: 0.7 };
const positions = Array.from({ length: 10 }, (_, k) => [
  edge * ((0.31 * k) % 1),
  4 + 1.3 * Math.sin(2 * k),
  1.5 * Math.cos(3 * k),
]);

/** kappa/2 (S − at)² of the particles and their box, strained by r_a += strain r_b, by brute force over nearest images. */
function strainedEnergy(a: number, b: number, strain: number): number {
  const s = switchingFunction(options);
  let number = 0;
  for (let i = 0; i < positions.length; i++)
    for (let j = 0; j < i; j++) {
      const d = positions[i]!.map((x, k) => {
        const apart = x - positions[j]![k]!;
        return apart - edge * Math.round(apart / edge);
      });
      d[a] = d[a]! + strain * d[b]!;
      number += evaluateSwitching(s, Math.hypot(...d)).value;
    }
  return (harmonicBias.kappa / 2) * (number - harmonicBias.at) ** 2;
}

const paths = ['all_pairs', 'neighbor_lists', 'cell_lists'] as const;
it.each(paths)(
  'gives the energy, shared among the particles, and minus its strain derivative as virial, by %s',
  async (path) => {
    const frame = frameOfPositions(positions, [edge, 0, 0, 0, edge, 0, 0, 0, edge]);
    const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
    const lists = { rcut: 2.5, skin: 0.1 };
    await updateNeighbors(grid, ctx, lists);
    const bias = coordinationBias(ctx, { groupA: 'all', path, switch: options, harmonicBias });
    await bias.before?.(grid, ctx, lists);
    const ledger = new ForceLedger(grid, ctx);
    ledger.begin({ totals: true, energies: true });
    ledger.add(bias);
    const { energy, virial } = await ledger.totals();

    const exact = strainedEnergy(0, 0, 0);
    expect(exact).toBeGreaterThan(1);
    expect(energy).toBeCloseTo(exact, 11);
    for (const share of grid.values('ep')) expect(share).toBeCloseTo(exact / positions.length, 12);

    const h = 1e-4;
    const axes = [
      [0, 0],
      [1, 1],
      [2, 2],
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const;
    axes.forEach(([a, b], k) => {
      const at = (n: number) => strainedEnergy(a, b, n * h);
      const derivative = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
      expect(Math.abs(derivative)).toBeGreaterThan(1e-3);
      expect(virial[k]! / -derivative, `component ${k}`).toBeCloseTo(1, 7);
    });
    bias.close();
    grid.free();
  },
);
