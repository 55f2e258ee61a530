import { dimensions } from '@corpuscle/core';
import { valueFunctor } from '@corpuscle/patterns';
import { defineIntegrator } from '../../integrators/defineIntegrator.js';
import { everySlot } from '../../integrators/turns.js';
import { beginClock, clockHelpers, clockStart, clockValues, rampOf, rampParams } from '../clock.js';
import { measureKinetic, scaleBy, scalingStart, scalingValues } from '../kineticEnergy.js';
import { keyOfNoise, noiseParams, seedSlot } from '../noise.js';
import { temperatureSlot } from '../temperature.js';

const { stream, seed, seedHigh } = noiseParams;

/**
 * The factor α of Bussi, Donadio and Parrinello, J. Chem. Phys. 126, 014101 (2007), appendix A. The sum of squares of n − 1 normal
 * numbers is twice a number of the gamma distribution with shape (n − 1)/2, which is drawn as Marsaglia and Tsang do (ACM Trans.
 * Math. Softw. 26, 363 (2000)). One draw in thousands is refused, so that 32 attempts do.
 */
const control = valueFunctor(
  {
    name: 'bussi',
    values: { ...clockValues, ...scalingValues },
    params: { ...rampParams, stream, seed, seedHigh, kept: 'real', removed: 'real', by: 'real' },
    helpers: clockHelpers,
  },
  (v, p, h) => {
    const [low, high] = h.tick(v.low, v.high, p.by);
    v.low = low;
    v.high = high;
    v.kT = h.ramp(low, high, p.kT0, p.kT1, p.firstLow, p.firstHigh, p.steps);
    const step = ((h.u32(high) << 16) | h.u32(low)) >>> 0;
    const degrees = 3 * v.count - p.removed;
    const [first, second] = h.normal(0, step, p.stream, p.seed, p.seedHigh);
    let others = 0.0;
    if (degrees >= 3) {
      const d = 0.5 * (degrees - 1) - 1 / 3;
      const c = 1 / Math.sqrt(9 * d);
      for (let k = 1; k < 32; k++) {
        const [x] = h.normal(k, step, p.stream, p.seed, p.seedHigh);
        const [u] = h.uniform(k, step, p.stream, p.seed, p.seedHigh, 1);
        const root = 1 + c * x;
        const cube = root * root * root;
        if (root > 0 && Math.log(u) < 0.5 * x * x + d - d * cube + d * Math.log(cube)) {
          others = 2 * d * cube;
          break;
        }
      }
    } else if (degrees >= 2) others = second * second;
    const share = v.twice > 0 ? ((1 - p.kept) * v.kT) / v.twice : 0;
    const square =
      p.kept + share * (first * first + others) + 2 * first * Math.sqrt(p.kept * share);
    v.scale = Math.sqrt(Math.max(0, square));
    if (share > 0 && first + Math.sqrt(p.kept / share) < 0) v.scale = -v.scale;
    v.bath += 0.5 * v.twice * (1 - v.scale * v.scale);
  },
);

/** Stochastic velocity rescaling: canonical, and gentle to the dynamics. */
export const bussi = defineIntegrator({
  name: 'bussi',
  doc: 'Stochastic velocity rescaling (Bussi, Donadio and Parrinello 2007): canonical, with one random factor a step for all velocities.',
  slots: {
    temperature: temperatureSlot,
    tau: {
      type: 'quantity',
      dimension: dimensions.time,
      above: 0,
      required: true,
      doc: 'time in which the kinetic energy forgets what it was',
    },
    every: everySlot,
    ...seedSlot,
  },
  every: ({ every }) => every,
  values: () => ({ ...clockStart, ...scalingStart }),
  bath: 'bath',
  begin: [beginClock(0)],
  phases: [
    'step',
    measureKinetic,
    {
      doc: 'Draws the factor of stochastic velocity rescaling.',
      functor: control,
      params: ({ temperature, tau, every, dt, seed }, run) => ({
        ...rampOf(temperature, run),
        ...keyOfNoise(seed, run),
        kept: Math.exp((-every * dt) / tau),
        by: every,
        removed: run.removedDegrees,
      }),
    },
    scaleBy(),
  ],
});
