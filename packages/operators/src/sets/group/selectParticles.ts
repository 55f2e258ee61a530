import type { Grid } from '@corpuscle/core';
import { cellFunctor, type ParamSchema, withFunctionText } from '@corpuscle/patterns';
import {
  type BoxParam,
  boxParams,
  originParams,
  placedBoxParams,
  presentBox,
} from '../../box/presentBox.js';
import { isInside, type ParticleView } from '../region/isInside.js';
import { boxHelpers, placeInBox } from '../region/placeInBox.js';
import type { Region } from '../region/Region.js';
import { regionKernel } from '../region/regionKernel.js';
import { GROUP_MASK } from './Groups.js';

/**
 * The functor that sets the bit of a group for the particles of a region and clears it for all others, and its parameters. Where the
 * region asks for places, they are those within the box of the grid: its calls come before, and with another box it is to be made again.
 * @param bits the bit of the group
 */
export function selectParticles(grid: Grid, region: Region, bits: number) {
  const { before, condition, read, params, values, isPlaced } = regionKernel(region);
  const { [GROUP_MASK]: _own, ...others } = read;
  const text = `(i, p, h) => {
${before}
let mask = (i.${GROUP_MASK} & p.others) | 1;
if (${condition}) mask |= p.bits;
i.${GROUP_MASK} = mask >>> 0;
}`;
  const select = (i: Record<string, number>, p: Record<string, number>): void => {
    const mask = (i[GROUP_MASK]! & p.others!) | 1;
    const particle = isPlaced ? { ...i, ...placeInBox(i, p as Record<BoxParam, number>) } : i;
    i[GROUP_MASK] = (isInside(region, particle as ParticleView) ? mask | p.bits! : mask) >>> 0;
  };
  const functor = cellFunctor(
    {
      name: 'select_particles',
      fields: { [GROUP_MASK]: 'u32' },
      read: others,
      params: {
        ...(isPlaced && { ...originParams, ...boxParams }),
        ...params,
        ...({ bits: 'u32', others: 'u32' } as const),
      } as ParamSchema,
      helpers: isPlaced ? boxHelpers : {},
      traits: { gpu: true },
    },
    withFunctionText(select as never, text),
  );
  const box = isPlaced ? presentBox(grid, placedBoxParams) : null;
  return { functor, params: { ...values, ...box?.params, bits, others: ~bits >>> 0 }, box };
}
