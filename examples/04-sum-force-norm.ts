// Sums the norms of the forces on all particles, and finds the largest.
//                                                              npx tsx examples/04-sum-force-norm.ts [cpu|webgpu]
import { Domain, Grid } from '@corpuscle/core';
import {
  createExecutionContext,
  explain,
  reduceCellParticles,
  reduceFunctor,
} from '@corpuscle/patterns';

const sumForceNorm = reduceFunctor(
  {
    name: 'sum_force_norm',
    result: { norm: 'sum', largest: 'max' },
    read: { fx: 'real', fy: 'real', fz: 'real' },
  },
  (acc, i) => {
    const norm = Math.sqrt(i.fx * i.fx + i.fy * i.fy + i.fz * i.fz);
    acc.norm += norm;
    acc.largest = Math.max(acc.largest, norm);
  },
);

const backend = process.argv[2] === 'webgpu' ? 'webgpu' : 'cpu';
await using ctx = await createExecutionContext({ backend });

const grid = new Grid(ctx.heap, Domain.orthorhombic([10, 10, 10]));
grid.resize(10_000);
for (const axis of ['x', 'y', 'z']) {
  grid.setValues(
    `r${axis}`,
    Float64Array.from({ length: grid.count }, () => 10 * Math.random()),
  );
}
grid.setValues(
  'fx',
  Float64Array.from({ length: grid.count }, (_, k) => 3 * k),
);
grid.setValues(
  'fy',
  Float64Array.from({ length: grid.count }, (_, k) => 4 * k),
);

const { norm, largest } = await reduceCellParticles(grid, sumForceNorm, { norm: 0 }, ctx);

const { backend: where, reason } = explain(sumForceNorm, ctx);
const exact = (5 * grid.count * (grid.count - 1)) / 2;
console.log(`on ${where} (${reason}): sum of norms ${norm} (exactly ${exact}), largest ${largest}`);
