import { dimensions } from '@corpuscle/core';
import { valueFunctor } from '@corpuscle/patterns';
import { defineIntegrator } from '../../integrators/defineIntegrator.js';
import { beginClock, clockHelpers, clockStart, clockValues, rampOf, rampParams } from '../clock.js';
import { measureKinetic, scaleBy, scalingStart, scalingValues } from '../kineticEnergy.js';
import { temperatureSlot } from '../temperature.js';

/** λ² = 1 + Δt/τ (T₀/T − 1). */
const control = valueFunctor(
  {
    name: 'berendsen',
    values: { ...clockValues, ...scalingValues },
    params: { ...rampParams, rate: 'real', removed: 'real' },
    helpers: clockHelpers,
  },
  (v, p, h) => {
    const [low, high] = h.tick(v.low, v.high, 1);
    v.low = low;
    v.high = high;
    v.kT = h.ramp(low, high, p.kT0, p.kT1, p.firstLow, p.firstHigh, p.steps);
    const wanted = (3 * v.count - p.removed) * v.kT;
    let square = 1.0;
    if (v.twice > 0) square = Math.max(0, 1 + p.rate * (wanted / v.twice - 1));
    v.scale = Math.sqrt(square);
    v.bath += 0.5 * v.twice * (1 - square);
  },
);

/**
 * Weak coupling to a bath (Berendsen, Postma, van Gunsteren, DiNola and Haak, J. Chem. Phys. 81, 3684 (1984)). The ensemble is none
 * of the usual ones: kinetic energies vary too little. For equilibration.
 */
export const berendsen = defineIntegrator({
  name: 'berendsen',
  doc: 'Berendsen thermostat: after each step velocities are scaled toward the temperature. Its kinetic energies vary too little: use it to equilibrate.',
  slots: {
    temperature: temperatureSlot,
    tau: {
      type: 'quantity',
      dimension: dimensions.time,
      above: 0,
      required: true,
      doc: 'time in which the temperature approaches that of the bath',
    },
  },
  values: () => ({ ...clockStart, ...scalingStart }),
  bath: 'bath',
  keepsTemperature: true,
  begin: [beginClock(0)],
  phases: [
    'step',
    measureKinetic,
    {
      doc: 'Computes the factor of the Berendsen thermostat.',
      functor: control,
      params: ({ temperature, tau, dt }, run) => ({
        ...rampOf(temperature, run),
        rate: dt / tau,
        removed: run.removedDegrees,
      }),
    },
    scaleBy(),
  ],
});
