import { valueFunctor } from '@corpuscle/patterns';
import { boxValues } from './RunBox.js';

/** How much lengths grow, and the point that stays. */
const stretchValues = { dx: 'real', dy: 'real', dz: 'real' } as const;

/**
 * Lets the lengths of a box grow by (1 + dx), (1 + dy), (1 + dz) about a point; ly and lz are those that have grown by 0. Its vectors keep their directions: D = H⁻¹ (1 + L) H − 1
 * with the growth L of the lengths. Where it does not lean, or all lengths grow alike, that is no shear.
 */
export const stretchBox = valueFunctor(
  {
    name: 'stretch_box',
    values: { ...boxValues, ...stretchValues },
    params: { cx: 'real', cy: 'real', cz: 'real', ly: 'real', lz: 'real' },
  },
  (v, p) => {
    const yx = v.tyx * (v.dy - v.dx);
    const zy = v.tzy * (v.dz - v.dy);
    const zx = v.tzx * (v.dz - v.dx) - v.tzy * yx;
    // Shears are about the origin, so that the point stays the center of the lengths.
    const oy = p.cy - 0.5 * p.ly * (1 + v.ey);
    const oz = p.cz - 0.5 * p.lz * (1 + v.ez);
    v.x += (v.x - p.cx) * v.dx + (v.y - oy) * yx + (v.z - oz) * zx;
    v.y += (v.y - p.cy) * v.dy + (v.z - oz) * zy;
    v.z += (v.z - p.cz) * v.dz;
    v.zx += v.zx * v.dx + v.zy * yx + v.zz * zx + zx;
    v.zy += v.zy * v.dy + v.zz * zy + zy;
    v.yx += v.yx * v.dx + v.yy * yx + yx;
    v.xx += v.dx + v.xx * v.dx;
    v.yy += v.dy + v.yy * v.dy;
    v.zz += v.dz + v.zz * v.dz;
    v.ex += v.dx + v.ex * v.dx;
    v.ey += v.dy + v.ey * v.dy;
    v.ez += v.dz + v.ez * v.dz;
  },
);
