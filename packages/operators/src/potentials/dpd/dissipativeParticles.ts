import { type HelperView, pairFunctor, valueFunctor } from '@corpuscle/patterns';
import { countSteps } from '../../run/countSteps.js';
import { noiseParams } from '../../thermostats/noise.js';
import { forceOutputs, virials } from '../pair/pairOutputs.js';

/** Shared with the form that has a window. */
export const dpdFields = { type: 'u32', id: 'u32', vx: 'real', vy: 'real', vz: 'real' } as const;

export const dpdParams = {
  types: 'u32',
  rcut2: 'real[]',
  inverse: 'real[]', // 1/rcut
  strength: 'real[]', // A
  halfRange: 'real[]', // A rcut/2
  friction: 'real[]', // γ
  noise: 'real[]', // √(24 γ kT/Δt): that of ξ/√12
  ...noiseParams,
} as const;

export const dpdHelpers = {
  /** A uniform number of mean 0 and width 1, the same for both particles of a pair. */
  noise: (
    one: number,
    other: number,
    low: number,
    high: number,
    stream: number,
    seed: number,
    seedHigh: number,
    h: HelperView<object>,
  ): number => {
    const step = ((h.u32(high) << 16) | h.u32(low)) >>> 0;
    const [first, second] = [Math.min(one, other), Math.max(one, other)];
    const [u] = h.uniform(first, step, stream, seed, seedHigh, second);
    return u - 0.5;
  },
};

/**
 * Dissipative particle dynamics (Groot and Warren, J. Chem. Phys. 107, 4423, 1997): a soft repulsion, and friction and noise along
 * the line of each pair, which hold the temperature and conserve momentum. With w = 1 − r/rcut and e = r⃗/r
 *
 *   F = (A w − γ w² e·v + √(2 γ kT/Δt) w ξ) e
 *
 * ξ has mean 0 and variance 1. It is uniform, and a function of the two ids and the number of the evaluation, so that both particles
 * of a pair draw the same.
 */
export const dissipativeParticles = pairFunctor(
  {
    name: 'dpd',
    central: forceOutputs,
    derived: virials,
    read: dpdFields,
    neighbor: dpdFields,
    params: dpdParams,
    helpers: dpdHelpers,
    traits: { newton3: true },
  },
  (i, j, d, p, h) => {
    const k = i.type * p.types + j.type;
    if (d.r2 < p.rcut2[k]! && d.r2 > 0) {
      const r = Math.sqrt(d.r2);
      const w = 1 - r * p.inverse[k]!;
      const approach = d.x * (i.vx - j.vx) + d.y * (i.vy - j.vy) + d.z * (i.vz - j.vz);
      const xi = h.noise(i.id, j.id, p.low, p.high, p.stream, p.seed, p.seedHigh, h);
      const drag = p.friction[k]! * w * (approach / r);
      const f = (w * (p.strength[k]! - drag + p.noise[k]! * xi)) / r;
      i.fx += f * d.x;
      i.fy += f * d.y;
      i.fz += f * d.z;
      i.ep += 0.5 * p.halfRange[k]! * w * w;
    }
  },
);

/** The number of the evaluation, in two halves of 16 bits that single precision holds. */
export const countEvaluation = valueFunctor(
  { name: 'dpd_count', values: { low: 'real', high: 'real' }, helpers: countSteps },
  (v, _, h) => {
    const [low, high] = h.tick(v.low, v.high, 1);
    v.low = low;
    v.high = high;
  },
);
