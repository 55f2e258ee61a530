import { strainOf } from '../box/DeviceStrain.js';
import { lowerWith } from '../kernels/functorText.js';
import { ParticleAccess } from '../kernels/ParticleAccess.js';
import { BufferPlan } from './BufferPlan.js';
import { CentralSums } from './CentralSums.js';
import type { KernelRequest } from './KernelRequest.js';

/** What the text of a kernel is put together from. @param shared a block of lanes for each particle. */
export function kernelParts(request: KernelRequest, shared: boolean) {
  const { functor, ir, grid, reals } = request;
  const access = new ParticleAccess(grid, reals.state, strainOf(grid));
  access.use('position');
  const buffer = new BufferPlan(request, shared);
  const sums = new CentralSums(request);
  const env = { ...buffer.env, ...sums.env };
  const lowered = lowerWith(functor, ir, env, '', reals.pair);
  return { access, buffer, sums, env, lowered };
}
