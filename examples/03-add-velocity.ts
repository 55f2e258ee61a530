// Adds a vector to the velocity of every particle.            npx tsx examples/03-add-velocity.ts [cpu|webgpu]
import { Domain, Grid } from '@corpuscle/core';
import {
  cellFunctor,
  computeCellParticles,
  createExecutionContext,
  explain,
  newestOnHost,
} from '@corpuscle/patterns';

const addVelocity = cellFunctor(
  {
    name: 'add_velocity',
    fields: { vx: 'real', vy: 'real', vz: 'real' },
    params: { x: 'real', y: 'real', z: 'real' },
  },
  (i, p) => {
    i.vx += p.x;
    i.vy += p.y;
    i.vz += p.z;
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
  'vx',
  Float64Array.from({ length: grid.count }, (_, k) => k / grid.count),
);

await computeCellParticles(grid, addVelocity, ctx, { params: { x: 1, y: 2, z: -3 } });

await newestOnHost(grid, ctx, ['vx', 'vy', 'vz']);
const [vx, vy, vz] = ['vx', 'vy', 'vz'].map((name) => grid.values(name));
const { backend: where, reason } = explain(addVelocity, ctx);
console.log(
  `on ${where} (${reason}): the first particle moves with (${vx?.[0]}, ${vy?.[0]}, ${vz?.[0]})`,
);
