import { dimensions } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/patterns';
import { beginClock, clockStart, tickClock } from '../../thermostats/clock.js';
import { keyOfNoise, noiseParams, seedSlot } from '../../thermostats/noise.js';
import { temperatureSlot } from '../../thermostats/temperature.js';
import { defineIntegrator } from '../defineIntegrator.js';

/**
 * A step of overdamped motion by the method of Leimkuhler and Matthews (Appl. Math. Res. Express 2013, 34). The noise of each step is
 * shared with the next, which makes the distribution of positions right to second order, and exact in a harmonic well:
 *
 *   r ← r + Δt f/(mγ) + √(kT Δt/(2mγ)) (ξₙ + ξₙ₊₁)
 */
const brownianStep = cellFunctor(
  {
    name: 'brownian_step',
    fields: { rx: 'real', ry: 'real', rz: 'real' },
    read: { fx: 'real', fy: 'real', fz: 'real', mass: 'real', id: 'u32' },
    params: { mobility: 'real', kT: 'real', ...noiseParams },
  },
  (i, p, h) => {
    const step = ((h.u32(p.high) << 16) | h.u32(p.low)) >>> 0;
    const [x0, y0, z0] = h.normal(i.id, (step - 1) >>> 0, p.stream, p.seed, p.seedHigh);
    const [x1, y1, z1] = h.normal(i.id, step, p.stream, p.seed, p.seedHigh);
    const s = p.mobility / i.mass; // Δt/(mγ)
    const width = Math.sqrt(0.5 * p.kT * s);
    i.rx += s * i.fx + width * (x0 + x1);
    i.ry += s * i.fy + width * (y0 + y1);
    i.rz += s * i.fz + width * (z0 + z1);
  },
);

/** Brownian dynamics: motion without inertia. */
export const brownian = defineIntegrator({
  name: 'brownian',
  doc: 'Brownian dynamics, motion without inertia (Leimkuhler and Matthews 2013): forces and noise move particles against friction. A free particle diffuses with kT/(m friction). Velocities stay as they are and mean nothing.',
  slots: {
    temperature: temperatureSlot,
    friction: {
      type: 'quantity',
      dimension: dimensions.frequency,
      above: 0,
      required: true,
      doc: 'rate γ at which velocities would decay: the drag on a particle is m γ',
    },
    ...seedSlot,
  },
  values: () => clockStart,
  changesMomentum: true,
  keepsTemperature: true,
  begin: [beginClock(1)],
  phases: [
    {
      doc: 'Moves particles by forces and noise.',
      functor: brownianStep,
      params: ({ dt, friction, seed }, run) => ({
        mobility: dt / friction,
        kT: run.value('kT'),
        low: run.value('low'),
        high: run.value('high'),
        ...keyOfNoise(seed, run),
      }),
    },
    tickClock,
    'forces',
  ],
});
