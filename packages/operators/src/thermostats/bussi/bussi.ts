import { dimensions } from '@corpuscle/core';
import { valueFunctor } from '@corpuscle/patterns';
import { defineIntegrator } from '../../integrators/defineIntegrator.js';
import { everySlot } from '../../integrators/turns.js';
import { beginClock, clockHelpers, clockStart, clockValues, rampOf, rampParams } from '../clock.js';
import { measureKinetic, scaleBy, scalingStart, scalingValues } from '../kineticEnergy.js';
import { keyOfNoise, noiseParams, seedSlot } from '../noise.js';
import { temperatureSlot } from '../temperature.js';

const { stream, seed, seedHigh } = noiseParams;

/** Of one block of random numbers: two normal ones (Box and Muller 1958), and the logarithm of a uniform one. */
const drawn = { first: 'real', second: 'real', chance: 'real' } as const;

/** What needs no kinetic energy: a device does it while that is added up. */
export const draw = valueFunctor(
  {
    name: 'bussi_draw',
    values: { ...clockValues, ...drawn },
    params: { ...rampParams, stream, seed, seedHigh, by: 'real' },
    helpers: clockHelpers,
  },
  (v, p, h) => {
    const [low, high] = h.tick(v.low, v.high, p.by);
    v.low = low;
    v.high = high;
    v.kT = h.ramp(low, high, p.kT0, p.kT1, p.firstLow, p.firstHigh, p.steps);
    const step = ((h.u32(high) << 16) | h.u32(low)) >>> 0;
    const [a, b, c] = h.uniform(0, step, p.stream, p.seed, p.seedHigh);
    const radius = Math.sqrt(-2 * Math.log(a));
    v.first = radius * Math.cos(6.283185307179586 * b);
    v.second = radius * Math.sin(6.283185307179586 * b);
    v.chance = Math.log(c);
  },
);

/**
 * The factor α of Bussi, Donadio and Parrinello, J. Chem. Phys. 126, 014101 (2007), appendix A. The sum of squares of n − 1 normal
 * numbers is twice a number of the gamma distribution with shape (n − 1)/2, which is drawn as Marsaglia and Tsang do (ACM Trans.
 * Math. Softw. 26, 363 (2000)). One draw in thousands is refused, so that 32 attempts do.
 */
export const control = valueFunctor(
  {
    name: 'bussi',
    values: { ...clockValues, ...scalingValues, ...drawn },
    params: { stream, seed, seedHigh, kept: 'real', removed: 'real' },
  },
  (v, p, h) => {
    const degrees = 3 * v.count - p.removed;
    let others = 0.0;
    if (degrees >= 3) {
      const d = 0.5 * (degrees - 1) - 1 / 3;
      const c = 1 / Math.sqrt(9 * d);
      const step = ((h.u32(v.high) << 16) | h.u32(v.low)) >>> 0;
      let x = v.second;
      let chance = v.chance;
      for (let k = 1; k < 32; k++) {
        const root = 1 + c * x;
        const cube = root * root * root;
        if (root > 0 && chance < 0.5 * x * x + d - d * cube + d * Math.log(cube)) {
          others = 2 * d * cube;
          break;
        }
        const [next, angle, u] = h.uniform(k, step, p.stream, p.seed, p.seedHigh);
        x = Math.sqrt(-2 * Math.log(next)) * Math.sin(6.283185307179586 * angle);
        chance = Math.log(u);
      }
    } else if (degrees >= 2) others = v.second * v.second;
    const share = v.twice > 0 ? ((1 - p.kept) * v.kT) / v.twice : 0;
    const square =
      p.kept + share * (v.first * v.first + others) + 2 * v.first * Math.sqrt(p.kept * share);
    v.scale = Math.sqrt(Math.max(0, square));
    if (share > 0 && v.first + Math.sqrt(p.kept / share) < 0) v.scale = -v.scale;
    v.bath += 0.5 * v.twice * (1 - v.scale * v.scale);
  },
);

/** Stochastic velocity rescaling: canonical, and gentle to the dynamics. */
export const bussi = defineIntegrator({
  name: 'bussi',
  doc: 'Stochastic velocity rescaling (Bussi, Donadio and Parrinello 2007): a canonical thermostat, with one random factor a step for all velocities.',
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
  values: () => ({ ...clockStart, ...scalingStart, first: 0, second: 0, chance: 0 }),
  bath: 'bath',
  keepsTemperature: true,
  begin: [beginClock(0)],
  phases: [
    'step',
    measureKinetic,
    {
      doc: 'Draws random numbers for the factor of stochastic velocity rescaling.',
      functor: draw,
      params: ({ temperature, every, seed }, run) => ({
        ...rampOf(temperature, run),
        ...keyOfNoise(seed, run),
        by: every,
      }),
    },
    {
      doc: 'Computes the factor.',
      functor: control,
      params: ({ tau, every, dt, seed }, run) => ({
        ...keyOfNoise(seed, run),
        kept: Math.exp((-every * dt) / tau),
        removed: run.removedDegrees,
      }),
    },
    scaleBy(),
  ],
});
