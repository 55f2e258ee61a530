import { valueFunctor } from '@corpuscle/functor';
import { strainReals } from './strainedBox.js';

/** Another strain, F. */
const other = {
  fxx: 'real',
  fyy: 'real',
  fzz: 'real',
  fyx: 'real',
  fzx: 'real',
  fzy: 'real',
  fx: 'real',
  fy: 'real',
  fz: 'real',
} as const;

/** Notes a strain F, as E. */
export const noteStrain = valueFunctor(
  { name: 'note_strain', values: { ...strainReals, ...other } },
  (v) => {
    v.xx = v.fxx;
    v.yy = v.fyy;
    v.zz = v.fzz;
    v.yx = v.fyx;
    v.zx = v.fzx;
    v.zy = v.fzy;
    v.x = v.fx;
    v.y = v.fy;
    v.z = v.fz;
  },
);

/**
 * The strain that is left of one, E, when another, F, is taken in: 1 + E′ = (1 + F)⁻¹ (1 + E), T′ = T − S (1 + E′). It takes points that F has
 * moved to where E has them.
 */
export const leaveStrain = valueFunctor(
  { name: 'leave_strain', values: { ...strainReals, ...other } },
  (v) => {
    const xx = (v.xx - v.fxx) / (1 + v.fxx);
    const yy = (v.yy - v.fyy) / (1 + v.fyy);
    const zz = (v.zz - v.fzz) / (1 + v.fzz);
    const yx = (v.yx - v.fyx * (1 + xx)) / (1 + v.fyy);
    const zy = (v.zy - v.fzy * (1 + yy)) / (1 + v.fzz);
    const zx = (v.zx - v.fzx * (1 + xx) - v.fzy * yx) / (1 + v.fzz);
    v.x -= v.fx + (v.fx * xx + v.fy * yx + v.fz * zx);
    v.y -= v.fy + (v.fy * yy + v.fz * zy);
    v.z -= v.fz + v.fz * zz;
    v.xx = xx;
    v.yy = yy;
    v.zz = zz;
    v.yx = yx;
    v.zx = zx;
    v.zy = zy;
  },
);
