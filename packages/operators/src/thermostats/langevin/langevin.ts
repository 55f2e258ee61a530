import { dimensions } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/patterns';
import { defineIntegrator } from '../../integrators/defineIntegrator.js';
import type { IntegratorRun } from '../../integrators/IntegratorSpec.js';
import { kick } from '../../integrators/velocity_verlet/velocityVerlet.js';
import { beginClock, clockStart, tickClock } from '../clock.js';
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
const params = { halfDt: 'real', kT: 'real', ...noiseParams } as const;

/**
 * B, A, O and A of a BAOAB step (Leimkuhler and Matthews, Appl. Math. Res. Express 2013, 34), with c = exp(−γ Δt):
 *
 *   v ← v + (Δt/2) f/m,   r ← r + (Δt/2) v,   v ← c v + √((1 − c²) kT/m) ξ,   r ← r + (Δt/2) v
 */
const baoa = cellFunctor(
  { name: 'langevin_baoa', fields, read, params: { ...params, kept: 'real' } },
  (i, p, h) => {
    const s = p.halfDt / i.mass;
    const vx = i.vx + s * i.fx;
    const vy = i.vy + s * i.fy;
    const vz = i.vz + s * i.fz;
    const step = ((h.u32(p.high) << 16) | h.u32(p.low)) >>> 0;
    const [x, y, z] = h.normal(i.id, step, p.stream, p.seed, p.seedHigh);
    const width = Math.sqrt(((1 - p.kept * p.kept) * p.kT) / i.mass);
    i.vx = p.kept * vx + width * x;
    i.vy = p.kept * vy + width * y;
    i.vz = p.kept * vz + width * z;
    const squares = i.vx * i.vx + i.vy * i.vy + i.vz * i.vz - (vx * vx + vy * vy + vz * vz);
    i.bath_heat += 0.5 * i.mass * squares;
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
    const step = ((h.u32(p.high) << 16) | h.u32(p.low)) >>> 0;
    const [x, y, z] = h.normal(i.id, step, p.stream, p.seed, p.seedHigh);
    const kept = p.kept[i.type]!;
    const width = Math.sqrt(((1 - kept * kept) * p.kT) / i.mass);
    i.vx = kept * vx + width * x;
    i.vy = kept * vy + width * y;
    i.vz = kept * vz + width * z;
    const squares = i.vx * i.vx + i.vy * i.vy + i.vz * i.vz - (vx * vx + vy * vy + vz * vz);
    i.bath_heat += 0.5 * i.mass * squares;
    i.rx += p.halfDt * (vx + i.vx);
    i.ry += p.halfDt * (vy + i.vy);
    i.rz += p.halfDt * (vz + i.vz);
  },
);

type Friction = number | Readonly<Record<string, number>> | undefined;

const perTime = { type: 'quantity', dimension: dimensions.frequency, min: 0 } as const;
const time = { type: 'quantity', dimension: dimensions.time, above: 0 } as const;

/** Langevin dynamics, which moves particles and holds the temperature. */
export const langevin = defineIntegrator({
  name: 'langevin',
  doc: 'Langevin dynamics by BAOAB: canonical, second order, and right for positions at large time steps. It moves particles.',
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
    ...seedSlot,
  },
  values: () => clockStart,
  changesMomentum: true,
  countsHeat: true,
  validate({ slots, fail }) {
    const { friction, damping } = slots;
    if ((friction === undefined) === (damping === undefined))
      fail(
        friction === undefined ? '' : 'damping',
        friction === undefined ? 'MISSING_VALUE' : 'INVALID_VALUE',
        'langevin needs friction, a rate, or damping, a time: give one of them',
      );
  },
  begin: [beginClock(1)],
  phases: [
    {
      doc: 'Half a kick, half a drift, friction and noise, half a drift.',
      functor: ({ friction, damping }, { accountsEnergy }) =>
        countingHeat(typeof (friction ?? damping) === 'object' ? baoaByType : baoa, accountsEnergy),
      params: ({ dt, friction, damping, seed }, run) => ({
        halfDt: dt / 2,
        kT: run.value('kT'),
        low: run.value('low'),
        high: run.value('high'),
        kept: keptOf(dt, friction, damping, run),
        ...keyOfNoise(seed, run),
      }),
    },
    'lists',
    tickClock,
    'forces',
    {
      doc: 'The second half of the kick.',
      functor: kick,
      params: ({ dt }) => ({ halfDt: dt / 2 }),
    },
  ],
});

/** What is left of a velocity after a step; a list by type where friction is. */
function keptOf(
  dt: number,
  friction: Friction,
  damping: Friction,
  { particleTypes }: IntegratorRun,
): number | number[] {
  const given = friction ?? damping!;
  const rate = (value: number) => (friction === undefined ? 1 / value : value);
  if (typeof given === 'number') return Math.exp(-dt * rate(given));
  for (const name of Object.keys(given)) particleTypes.index(name);
  return particleTypes.names.map((name) => {
    const value = given[name];
    return value === undefined ? 1 : Math.exp(-dt * rate(value));
  });
}
