import { cellFunctor } from '@corpuscle/functor';
import { strainReals } from './strainedBox.js';

/** Moves particles with a box: r · (1 + E) + T. */
export const followBox = cellFunctor(
  {
    name: 'follow_box',
    fields: { rx: 'real', ry: 'real', rz: 'real' },
    params: strainReals,
    traits: { gpu: true },
  },
  (i, p) => {
    const x = i.rx;
    const y = i.ry;
    const z = i.rz;
    i.rx += p.x + (x * p.xx + y * p.yx + z * p.zx);
    i.ry += p.y + (y * p.yy + z * p.zy);
    i.rz += p.z + z * p.zz;
  },
);
