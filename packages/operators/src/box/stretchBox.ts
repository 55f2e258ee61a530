import { valueFunctor } from '@corpuscle/patterns';
import { boxValues } from './RunBox.js';

/** How much lengths grow, and the point that stays. */
const stretchValues = { dx: 'real', dy: 'real', dz: 'real' } as const;

/** Lets the lengths of a box grow by (1 + dx), (1 + dy), (1 + dz) about a point. */
export const stretchBox = valueFunctor(
  {
    name: 'stretch_box',
    values: { ...boxValues, ...stretchValues },
    params: { cx: 'real', cy: 'real', cz: 'real' },
  },
  (v, p) => {
    v.x += (v.x - p.cx) * v.dx;
    v.y += (v.y - p.cy) * v.dy;
    v.z += (v.z - p.cz) * v.dz;
    v.zx += v.zx * v.dx;
    v.yx += v.yx * v.dx;
    v.zy += v.zy * v.dy;
    v.xx += v.dx + v.xx * v.dx;
    v.yy += v.dy + v.yy * v.dy;
    v.zz += v.dz + v.zz * v.dz;
    v.ex += v.dx + v.ex * v.dx;
    v.ey += v.dy + v.ey * v.dy;
    v.ez += v.dz + v.ez * v.dz;
  },
);
