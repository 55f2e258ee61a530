import { setFlagsFromString } from 'node:v8';
import { Domain, SharedHeap } from '@corpuscle/core';
import { expect, it } from 'vitest';
import {
  lennardJones,
  lennardJonesParameters,
} from '../../../../operators/src/potentials/lennard_jones/lennardJones.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContextOptions } from '../../../src/context/ExecutionContextOptions.js';
import type { CpuEngine } from '../../../src/cpu/CpuEngine.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { gridOf } from '../../shared/grids.js';

// Node 22 and later have it anyway; older ones must be told before the first kernel is made.
setFlagsFromString('--experimental-wasm-relaxed-simd');

const edge = 9;
const places = Array.from({ length: edge ** 3 }, (_, k): [number, number, number] => [
  (k % edge) * 1.1 + 0.1 * Math.sin(k),
  (Math.floor(k / edge) % edge) * 1.1 + 0.1 * Math.sin(2 * k),
  Math.floor(k / edge ** 2) * 1.1 + 0.1 * Math.sin(3 * k),
]);

async function forces(options: ExecutionContextOptions) {
  const ctx = await createExecutionContext({ backend: 'cpu', ...options });
  const grid = gridOf(
    ctx.heap,
    Domain.orthorhombic([1.1 * edge, 1.1 * edge, 1.1 * edge]),
    places,
    places.map(() => 0),
  );
  const params = lennardJonesParameters({ epsilon: [1], sigma: [1], rcut: [2.5] }, 'none');
  updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3 });
  const none = {
    vxx: 'none',
    vyy: 'none',
    vzz: 'none',
    vxy: 'none',
    vxz: 'none',
    vyz: 'none',
  } as const;
  const outputs = { ...none, ep: 'both' } as const;
  const { ep } = computeCellParticlePairs(grid, lennardJones, ctx, {
    rcut: 2.5,
    params,
    outputs,
  }).value;
  const order = [...grid.rowsById()];
  const byId = (field: string) => {
    const values = grid.values(field);
    return order.map((row) => values[row]!);
  };
  const values = { fx: byId('fx'), ep: byId('ep'), total: ep };
  // Only forces: the path in which singles multiply whole rows.
  grid.setValues('fx', new Float64Array(grid.count));
  const only = { ...none, ep: 'none' } as const;
  computeCellParticlePairs(grid, lennardJones, ctx, { rcut: 2.5, params, outputs: only });
  const alone = byId('fx');
  const { relaxed } = ctx.engines.host as CpuEngine;
  await ctx.close();
  return { ...values, alone, relaxed };
}

it.each([
  ['f64', 1, 1e-13],
  ['f64', 2, 1e-13],
  ['mixed', 1, 1e-5],
  ['mixed', 2, 1e-5],
] as const)(
  'fused multiply and add agree to rounding, and deterministic contexts leave them out (%s, %i threads)',
  async (precision, threads, tolerance) => {
    const options = { precision, threads };
    const relaxed = await forces({ ...options, heap: new SharedHeap() });
    const plain = await forces({ ...options, deterministic: true, heap: new SharedHeap() });
    expect([relaxed.relaxed, plain.relaxed]).toEqual([true, false]);
    expect((await forces({ ...options, lowering: 'scalar' })).relaxed).toBe(false);
    const scale = Math.max(...plain.fx.map(Math.abs));
    let differing = 0;
    for (const field of ['fx', 'ep', 'alone'] as const) {
      plain[field].forEach((value, k) => {
        const difference = Math.abs(relaxed[field][k]! - value);
        if (difference > 0) differing++;
        expect(difference).toBeLessThan(tolerance * scale);
      });
    }
    expect(differing).toBeGreaterThan(0);
    expect(Math.abs(relaxed.total - plain.total)).toBeLessThan(tolerance * Math.abs(plain.total));
  },
);
