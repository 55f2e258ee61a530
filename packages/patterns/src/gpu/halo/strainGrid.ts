import type { Grid } from '@corpuscle/core';
import { strainParams } from '../../box/strainedBox.js';
import { strainedFrame } from '../box/StrainWork.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { KernelSource } from '../device/GpuKernel.js';
import type { HaloBuffers } from './HaloBuffers.js';

const NUMBERS = ['xx', 'yy', 'zz', 'yx', 'zx', 'zy'] as const;

const singles = `
    let e = vec3f(d.x * P.xx + d.y * P.yx + d.z * P.zx, d.y * P.yy + d.z * P.zy, d.z * P.zz);
    position[index] = vec4u(bitcast<vec3u>(d + e), row.w);`;

const doubles = `
    let l = low[index];
    let x = vec2f(d.x, l.x);
    let y = vec2f(d.y, l.y);
    let z = vec2f(d.z, l.z);
    let e_x = ds_add(x, ds_add(ds_add(ds_mul(x, P.xx), ds_mul(y, P.yx)), ds_mul(z, P.zx)));
    let e_y = ds_add(y, ds_add(ds_mul(y, P.yy), ds_mul(z, P.zy)));
    let e_z = ds_add(z, ds_mul(z, P.zz));
    position[index] = vec4u(bitcast<vec3u>(vec3f(e_x.x, e_y.x, e_z.x)), row.w);
    low[index] = vec4f(e_x.y, e_y.y, e_z.y, 0.0);`;

const strainRows = (isDouble: boolean): KernelSource => ({
  label: 'halo: follow the box',
  about:
    'Strains the relative vectors of particles, which follow the box in their cells, one thread a particle.',
  workgroupSize: 128,
  buffers: [
    { name: 'position', type: 'array<vec4u>', access: 'read_write' },
    ...(isDouble ? [{ name: 'low', type: 'array<vec4f>', access: 'read_write' } as const] : []),
  ],
  params: {
    ...Object.fromEntries(NUMBERS.map((name) => [name, isDouble ? 'vec2f' : 'f32'] as const)),
    count: 'u32',
  },
  body: `
  if (index < P.count) {
    let row = position[index];
    let d = bitcast<vec3f>(row.xyz);${isDouble ? doubles : singles}
  }`,
});

/** Where a real of the state is so. */
const kernels = { f32: strainRows(false), f64: strainRows(true) } as const;

/**
 * The particles of a grid follow a strain of the box in their cells, and with them the positions that lists were built at: lists serve on
 * as long as they reach far enough. The box of the grid is that after the strain.
 */
export function strainGrid(
  runner: CallRunner,
  buffers: HaloBuffers,
  grid: Grid,
  numbers: readonly number[],
): void {
  const { residency, neighbors, gpu } = runner;
  const { count, domain } = grid;
  const lists = neighbors.lists(grid);
  if (count === 0 || !lists) return;
  const position = residency.ensurePositions(grid);
  const { low } = position;
  const params = { ...(strainParams(numbers) as Record<string, number>), count };
  for (const bound of [
    [position.buffer, ...(low ? [low.buffer] : [])],
    [lists.reference.buffer, ...(low ? [lists.referenceLow.buffer] : [])],
  ])
    buffers.dispatch(kernels[gpu.reals.state], bound, params, count);
  position.frame = strainedFrame(position.frame, domain, numbers);
  residency.written(grid.block('position'));
  residency.setBox(grid, domain);
  neighbors.followFrame(grid, position.frame);
}
