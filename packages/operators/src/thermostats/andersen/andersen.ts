import { dimensions } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/patterns';
import { defineIntegrator } from '../../integrators/defineIntegrator.js';
import { beginClock, clockStart, tickClock } from '../clock.js';
import { countingHeat } from '../heat.js';
import { keyOfNoise, noiseParams, seedSlot } from '../noise.js';
import { temperatureSlot } from '../temperature.js';

/** A collision with the bath gives a particle a velocity of the Maxwell distribution. */
const collide = cellFunctor(
  {
    name: 'andersen',
    fields: { vx: 'real', vy: 'real', vz: 'real', bath_heat: 'real' },
    read: { mass: 'real', id: 'u32' },
    params: { kT: 'real', chance: 'real', ...noiseParams },
  },
  (i, p, h) => {
    const step = ((h.u32(p.high) << 16) | h.u32(p.low)) >>> 0;
    const [u] = h.uniform(i.id, step, p.stream, p.seed, p.seedHigh, 1);
    if (u < p.chance) {
      const [x, y, z] = h.normal(i.id, step, p.stream, p.seed, p.seedHigh);
      const width = Math.sqrt(p.kT / i.mass);
      const before = i.vx * i.vx + i.vy * i.vy + i.vz * i.vz;
      i.vx = width * x;
      i.vy = width * y;
      i.vz = width * z;
      i.bath_heat += 0.5 * i.mass * (i.vx * i.vx + i.vy * i.vy + i.vz * i.vz - before);
    }
  },
);

/** Collisions with a bath (Andersen, J. Chem. Phys. 72, 2384 (1980)): canonical, without true dynamics. */
export const andersen = defineIntegrator({
  name: 'andersen',
  doc: 'Andersen thermostat: after each step particles get, at random, a velocity of the Maxwell distribution. Canonical.',
  slots: {
    temperature: temperatureSlot,
    rate: {
      type: 'quantity',
      dimension: dimensions.frequency,
      above: 0,
      required: true,
      doc: 'collisions of a particle in a unit of time',
    },
    ...seedSlot,
  },
  values: () => clockStart,
  changesMomentum: true,
  keepsTemperature: true,
  countsHeat: true,
  begin: [beginClock(1)],
  phases: [
    'step',
    {
      doc: 'Collisions with the bath.',
      functor: (_, { accountsEnergy }) => countingHeat(collide, accountsEnergy),
      params: ({ dt, rate, seed }, run) => ({
        kT: run.value('kT'),
        low: run.value('low'),
        high: run.value('high'),
        chance: 1 - Math.exp(-rate * dt),
        ...keyOfNoise(seed, run),
      }),
    },
    tickClock,
  ],
});
