import type { BoxParam } from '../../box/presentBox.js';
import { nearestImage } from '../../external/nearestImage.js';

const { without } = nearestImage;

/** Whole lattice vectors along one axis that a place is out of the box. One on a face, but for rounding, stays there. */
const outside = (x: number, y: number, z: number, ix: number, iy: number, iz: number): number => {
  const s = x * ix + y * iy + z * iz;
  return s < -1e-6 || s > 1 + 1e-6 ? Math.floor(s) : 0;
};

/** Helpers of `textInBox`. */
export const boxHelpers = { outside, without } as const;

/** `placeInBox` as statements of a functor with `placedBoxParams`: they make `in_rx`, `in_ry` and `in_rz`. */
export const textInBox = `const x = i.rx - p.ox;
const y = i.ry - p.oy;
const z = i.rz - p.oz;
const a = h.outside(x, y, z, p.ixx, p.iyx, p.izx);
const b = h.outside(x, y, z, p.ixy, p.iyy, p.izy);
const c = h.outside(x, y, z, p.ixz, p.iyz, p.izz);
const in_rx = h.without(i.rx, a, b, c, p.mxx, p.myx, p.mzx);
const in_ry = h.without(i.ry, a, b, c, p.mxy, p.myy, p.mzy);
const in_rz = h.without(i.rz, a, b, c, p.mxz, p.myz, p.mzz);`;

/** Where a particle is within a periodic box: between two sorts, or longer on ranks with cards, it is a little outside. */
export function placeInBox(
  { rx, ry, rz }: Readonly<Record<string, number>>,
  p: Readonly<Record<BoxParam, number>>,
) {
  const [x, y, z] = [rx! - p.ox, ry! - p.oy, rz! - p.oz];
  const a = outside(x, y, z, p.ixx, p.iyx, p.izx);
  const b = outside(x, y, z, p.ixy, p.iyy, p.izy);
  const c = outside(x, y, z, p.ixz, p.iyz, p.izz);
  return {
    rx: without(rx!, a, b, c, p.mxx, p.myx, p.mzx),
    ry: without(ry!, a, b, c, p.mxy, p.myy, p.mzy),
    rz: without(rz!, a, b, c, p.mxz, p.myz, p.mzz),
  };
}
