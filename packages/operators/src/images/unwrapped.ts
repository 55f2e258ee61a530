import { nine } from '../box/presentBox.js';

/** Fields of the image flags: an unwrapped position is r + ix · a + iy · b + iz · c. */
export const imageFields = { ix: 'i32', iy: 'i32', iz: 'i32' } as const;

/** Parameters of the box that functors take which unwrap positions: the lattice vectors. */
export const latticeParams = Object.keys(nine('m')) as readonly (keyof ReturnType<
  typeof nine<'m'>
>)[];
