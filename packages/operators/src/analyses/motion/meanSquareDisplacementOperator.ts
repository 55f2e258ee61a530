import { diffusionOfDisplacement } from './diffusion.js';
import { motionOperator } from './motionOperator.js';
import { boxOf, unwrapped } from './unwrapped.js';

export const meanSquareDisplacementOperator = motionOperator({
  name: 'mean_square_displacement',
  doc: 'Mean square displacement of particles by lag, over one or several origins, and the diffusion coefficient that follows from its slope (Einstein). Displacements are of unwrapped positions.',
  column: 'msd',
  title: 'Mean square displacement',
  dimension: { length: 2 },
  kept: unwrapped,
  unwraps: true,
  params: (grid) => boxOf(grid.domain),
  diffusion: diffusionOfDisplacement,
});
