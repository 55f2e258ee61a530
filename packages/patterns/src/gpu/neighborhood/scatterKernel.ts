import type { Grid } from '@corpuscle/core';
import { type WgslField, wgslMember } from '@corpuscle/functor/wgsl';
import type { KernelSource } from '../device/GpuKernel.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import { ParticleAccess } from '../kernels/ParticleAccess.js';
import { receivedWgsl } from './accumulators.js';
import { refuseMoves } from './refuseMoves.js';
import { receivedType, type Scattered, wordsAt } from './scatter.js';

export const SCATTER_LANES = 128;

/** Adds what rows have received from neighbors to their fields. */
export function scatterKernel(
  name: string,
  scattered: readonly Scattered[],
  grid: Grid,
  state: DeviceReal,
): { source: KernelSource; blocks: readonly { name: string; written: boolean }[] } {
  const access = new ParticleAccess(grid, state);
  const fields = scattered.map((each): WgslField => {
    const { field } = each;
    return { field, member: wgslMember(field), type: receivedType(each, state), written: true };
  });
  refuseMoves(name, fields, access);
  const load = access.loadRows(fields, 'row', 'index');
  const add = fields.map((field, k) => {
    const at = wordsAt(scattered, k, 'index');
    const { type } = field;
    if (type === 'vec2f') return access.add(field, 'row', `received(index, ${at})`);
    if (type === 'f32') return access.add(field, 'row', `received(index, ${at}).x`);
    return access.add(field, 'row', `bitcast<${type}>(scattered[${at}])`);
  });
  const source: KernelSource = {
    label: `${name}: neighbors' share`,
    about:
      'What particles received as neighbors, in whole numbers, is added to their rows; one thread a particle.',
    workgroupSize: SCATTER_LANES,
    buffers: [...access.buffers, { name: 'scattered', type: 'array<u32>', access: 'read' }],
    params: { ...access.params, count: 'u32', one: 'f32' },
    declarations: receivedWgsl,
    body: `
  if (index < P.count) {
    ${load}
    ${add.join('\n    ')}
    ${access.storeRows(fields, 'row', 'index')}
  }`,
  };
  return { source, blocks: access.blocks };
}
