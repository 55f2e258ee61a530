import type { FieldBlock, Grid } from '@corpuscle/core';
import type { DeviceParticles, DeviceRows } from '../../engine/DeviceParticles.js';
import { strainOf } from '../box/DeviceStrain.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { DeviceBlock } from './DeviceBlock.js';
import type { Residency } from './Residency.js';

/** Where blocks of a grid are on the device, after everything recorded so far has been submitted. */
export function devicePlaces(
  gpu: GpuDevice,
  residency: Residency,
  grid: Grid,
  blocks: readonly FieldBlock[],
): DeviceParticles {
  gpu.stream.capture.giveBack();
  gpu.stream.recordDeferred(); // it may put blocks into other buffers
  const { frame } = residency.ensurePositions(grid);
  const rows = (block: FieldBlock) =>
    block.spec.name === 'position'
      ? residency.ensurePositions(grid)
      : residency.ensure(block, grid.count);
  const places = new Map(blocks.map((block) => [block.spec.name, rowsOf(rows(block))]));
  gpu.stream.flush();
  const strain = strainOf(grid);
  return {
    device: gpu.device,
    count: grid.count,
    blocks: places,
    edges: frame.edges,
    center: frame.center,
    domain: frame.domain,
    strain: strain?.isMoved ? { buffer: gpu.values.buffer, first: strain.place } : null,
  };
}

function rowsOf({ buffer, type: { scalar, words }, frame }: DeviceBlock): DeviceRows {
  const holds = scalar === 'vec2f' || frame ? 'f32' : scalar;
  return { buffer, words, holds };
}
