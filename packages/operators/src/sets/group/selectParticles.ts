import { cellFunctor, type ParamSchema, withFunctionText } from '@corpuscle/patterns';
import { isInside, type ParticleView } from '../region/isInside.js';
import type { Region } from '../region/Region.js';
import { regionKernel } from '../region/regionKernel.js';
import { GROUP_MASK } from './Groups.js';

type Numbers = Readonly<Record<string, number>>;

/**
 * The functor that sets the bit of a group for the particles of a region and clears it for all others, and its parameters.
 * @param bits the bit of the group
 */
export function selectParticles(region: Region, bits: number) {
  const { before, condition, read, params, values } = regionKernel(region);
  const { [GROUP_MASK]: _own, ...others } = read;
  const text = `(i, p) => {
${before}
let mask = (i.${GROUP_MASK} & p.others) | 1;
if (${condition}) mask |= p.bits;
i.${GROUP_MASK} = mask >>> 0;
}`;
  const select = (i: Record<string, number>, p: Numbers): void => {
    const mask = (i[GROUP_MASK]! & p.others!) | 1;
    i[GROUP_MASK] = (isInside(region, i as ParticleView) ? mask | p.bits! : mask) >>> 0;
  };
  const functor = cellFunctor(
    {
      name: 'select_particles',
      fields: { [GROUP_MASK]: 'u32' },
      read: others,
      params: { ...params, bits: 'u32', others: 'u32' } as ParamSchema,
      traits: { gpu: true },
    },
    withFunctionText(select as never, text),
  );
  return { functor, params: { ...values, bits, others: ~bits >>> 0 } };
}
