import { reduceFunctor } from '@corpuscle/patterns';

/** Σ m v_a v_b. */
export const kineticTensor = reduceFunctor(
  {
    name: 'kinetic_tensor',
    result: { xx: 'sum', yy: 'sum', zz: 'sum', xy: 'sum', xz: 'sum', yz: 'sum' },
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
  },
);
