import { dimensions } from '@corpuscle/core';
import { valueFunctor } from '@corpuscle/patterns';
import { defineIntegrator } from '../../integrators/defineIntegrator.js';
import { stepsBetween } from '../../run/frameSlots.js';
import { beginClock, clockHelpers, clockStart, clockValues, rampOf, rampParams } from '../clock.js';
import { measureKinetic, scaleBy, scalingStart, scalingValues } from '../kineticEnergy.js';
import { temperatureSlot } from '../temperature.js';

/** Where |T − T₀| exceeds the window: T ← T − fraction (T − T₀), every so many steps. */
const control = valueFunctor(
  {
    name: 'rescale',
    values: { ...clockValues, ...scalingValues, waited: 'real' },
    params: { ...rampParams, removed: 'real', every: 'real', window: 'real', fraction: 'real' },
    helpers: clockHelpers,
  },
  (v, p, h) => {
    const [low, high] = h.tick(v.low, v.high, 1);
    v.low = low;
    v.high = high;
    v.kT = h.ramp(low, high, p.kT0, p.kT1, p.firstLow, p.firstHigh, p.steps);
    v.waited += 1;
    v.scale = 1;
    const degrees = 3 * v.count - p.removed;
    if (v.waited >= p.every) {
      v.waited = 0;
      const apart = v.twice / degrees - v.kT;
      if (v.twice > 0 && Math.abs(apart) > p.window) {
        const square = 1 - (p.fraction * apart * degrees) / v.twice;
        v.scale = Math.sqrt(square);
        v.bath += 0.5 * v.twice * (1 - square);
      }
    }
  },
);

/** The step of the last rescaling, as a number of steps that have been waited. */
const beginWaiting = valueFunctor(
  { name: 'begin_rescale', values: { waited: 'real' }, params: { waited: 'real' } },
  (v, p) => {
    v.waited = p.waited;
  },
);

/** Simple velocity rescaling. The ensemble is none of the usual ones. */
export const rescale = defineIntegrator({
  name: 'rescale',
  doc: 'A plain thermostat: rescales velocities to the temperature every so many steps. Its kinetic energies vary too little: use it to equilibrate.',
  slots: {
    temperature: temperatureSlot,
    every: { type: 'integer', min: 1, doc: 'steps between rescalings; default 1' },
    frequency: {
      type: 'integer',
      min: 1,
      doc: 'another name of every, used where every is not given',
    },
    window: {
      type: 'quantity',
      dimension: dimensions.temperature,
      min: 0,
      default: 0,
      doc: 'velocities stay as they are while the temperature is no farther off than this',
    },
    fraction: {
      type: 'number',
      above: 0,
      max: 1,
      default: 1,
      doc: 'the part of the difference that is taken away',
    },
  },
  values: () => ({ ...clockStart, ...scalingStart, waited: 0 }),
  bath: 'bath',
  keepsTemperature: true,
  begin: [
    beginClock(0),
    {
      doc: 'Counts from step 0.',
      functor: beginWaiting,
      params: (slots, { firstStep }) => ({ waited: firstStep % (stepsBetween(slots) ?? 1) }),
    },
  ],
  phases: [
    'step',
    measureKinetic,
    {
      doc: 'Computes the factor of a rescaling.',
      functor: control,
      params: ({ temperature, every, frequency, window, fraction }, run) => ({
        ...rampOf(temperature, run),
        removed: run.removedDegrees,
        every: stepsBetween({ every, frequency }) ?? 1,
        window: run.boltzmann * window,
        fraction,
      }),
    },
    scaleBy(),
  ],
});
