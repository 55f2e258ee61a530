// A pair potential of one's own: declared by u(r) alone, then a run with it.
//                                                              npx tsx examples/06-own-potential.ts [cpu|webgpu]
import { dimensions } from '@corpuscle/core';
import {
  createGrid,
  definePairPotential,
  initTemperature,
  lattice,
  molecularDynamics,
} from '@corpuscle/operators';
import { createExecutionContext, explain } from '@corpuscle/patterns';

// u(r) = epsilon (sigma / r)^12. Numbers and Math only; forces, lists, boxes, threads and GPUs are not its concern.
const softSphere = definePairPotential({
  name: 'soft_sphere',
  doc: 'Adds the forces of soft spheres, u(r) = epsilon (sigma/r)^12.',
  coefficients: {
    epsilon: { dimension: dimensions.energy, min: 0, doc: 'energy at r = sigma' },
    sigma: { dimension: dimensions.length, above: 0, doc: 'diameter' },
  },
  energy: (r, epsilon, sigma) => epsilon * (sigma / r) ** 12,
});

const backend = process.argv[2] === 'webgpu' ? 'webgpu' : 'cpu';
await using ctx = await createExecutionContext({ backend });
const crystal = lattice({ structure: 'fcc', density: 0.8, repeat: [5, 5, 5] });
const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
initTemperature(grid, { temperature: 1, seed: 87287 });

const { rows } = await molecularDynamics(grid, ctx, {
  forces: [softSphere.term({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.2, shift: 'force' })],
  dt: 0.004,
  steps: 40,
  skin: 0.3,
  thermoFrequency: 20,
});
const { backend: where, reason } = explain(softSphere.functor, ctx);
console.log(`on ${where} (${reason})`);
for (const { step, temperature, total_energy } of rows)
  console.log(
    `step ${step}: temperature ${temperature}, energy ${total_energy / grid.count} a particle`,
  );
