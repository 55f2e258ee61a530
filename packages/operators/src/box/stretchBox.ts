import { valueFunctor } from '@corpuscle/patterns';
import { boxValues } from './RunBox.js';

/** How much lengths grow, and the point that stays. */
const stretchValues = { dx: 'real', dy: 'real', dz: 'real' } as const;

/**
 * Lets the lengths of a box grow by (1 + dx), (1 + dy), (1 + dz) about a point. Its vectors keep their directions: D = H⁻¹ (1 + L) H − 1
 * with the growth L of the lengths. Where it does not lean, or all lengths grow alike, that is no shear.
 */
export const stretchBox = valueFunctor(
  {
    name: 'stretch_box',
    values: { ...boxValues, ...stretchValues },
    params: { cx: 'real', cy: 'real', cz: 'real' },
  },
  (v, p) => {
    const yx = v.tyx * (v.dy - v.dx);
    const zy = v.tzy * (v.dz - v.dy);
    const zx = v.tzx * (v.dz - v.dx) - v.tzy * yx;
    v.x += (v.x - p.cx) * v.dx + (v.y - p.cy) * yx + (v.z - p.cz) * zx;
    v.y += (v.y - p.cy) * v.dy + (v.z - p.cz) * zy;
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
