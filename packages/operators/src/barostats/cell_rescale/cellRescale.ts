import { valueFunctor } from '@corpuscle/patterns';
import { controlValues } from '../BoxControl.js';
import { growthHelpers } from '../growth.js';

/**
 * How lengths and velocities change by stochastic cell rescaling (Bernetti and Bussi, J. Chem. Phys. 153, 114107 (2020)). In
 * λ = √V noise does not depend on the volume:
 *
 *   dλ = −(β λ / 2τ) (P0 − P − m kT/V − kT/2V) dt + √(kT β / 2τ) dW
 *
 * m = 1 where the total momentum is zero: P then lacks the kT/V of the center of mass, which is anywhere in the volume. `rate` is
 * β dt / 2τ, `missing` the degrees of freedom that the total momentum does not have, `noise` a number of the standard normal
 * distribution. A length that would change by a fifth does not, and is reported.
 */
export const cellRescale = valueFunctor(
  {
    name: 'cell_rescale',
    values: controlValues,
    params: {
      volume: 'real',
      target: 'real',
      kT: 'real',
      rate: 'real',
      missing: 'real',
      noise: 'real',
    },
    helpers: growthHelpers,
  },
  (v, p, h) => {
    const volume = p.volume * (1 + v.ex) * (1 + v.ey) * (1 + v.ez);
    const pressure = (v.kxx + v.kyy + v.kzz + (v.vxx + v.vyy + v.vzz)) / (3 * volume);
    const excess = pressure - p.target + ((p.missing / 3 + 0.5) * p.kT) / volume;
    const change = p.rate * excess + Math.sqrt((p.kT * p.rate) / volume) * p.noise;
    let d = h.rootOf(change * (2 + change));
    if (!(d > -0.2 && d < 0.25)) {
      d = 0.0;
      v.wrong = 1.0;
    }
    v.dx = d;
    v.dy = d;
    v.dz = d;
    v.scale = 1 / (1 + d);
  },
);
