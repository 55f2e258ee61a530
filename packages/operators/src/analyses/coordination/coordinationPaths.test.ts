import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frameOfPositions } from '../../../../../test/support/frameOfPositions.js';
import { createGrid } from '../../system/createGrid.js';
import { coordination } from './coordination.js';
import { evaluateSwitching, switchingFunction } from './switching/Switching.js';
import type { SwitchOptions } from './switching/SwitchOptions.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx?.close());

const paths = ['all_pairs', 'cell_lists', 'neighbor_lists'] as const;

/** The number of all pairs, each once, in an open box. */
function bruteForce(positions: readonly (readonly number[])[], options: SwitchOptions): number {
  const s = switchingFunction(options);
  let sum = 0;
  for (let i = 0; i < positions.length; i++)
    for (let j = 0; j < i; j++) {
      const [a, b] = [positions[i]!, positions[j]!];
      const r = Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
      sum += evaluateSwitching(s, r).value;
    }
  return sum;
}

async function numberOf(
  positions: readonly (readonly number[])[],
  options: SwitchOptions,
  path: (typeof paths)[number],
): Promise<number> {
  const grid = createGrid(frameOfPositions(positions), [{ name: 'A', mass: 1 }], ctx.heap);
  const { value } = await coordination(grid, ctx, { groupA: 'all', switch: options, path });
  grid.free();
  return value;
}

describe.each(paths)('by %s', (path) => {
  // PLUMED: s(r) is cut where r > D_MAX, so that r = D_MAX counts.
  it('a pair at exactly the end of an unstretched switch counts', async () => {
    for (const dMax of [2, 0.3, 1 / 3, 1.1]) {
      const options: SwitchOptions = { type: 'rational', r0: dMax / 2, dMax, stretch: false };
      const pair = [
        [0, 0, 0],
        [0, dMax, 0],
      ];
      // 1/(1 + 2⁶)
      expect(await numberOf(pair, options, path), `at ${dMax}`).toBeCloseTo(1 / 65, 14);
    }
  });
});

it('one shape serves with and without an end, in whatever order they come', async () => {
  const positions = Array.from({ length: 12 }, (_, k) => [
    0.7 * k,
    Math.sin(3 * k),
    Math.cos(5 * k),
  ]);
  const endless = { type: 'rational', r0: 1, nn: 3, mm: 7 } as const;
  const ended = { ...endless, dMax: 1.8 };
  for (const options of [endless, ended, endless])
    expect(await numberOf(positions, options, 'all_pairs')).toBeCloseTo(
      bruteForce(positions, options),
      12,
    );
});

it('a pair just beyond the end does not count, also after the same shape without an end', async () => {
  const endless = { type: 'rational', r0: 1, nn: 3, mm: 7 } as const;
  const ended = { ...endless, dMax: 2, stretch: false };
  const near = (r: number) => [
    [0, 0, 0],
    [0, 0, r],
  ];
  const value = (1 - 2 ** 3) / (1 - 2 ** 7);
  expect(await numberOf(near(2), endless, 'all_pairs')).toBeCloseTo(value, 14);
  for (const path of paths) {
    expect(await numberOf(near(2), ended, path)).toBeCloseTo(value, 14);
    expect(await numberOf(near(2 * (1 + 1e-7)), ended, path)).toBe(0);
  }
});
