import type { KernelParams, KernelSource } from '../device/GpuKernel.js';
import { LANES } from '../kernels/KernelPart.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { binFrameValues } from '../sort/binKernel.js';
import { binImages, binText, moveText } from '../sort/binText.js';
import { cellWgsl } from '../wgsl/frameWgsl.js';

/**
 * Brings particles back into a periodic box without sorting them: lists that are built in place see images one box away at most.
 * @param hasImages whether whole boxes that are taken off are counted
 */
export const wrapKernel = (hasImages: boolean): KernelSource => ({
  label: 'wrap',
  about: `Brings particles back into the box, one thread a particle; they stay in their rows.
  cell      of the particle; its position becomes relative to that${hasImages ? '\n  image     boxes that are taken off are counted' : ''}`,
  workgroupSize: LANES,
  buffers: [
    { name: 'b_position', type: 'array<vec4u>', access: 'read_write' },
    ...(hasImages ? binImages.buffers : []),
  ],
  params: { ...binText.params, count: 'u32' },
  declarations: `${cellWgsl}${binText.declarations}`,
  body: `
  if (index < P.count) {
    let row = b_position[index];
    var x = relative(row);
    let old = unpackCell(row.w);
    let dims = P.dims.xyz;
    var cell = cellInFrame(x, old);
    let a = vec3f(old) + 0.5;
    let b = vec3f(cell) + 0.5;
    ${moveText('')}
    ${hasImages ? binImages.wrap('index') : 'cell = (cell % dims + dims) % dims;'}
    b_position[index] = vec4u(bitcast<vec3u>(x), packCell(cell));
  }`,
});

/** Its parameters. */
export const wrapValues = (frame: PositionFrame, count: number): KernelParams => ({
  ...binFrameValues(frame),
  ...{ last: 0, earlier: 0, counts: 0, totals: 0, tileBits: 0 },
  count,
});
