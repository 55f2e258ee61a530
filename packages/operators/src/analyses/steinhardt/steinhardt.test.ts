import {
  createGrid,
  lattice,
  type StructureName,
  steinhardt,
  steinhardtById,
} from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe.each([
  { backend: 'cpu', precision: 'f64', lowering: 'simd', tolerance: 5e-5 },
  { backend: 'cpu', precision: 'f64', lowering: 'javascript', tolerance: 5e-5 },
  { backend: 'webgpu', precision: 'f32', tolerance: 6e-5 },
] as const)('bond order on $backend $lowering', ({ tolerance, ...machine }) => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
    ctx = await createExecutionContext({ threads: 1, ...machine });
  });
  afterAll(() => ctx?.close());

  const crystal = (structure: StructureName, latticeConstant: number) =>
    createGrid(
      lattice({ structure, latticeConstant, repeat: [4, structure === 'hcp' ? 3 : 4, 3] }),
      [{ name: 'A', mass: 1 }],
      ctx.heap,
    );

  // Mickel, Kapfer, Schröder-Turk and Mecke, J. Chem. Phys. 138, 044501 (2013), table I.
  it.each([
    ['fcc', 12, () => crystal('fcc', Math.SQRT2), 1.2, 0.1909, 0.5745],
    ['bcc', 14, () => crystal('bcc', 1), 1.2, 0.0364, 0.5107],
    ['hcp', 12, () => crystal('hcp', 1), 1.2, 0.0972, 0.4848],
    ['sc', 6, () => crystal('sc', 1), 1.2, 0.7638, 0.3536],
  ] as const)('%s, %d neighbors: published values', async (_, count, make, rcut, q4, q6) => {
    for (const options of [{ nearest: count }, { rcut }, { rcut: 1.45, nearest: count }]) {
      const grid = make();
      const means = await steinhardt(grid, ctx, options);
      const each = await steinhardtById(grid, ctx);
      expect(Math.abs(means.q4 - q4)).toBeLessThan(tolerance);
      expect(Math.abs(means.q6 - q6)).toBeLessThan(tolerance);
      for (let k = 0; k < grid.count; k++) {
        expect(each.neighbors[k]).toBe(count);
        expect(Math.abs(each.q6[k]! - q6)).toBeLessThan(tolerance);
      }
      grid.free();
    }
  });
  it('is 0 where neighbors are missing, as in LAMMPS, and says how many there are', async () => {
    const grid = crystal('fcc', Math.SQRT2);
    const means = await steinhardt(grid, ctx, { rcut: 1.2, nearest: 13 });
    expect(means).toEqual({ q4: 0, q6: 0, rcut: 1.2, least: 12 });
    const { neighbors } = await steinhardtById(grid, ctx);
    expect(new Set(neighbors)).toEqual(new Set([12]));
    await expect(steinhardt(grid, ctx, {})).rejects.toThrow('needs rcut, or nearest');
    grid.free();
  });
});
