import { Domain, type Grid } from '@corpuscle/core';
import { type FunctorFunction, pairFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { RandomSource } from '../../../../functor/test/support/RandomSource.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { bruteForcePairs } from '../../shared/bruteForce.js';
import { gridOf } from '../../shared/grids.js';
import { expectClose } from '../../shared/oracle.js';

// Kernels mask the factor of several products with components of d once. The oracle is the direct call on all pairs.

const bodies: Record<string, string> = {
  'a force that is subtracted':
    'const f = 1 / d.r2; i.fx -= f * d.x; i.fy -= f * d.y; i.fz -= f * d.z;',
  'a force of which one component is subtracted':
    'const f = 1 / d.r2; i.fx += f * d.x; i.fy -= f * d.y; i.fz += f * d.z;',
  'a factor that changes between the components':
    'let f = 1 / d.r2; i.fx += f * d.x; f = 2 * f + 1; i.fy += f * d.y; f = f * f; i.fz += f * d.z;',
  'a factor that changes before the last component':
    'let f = 1 / d.r2; i.fx += f * d.x; i.fy += f * d.y; f = f - 2; i.fz += f * d.z;',
  'a factor that a branch changes':
    'let f = 1 / d.r2; i.fx += f * d.x; if (d.r2 > 1) f = 3; i.fy += f * d.y; i.fz += f * d.z;',
  'sums of the central particle with a factor that changes':
    'let f = 1 / d.r2; i.va += f * d.x; f = 2 * f + 1; i.vb += f * d.y; f = f - d.r2; i.vc -= f * d.z;',
  'sums of the central particle in a branch that is not taken and after it':
    'const f = 1 / d.r2; if (p.a > 1) { i.va += f * d.x; } i.vb += f * d.y; if (p.a < 1) { i.vc += f * d.z; }',
  'sums of the central particle in branches that some pairs take':
    'const f = 1 / d.r2; if (d.r2 > 1) { i.va += f * d.x; } i.vb += f * d.y; if (d.r2 > 1) { i.vc -= f * d.z; }',
};
const fields = ['fx', 'fy', 'fz', 'va', 'vb', 'vc'] as const;

describe.each(['simd', 'scalar'] as const)('%s kernels', (lowering) => {
  let ctx: ExecutionContext;
  let grid: Grid;
  beforeAll(async () => {
    ctx = await createExecutionContext({ backend: 'cpu', threads: 1, lowering });
    const random = new RandomSource(8);
    const place = () => random.between(0, 5);
    const positions = Array.from({ length: 40 }, () => [place(), place(), place()] as const);
    grid = gridOf(ctx.heap, Domain.orthorhombic([5, 5, 5]), positions);
    for (const name of ['va', 'vb', 'vc'])
      grid.addBlock({ name, type: 'f64', width: 1, members: [name] });
    await updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3 });
  });
  afterAll(() => ctx.close());

  describe.each([false, true])('newton3 %s', (newton3) => {
    it.each(Object.keys(bodies))('compute %s', async (name) => {
      const functor = pairFunctor(
        {
          name: 'shared_factors',
          central: { fx: 'real', fy: 'real', fz: 'real', va: 'real', vb: 'real', vc: 'real' },
          params: { a: 'real' },
          traits: { newton3 },
        },
        new Function(`return (i, _j, d, p) => { ${bodies[name]} };`)() as FunctorFunction as never,
      );
      const params = { a: 0.5 };
      const wanted = fields.map(() => new Float64Array(grid.count));
      for (const { i, d, r2 } of bruteForcePairs(grid, 1.5)) {
        const central = { fx: 0, fy: 0, fz: 0, va: 0, vb: 0, vc: 0 };
        functor.invoke(central, {} as never, { x: d[0], y: d[1], z: d[2], r2 }, params);
        fields.forEach((field, k) => {
          wanted[k]![i]! += central[field];
        });
      }
      for (const field of fields) grid.setValues(field, new Float64Array(grid.count));
      await computeCellParticlePairs(grid, functor, ctx, { rcut: 1.5, params });
      fields.forEach((field, k) => {
        expectClose(grid.values(field), wanted[k]!, 1e-13);
      });
    });
  });
});
