import type { Grid } from '@corpuscle/core';
import type { WgslField } from '@corpuscle/functor/wgsl';
import type { KernelSource } from '../device/GpuKernel.js';
import { type DeviceReal, realText, realType, updateText } from '../double/DeviceReals.js';
import { ParticleAccess } from '../kernels/ParticleAccess.js';

/** Adds the partial sums of all splits to the particles' fields; after a fault they are no numbers. */
export function gatherText(
  name: string,
  grid: Grid,
  stored: readonly WgslField[],
  state: DeviceReal,
): { source: KernelSource; blocks: readonly { name: string; written: boolean }[] } {
  const access = new ParticleAccess(grid, state);
  const load = access.loadRows(stored, 'out', 'row');
  const type = realType(state);
  const { zero } = realText(type);
  const broken = type === 'f32' ? 'bitcast<f32>(P.nan)' : 'vec2f(bitcast<f32>(P.nan), 0.0)';
  const add = stored.map((field, n) => {
    const share = `partial[(split * ${stored.length}u + ${n}u) * P.centralCount + index]`;
    return `
  var sum_${n} = ${zero};
  for (var split = 0u; split < P.splits; split++) {
    ${updateText(type, `sum_${n}`, '+=', share)}
  }
  ${access.add(field, 'out', `select(sum_${n}, ${broken}, broken)`)}`;
  });
  const store = access.storeRows(stored, 'out', 'row');
  const source: KernelSource = {
    label: `${name}: sums`,
    about:
      'Adds up the parts of each central particle, in a fixed order, and stores them in its row.',
    workgroupSize: 64,
    buffers: [
      ...access.buffers,
      { name: 'centrals', type: 'array<vec4u>', access: 'read' },
      { name: 'partial', type: `array<${type}>`, access: 'read' },
      { name: 'fault', type: 'array<u32>', access: 'read' },
    ],
    params: { centralCount: 'u32', splits: 'u32', nan: 'u32', version: 'u32' },
    body: `
  if (index >= P.centralCount) { return; }
  let broken = fault[0] == P.version;
  let row = centrals[index].w;
  ${load}${add.join('')}
  ${store}`,
  };
  return { source, blocks: access.blocks };
}
