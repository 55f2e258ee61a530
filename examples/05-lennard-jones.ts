// Lennard-Jones forces on a crystal, with and without a neighbor buffer, from one functor.
//                                                              npx tsx examples/05-lennard-jones.ts [cpu|webgpu]
import { createGrid, lattice, lennardJones, lennardJonesParameters } from '@corpuscle/operators';
import {
  computeCellParticlePairs,
  createExecutionContext,
  explain,
  newestOnHost,
  updateNeighbors,
} from '@corpuscle/patterns';

const backend = process.argv[2] === 'webgpu' ? 'webgpu' : 'cpu';
await using ctx = await createExecutionContext({ backend });

// A face-centered cubic crystal, each particle moved a little out of its place.
const crystal = lattice({ structure: 'fcc', density: 0.8442, repeat: [10, 10, 10] });
const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
['rx', 'ry', 'rz'].forEach((name, axis) => {
  const moved = grid.values(name).map((x, k) => x + 0.05 * Math.sin(7 * k + axis));
  grid.setValues(name, moved);
});

const rcut = 2.5;
const params = lennardJonesParameters({ epsilon: [1], sigma: [1], rcut: [rcut] }, 'energy');
const none = 'none' as const;
const virial = { vxx: none, vyy: none, vzz: none, vxy: none, vxz: none, vyz: none };
const outputs = { ep: 'total', ...virial } as const; // forces go to the particles, virials nowhere

await updateNeighbors(grid, ctx, { rcut, skin: 0.3 });
for (const form of ['bufferless', 'buffered'] as const) {
  for (const name of ['fx', 'fy', 'fz']) grid.setValues(name, new Float64Array(grid.count));
  const { ep } = await computeCellParticlePairs(grid, lennardJones, ctx, {
    rcut,
    params,
    outputs,
    form,
  });
  await newestOnHost(grid, ctx);
  const fx = grid.values('fx');
  const [largest, sum] = [Math.max(...fx.map(Math.abs)), fx.reduce((x, y) => x + y, 0)];
  const { backend: where, reason } = explain(lennardJones, ctx, { form });
  console.log(`${form} on ${where} (${reason})`);
  console.log(
    `  energy ${ep / grid.count} a particle, largest fx ${largest}, sum of fx ${sum.toExponential(1)}`,
  );
}
