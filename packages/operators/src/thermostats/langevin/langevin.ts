import { dimensions } from '@corpuscle/core';
import { cellFunctor, valueFunctor } from '@corpuscle/patterns';
import { defineIntegrator } from '../../integrators/defineIntegrator.js';
import type { IntegratorRun } from '../../integrators/IntegratorSpec.js';
import { kick } from '../../integrators/velocity_verlet/velocityVerlet.js';
import { beginClock, clockHelpers, clockStart, clockValues, rampOf, rampParams } from '../clock.js';
import { countingHeat } from '../heat.js';
import { keyOfNoise, noiseParams, seedSlot } from '../noise.js';
import { temperatureSlot } from '../temperature.js';

const fields = {
  rx: 'real',
  ry: 'real',
  rz: 'real',
  vx: 'real',
  vy: 'real',
  vz: 'real',
  bath_heat: 'real',
} as const;
const read = { fx: 'real', fy: 'real', fz: 'real', mass: 'real', id: 'u32' } as const;
const params = { halfDt: 'real', kT: 'real', wait: 'real', ...noiseParams } as const;

/**
 * B, A, O and A of a BAOAB step (Leimkuhler and Matthews, Appl. Math. Res. Express 2013, 34), with c = exp(−γ Δt):
 *
 *   v ← v + (Δt/2) f/m,   r ← r + (Δt/2) v,   v ← c v + √((1 − c²) kT/m) ξ,   r ← r + (Δt/2) v
 *
 * Where O is made in one of n steps, c = exp(−γ n Δt) there, and the others are those of velocity Verlet. All particles take the same branch.
 */
const baoa = cellFunctor(
  { name: 'langevin_baoa', fields, read, params: { ...params, kept: 'real' } },
  (i, p, h) => {
    const s = p.halfDt / i.mass;
    const vx = i.vx + s * i.fx;
    const vy = i.vy + s * i.fy;
    const vz = i.vz + s * i.fz;
    i.vx = vx;
    i.vy = vy;
    i.vz = vz;
    if (p.wait < 0.5) {
      const step = ((h.u32(p.high) << 16) | h.u32(p.low)) >>> 0;
      const [x, y, z] = h.normal(i.id, step, p.stream, p.seed, p.seedHigh);
      const width = Math.sqrt((((1 - p.kept * p.kept) * p.kT) / p.halfDt) * s);
      i.vx = p.kept * vx + width * x;
      i.vy = p.kept * vy + width * y;
      i.vz = p.kept * vz + width * z;
      const squares = i.vx * i.vx + i.vy * i.vy + i.vz * i.vz - (vx * vx + vy * vy + vz * vz);
      i.bath_heat += 0.5 * i.mass * squares;
    }
    i.rx += p.halfDt * (vx + i.vx);
    i.ry += p.halfDt * (vy + i.vy);
    i.rz += p.halfDt * (vz + i.vz);
  },
);

/** The same with a friction for each type. */
const baoaByType = cellFunctor(
  {
    name: 'langevin_baoa_by_type',
    fields,
    read: { ...read, type: 'u32' },
    params: { ...params, kept: 'real[]' },
  },
  (i, p, h) => {
    const s = p.halfDt / i.mass;
    const vx = i.vx + s * i.fx;
    const vy = i.vy + s * i.fy;
    const vz = i.vz + s * i.fz;
    i.vx = vx;
    i.vy = vy;
    i.vz = vz;
    if (p.wait < 0.5) {
      const step = ((h.u32(p.high) << 16) | h.u32(p.low)) >>> 0;
      const [x, y, z] = h.normal(i.id, step, p.stream, p.seed, p.seedHigh);
      const kept = p.kept[i.type]!;
      const width = Math.sqrt((1 - kept * kept) * (p.kT / p.halfDt) * s);
      i.vx = kept * vx + width * x;
      i.vy = kept * vy + width * y;
      i.vz = kept * vz + width * z;
      const squares = i.vx * i.vx + i.vy * i.vy + i.vz * i.vz - (vx * vx + vy * vy + vz * vz);
      i.bath_heat += 0.5 * i.mass * squares;
    }
    i.rx += p.halfDt * (vx + i.vx);
    i.ry += p.halfDt * (vy + i.vy);
    i.rz += p.halfDt * (vz + i.vz);
  },
);

/** Steps until O is made again; 0 where it is made in the step that comes. */
const setWait = valueFunctor(
  { name: 'set_wait', values: { wait: 'real' }, params: { first: 'real' } },
  (v, p) => {
    v.wait = p.first;
  },
);

const tick = valueFunctor(
  {
    name: 'langevin_tick',
    values: { ...clockValues, wait: 'real' },
    params: { ...rampParams, every: 'real' },
    helpers: clockHelpers,
  },
  (v, p, h) => {
    const [low, high] = h.tick(v.low, v.high, 1);
    v.low = low;
    v.high = high;
    v.kT = h.ramp(low, high, p.kT0, p.kT1, p.firstLow, p.firstHigh, p.steps);
    v.wait = v.wait > 0.5 ? v.wait - 1 : p.every - 1;
  },
);

type Friction = number | Readonly<Record<string, number>> | undefined;

const perTime = { type: 'quantity', dimension: dimensions.frequency, min: 0 } as const;
const time = { type: 'quantity', dimension: dimensions.time, above: 0 } as const;

/** Langevin dynamics, which moves particles and holds the temperature. */
export const langevin = defineIntegrator({
  name: 'langevin',
  doc: 'Langevin thermostat, dynamics by BAOAB: canonical, second order, and right for positions at large time steps. It moves particles.',
  slots: {
    temperature: temperatureSlot,
    friction: {
      type: 'any_of',
      options: [perTime, { type: 'record', of: perTime }],
      doc: 'rate at which velocities decay, or a map of rates by particle type',
    },
    damping: {
      type: 'any_of',
      options: [time, { type: 'record', of: time }],
      doc: 'instead: time in which they decay, 1/friction',
    },
    every: {
      type: 'integer',
      min: 1,
      default: 1,
      doc: 'friction and noise act in one of so many steps, for all of them at once; the others are those of velocity Verlet, and cost no more',
    },
    ...seedSlot,
  },
  values: () => ({ ...clockStart, wait: 0 }),
  changesMomentum: true,
  keepsTemperature: true,
  countsHeat: true,
  validate({ slots, particleTypes: { names }, fail }) {
    const { friction, damping } = slots;
    if ((friction === undefined) === (damping === undefined))
      fail(
        friction === undefined ? '' : 'damping',
        friction === undefined ? 'MISSING_VALUE' : 'INVALID_VALUE',
        'langevin needs friction, a rate, or damping, a time: give one of them',
      );
    const slot = friction === undefined ? 'damping' : 'friction';
    const given = slots[slot]!;
    for (const name of typeof given === 'object' ? Object.keys(given) : [])
      if (!names.includes(name))
        fail(
          `${slot}.${name}`,
          'UNKNOWN_TYPE',
          `'${name}' is not a particle type (there are ${names.join(', ')})`,
        );
  },
  begin: [
    beginClock(1),
    {
      doc: 'Finds the step in which friction and noise act first.',
      functor: setWait,
      params: ({ every }, { firstStep }) => ({ first: every - 1 - (firstStep % every) }),
    },
  ],
  phases: [
    {
      doc: 'Half a kick, half a drift, friction and noise, half a drift.',
      functor: ({ friction, damping }, { accountsEnergy }) =>
        countingHeat(typeof (friction ?? damping) === 'object' ? baoaByType : baoa, accountsEnergy),
      params: ({ dt, friction, damping, every, seed }, run) => ({
        halfDt: dt / 2,
        kT: run.value('kT'),
        low: run.value('low'),
        high: run.value('high'),
        wait: run.value('wait'),
        kept: keptOf(every * dt, friction, damping, run),
        ...keyOfNoise(seed, run),
      }),
    },
    'lists',
    {
      doc: 'Moves the clock of random numbers and of the target temperature on, and counts the steps until they act.',
      functor: tick,
      params: ({ temperature, every }, run) => ({ ...rampOf(temperature, run), every }),
    },
    'forces',
    {
      doc: 'The second half of the kick.',
      functor: kick,
      params: ({ dt }) => ({ halfDt: dt / 2 }),
    },
  ],
});

/** What is left of a velocity after a time; a list by type where friction is. */
function keptOf(
  time: number,
  friction: Friction,
  damping: Friction,
  { particleTypes }: IntegratorRun,
): number | number[] {
  const given = friction ?? damping!;
  const rate = (value: number) => (friction === undefined ? 1 / value : value);
  if (typeof given === 'number') return Math.exp(-time * rate(given));
  return particleTypes.names.map((name) => {
    const value = given[name];
    return value === undefined ? 1 : Math.exp(-time * rate(value));
  });
}
