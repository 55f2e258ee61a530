import { valueFunctor } from '@corpuscle/patterns';
import { clockHelpers } from '../../thermostats/clock.js';
import { controlValues } from '../BoxControl.js';
import { growthHelpers } from '../growth.js';
import { rampSteps } from '../ramp.js';

const params = {
  volume: 'real',
  rate: 'real',
  missing: 'real',
  by: 'real',
  kT0: 'real',
  kT1: 'real',
  pressure0: 'real',
  pressure1: 'real',
  ...rampSteps,
  stream: 'u32',
  seed: 'u32',
  seedHigh: 'u32',
} as const;

/**
 * How lengths and velocities change by stochastic cell rescaling (Bernetti and Bussi, J. Chem. Phys. 153, 114107 (2020)). In
 * λ = √V noise does not depend on the volume:
 *
 *   dλ = −(β λ / 2τ) (P0 − P − m kT/V − kT/2V) dt + √(kT β / 2τ) dW
 *
 * m = 1 where the total momentum is zero: P then lacks the kT/V of the center of mass, which is anywhere in the volume. `rate` is
 * β dt / 2τ, `missing` the degrees of freedom that the total momentum does not have, `by` the steps from one change to the next. A length that would change by a fifth does not, and is reported.
 */
export const cellRescale = valueFunctor(
  {
    name: 'cell_rescale',
    values: controlValues,
    params,
    helpers: { ...growthHelpers, ...clockHelpers },
  },
  (v, p, h) => {
    const [low, high] = h.tick(v.low, v.high, p.by);
    v.low = low;
    v.high = high;
    const kT = h.ramp(low, high, p.kT0, p.kT1, p.firstLow, p.firstHigh, p.steps);
    const target = h.ramp(low, high, p.pressure0, p.pressure1, p.firstLow, p.firstHigh, p.steps);
    const step = ((h.u32(high) << 16) | h.u32(low)) >>> 0;
    const [noise] = h.normal(0, step, p.stream, p.seed, p.seedHigh);
    const volume = p.volume * (1 + v.ex) * (1 + v.ey) * (1 + v.ez);
    const pressure = (v.kxx + v.kyy + v.kzz + (v.vxx + v.vyy + v.vzz)) / (3 * volume);
    const excess = pressure - target + ((p.missing / 3 + 0.5) * kT) / volume;
    const change = p.rate * excess + Math.sqrt((kT * p.rate) / volume) * noise;
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
