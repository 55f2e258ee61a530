import { valueFunctor } from '@corpuscle/patterns';
import { controlValues } from '../BoxControl.js';
import { growthHelpers } from '../growth.js';

/**
 * Weak coupling to a pressure: a length grows by the cube root of 1 − part (P0 − P), where `part` is β dt / τ. Shares `xx` … tell
 * how much each length follows the pressure along each axis, `px` … are those of the bath.
 */
export const berendsenBox = valueFunctor(
  {
    name: 'berendsen_box',
    values: controlValues,
    params: {
      ...{ volume: 'real', px: 'real', py: 'real', pz: 'real', part: 'real' },
      ...{ xx: 'real', yy: 'real', zz: 'real', xy: 'real', xz: 'real', yz: 'real' },
    },
    helpers: growthHelpers,
  },
  (v, p, h) => {
    const volume = p.volume * (1 + v.ex) * (1 + v.ey) * (1 + v.ez);
    const x = (v.kxx + v.vxx) / volume;
    const y = (v.kyy + v.vyy) / volume;
    const z = (v.kzz + v.vzz) / volume;
    const dx = h.rootOf(p.part * (p.xx * (x - p.px) + p.xy * (y - p.py) + p.xz * (z - p.pz)));
    const dy = h.rootOf(p.part * (p.xy * (x - p.px) + p.yy * (y - p.py) + p.yz * (z - p.pz)));
    const dz = h.rootOf(p.part * (p.xz * (x - p.px) + p.yz * (y - p.py) + p.zz * (z - p.pz)));
    const least = Math.min(dx, Math.min(dy, dz));
    const most = Math.max(dx, Math.max(dy, dz));
    const isSound = least > -0.2 && most < 0.25;
    if (!isSound) v.wrong = 1.0;
    v.dx = isSound ? dx : 0.0;
    v.dy = isSound ? dy : 0.0;
    v.dz = isSound ? dz : 0.0;
    v.scale = 1;
  },
);
