import { reduceFunctor } from '@corpuscle/patterns';

/** Σ (e v + W v) of the particles, with e their energy and W their share of the virial, Σ e v alone, and Σ m v². */
export const heatFluxFunctor = reduceFunctor(
  {
    name: 'heat_flux',
    result: { jx: 'sum', jy: 'sum', jz: 'sum', cx: 'sum', cy: 'sum', cz: 'sum', twice: 'sum' },
    read: {
      mass: 'real',
      vx: 'real',
      vy: 'real',
      vz: 'real',
      ep: 'real',
      vxx: 'real',
      vyy: 'real',
      vzz: 'real',
      vxy: 'real',
      vxz: 'real',
      vyz: 'real',
    },
    traits: { gpu: true },
  },
  (acc, i) => {
    const twice = i.mass * (i.vx * i.vx + i.vy * i.vy + i.vz * i.vz);
    const energy = i.ep + 0.5 * twice;
    acc.twice += twice;
    acc.cx += energy * i.vx;
    acc.cy += energy * i.vy;
    acc.cz += energy * i.vz;
    acc.jx += energy * i.vx + i.vxx * i.vx + i.vxy * i.vy + i.vxz * i.vz;
    acc.jy += energy * i.vy + i.vxy * i.vx + i.vyy * i.vy + i.vyz * i.vz;
    acc.jz += energy * i.vz + i.vxz * i.vx + i.vyz * i.vy + i.vzz * i.vz;
  },
);
