import { reduceFunctor } from '@corpuscle/patterns';

/** Σ m v_a v_b, and the square of the largest speed. */
export const kineticTensor = reduceFunctor(
  {
    name: 'kinetic_tensor',
    result: { xx: 'sum', yy: 'sum', zz: 'sum', xy: 'sum', xz: 'sum', yz: 'sum', fastest2: 'max' },
    read: { vx: 'real', vy: 'real', vz: 'real', mass: 'real' },
    traits: { gpu: true },
  },
  (acc, i) => {
    acc.xx += i.mass * i.vx * i.vx;
    acc.yy += i.mass * i.vy * i.vy;
    acc.zz += i.mass * i.vz * i.vz;
    acc.xy += i.mass * i.vx * i.vy;
    acc.xz += i.mass * i.vx * i.vz;
    acc.yz += i.mass * i.vy * i.vz;
    acc.fastest2 = Math.max(acc.fastest2, i.vx * i.vx + i.vy * i.vy + i.vz * i.vz);
  },
);
