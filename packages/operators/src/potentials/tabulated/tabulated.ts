import { pairFunctor } from '@corpuscle/patterns';
import { forceOutputs, virials } from '../pair/pairOutputs.js';

/**
 * A tabulated pair potential. Tables of all pairs of types stand one after another, that of a pair from `start` on:
 * energy u and force over distance f at points equally spaced in r², and for cubic interpolation their second
 * derivatives times spacing²/6. `below` counts pairs closer than the first point, half for each particle.
 */
export const tabulated = pairFunctor(
  {
    name: 'tabulated',
    central: { ...forceOutputs, below: 'real' },
    derived: virials,
    read: { type: 'u32' },
    neighbor: { type: 'u32' },
    params: {
      types: 'u32',
      last: 'u32', // number of intervals − 1
      cubic: 'u32',
      start: 'u32[]',
      rcut2: 'real[]',
      inner2: 'real[]',
      inverse: 'real[]', // 1 / spacing
      u: 'real[]',
      f: 'real[]',
      uu: 'real[]',
      ff: 'real[]',
    },
    traits: { newton3: true },
  },
  (i, j, d, p, h) => {
    const pair = i.type * p.types + j.type;
    if (d.r2 < p.rcut2[pair]!) {
      const at = (d.r2 - p.inner2[pair]!) * p.inverse[pair]!;
      const interval = Math.min(h.u32(at), p.last); // h.u32 makes 0 of what is below the table
      const b = at - interval;
      const a = 1 - b;
      const k = p.start[pair]! + interval;
      let f = a * p.f[k]! + b * p.f[k + 1]!;
      let u = a * p.u[k]! + b * p.u[k + 1]!;
      if (p.cubic !== 0) {
        f += (a * a * a - a) * p.ff[k]! + (b * b * b - b) * p.ff[k + 1]!;
        u += (a * a * a - a) * p.uu[k]! + (b * b * b - b) * p.uu[k + 1]!;
      }
      i.fx += f * d.x;
      i.fy += f * d.y;
      i.fz += f * d.z;
      i.ep += 0.5 * u;
      i.below += at < 0 ? 0.5 : 0;
    }
  },
);
