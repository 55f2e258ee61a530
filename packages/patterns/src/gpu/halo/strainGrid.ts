import type { Grid } from '@corpuscle/core';
import { strainParams } from '../../box/strainedBox.js';
import { strainedFrame } from '../box/StrainWork.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { KernelSource } from '../device/GpuKernel.js';
import type { HaloBuffers } from './HaloBuffers.js';

const strainRows: KernelSource = {
  label: 'halo: follow the box',
  about:
    'Strains the relative vectors of particles, which follow the box in their cells, one thread a particle.',
  workgroupSize: 128,
  buffers: [{ name: 'position', type: 'array<vec4u>', access: 'read_write' }],
  params: { xx: 'f32', yy: 'f32', zz: 'f32', yx: 'f32', zx: 'f32', zy: 'f32', count: 'u32' },
  body: `
  if (index < P.count) {
    let row = position[index];
    let d = bitcast<vec3f>(row.xyz);
    let e = vec3f(d.x * P.xx + d.y * P.yx + d.z * P.zx, d.y * P.yy + d.z * P.zy, d.z * P.zz);
    position[index] = vec4u(bitcast<vec3u>(d + e), row.w);
  }`,
};

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
  const { residency, neighbors } = runner;
  const { count, domain } = grid;
  const lists = neighbors.lists(grid);
  if (count === 0 || !lists) return;
  const position = residency.ensurePositions(grid);
  const { xx, yy, zz, yx, zx, zy } = strainParams(numbers) as Record<string, number>;
  const params = { xx, yy, zz, yx, zx, zy, count } as Record<string, number>;
  for (const buffer of [position.buffer, lists.reference.buffer])
    buffers.dispatch(strainRows, [buffer], params, count);
  position.frame = strainedFrame(position.frame, domain, numbers);
  residency.written(grid.block('position'));
  residency.setBox(grid, domain);
  neighbors.followFrame(grid, position.frame);
}
