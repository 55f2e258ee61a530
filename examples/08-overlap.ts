// Forces on the GPU while the CPU analyses the same positions: one after the other, then at the same time.
//                                                              npx tsx examples/08-overlap.ts [cpu|webgpu] [cells]
import { createGrid, lattice } from '@corpuscle/operators';
import {
  blockFunctor,
  blockParallelFor,
  computeCellParticlePairs,
  createArray,
  createExecutionContext,
  newestOnHost,
  pairFunctor,
  updateNeighbors,
} from '@corpuscle/patterns';

const backend = process.argv[2] === 'webgpu' ? 'webgpu' : 'cpu';
const [cells, steps] = [Number(process.argv[3] ?? 6), 4];
await using ctx = await createExecutionContext({ backend });
const crystal = lattice({ structure: 'fcc', density: 0.85, repeat: [cells, cells, cells] });
const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
const [n, rcut] = [grid.count, 2.5];
await updateNeighbors(grid, ctx, { rcut, skin: 0.3 });

const spec = { name: 'repulsion', central: { fx: 'real', ep: 'real' } } as const;
const repulsion = pairFunctor(spec, (i, _j, d) => {
  i.fx += 2 * Math.exp(-d.r2) * d.x;
  i.ep += 0.5 * Math.exp(-d.r2);
});
// The analysis, over all pairs: how many particles lie within 3 along x. It has a copy of the positions of its own.
const near = blockFunctor(
  { name: 'near', arrays: { found: 'u32' }, read: { x: 'real' }, params: { n: 'u32' } },
  (b, a, p) => {
    if (b.lane !== 0) return;
    a.found[b.index] = 0;
    for (let k = 0; k < p.n; k++) if (Math.abs(a.x[k]! - a.x[b.index]!) < 3) a.found[b.index]! += 1;
  },
);
const arrays = { x: createArray(ctx, 'real', n), found: createArray(ctx, 'u32', n) };
const onCpu = { arrays, params: { n }, enableGpu: false, lane: 'analysis' };

async function millisecondsPerStep(overlap: boolean): Promise<number> {
  const start = performance.now();
  for (let step = 0; step < steps; step++) {
    await newestOnHost(grid, ctx, ['rx']);
    arrays.x.write(grid.values('rx'));
    const options = { rcut, outputs: { ep: 'total' }, lane: 'forces' } as const;
    const forces = computeCellParticlePairs(grid, repulsion, ctx, options);
    if (!overlap) await forces;
    await blockParallelFor(n, near, ctx, onCpu);
    await forces;
  }
  return (performance.now() - start) / steps;
}
await millisecondsPerStep(true); // compiles
const [after, beside] = [await millisecondsPerStep(false), await millisecondsPerStep(true)];
console.log(`${n} particles, forces on ${ctx.backend}, analysis on cpu: one after the other
${after.toFixed(1)} ms a step, at the same time ${beside.toFixed(1)} ms`);
