import { diffusionOfDisplacement } from './diffusion.js';
import { motionOperator } from './motionOperator.js';
import { boxOf, follow, travelBlocks, unwrapped } from './travel.js';

export const meanSquareDisplacementOperator = motionOperator({
  name: 'mean_square_displacement',
  doc: 'Mean square displacement of particles by lag, over one or several origins, and the diffusion coefficient that follows from its slope (Einstein). Particles are followed across periodic boundaries as long as they move less than half a box between two frames.',
  column: 'msd',
  title: 'Mean square displacement',
  dimension: { length: 2 },
  kept: unwrapped,
  blocks: travelBlocks,
  prepareFrame: follow,
  params: (grid) => boxOf(grid.domain),
  diffusion: diffusionOfDisplacement,
});
