import type { Grid } from '@corpuscle/core';
import {
  type BoxParam,
  boxParams,
  originParams,
  placedBoxParams,
  presentBox,
} from '../../box/presentBox.js';
import { boxHelpers, placeInBox, textInBox } from '../region/placeInBox.js';
import type { Region } from '../region/Region.js';
import { type Places, selectAt } from './selectParticles.js';

const inBox: Places = {
  text: textInBox,
  of: (i, p) => placeInBox(i, p as Readonly<Record<BoxParam, number>>),
  params: { ...originParams, ...boxParams },
  helpers: boxHelpers,
};

/**
 * `selectParticles` for particles at their places within the box of a grid: its calls come before, and with another box it is to be made
 * again.
 */
export function selectInBox(grid: Grid, region: Region, bits: number) {
  const { functor, params, isPlaced } = selectAt(inBox, region, bits);
  const box = isPlaced ? presentBox(grid, placedBoxParams) : null;
  return { functor, params: { ...params, ...box?.params }, box };
}
