import { dimensions } from '@corpuscle/core';
import { reduceFunctor, valueFunctor } from '@corpuscle/patterns';
import { defineIntegrator } from '../defineIntegrator.js';
import type { IntegratorPhase, IntegratorRun } from '../IntegratorSpec.js';
import { kick, kickDrift } from '../velocity_verlet/velocityVerlet.js';

/**
 * The shortest of the time steps in which particles move as far as they may (`farthest`, d): the least of d/|v| and √(2 d m/|f|),
 * and less where both together carry a particle farther. A particle at rest without force may have any.
 */
const allowedStep = reduceFunctor(
  {
    name: 'allowed_time_step',
    result: { allowed: 'min' },
    read: { vx: 'real', vy: 'real', vz: 'real', fx: 'real', fy: 'real', fz: 'real', mass: 'real' },
    params: { farthest: 'real' },
  },
  (acc, i, p) => {
    const speed = Math.sqrt(i.vx * i.vx + i.vy * i.vy + i.vz * i.vz);
    const push = Math.sqrt(i.fx * i.fx + i.fy * i.fy + i.fz * i.fz) / i.mass;
    // Its square is a number of single precision too.
    let dt = 1e15;
    if (speed > 0) dt = Math.min(dt, p.farthest / speed);
    if (push > 0) dt = Math.min(dt, Math.sqrt((2 * p.farthest) / push));
    const s = (0.5 * dt * dt) / i.mass;
    const x = dt * i.vx + s * i.fx;
    const y = dt * i.vy + s * i.fy;
    const z = dt * i.vz + s * i.fz;
    const distance = Math.sqrt(x * x + y * y + z * z);
    if (distance > p.farthest) dt *= p.farthest / distance;
    acc.allowed = Math.min(acc.allowed, dt);
  },
);

/**
 * Time goes on by the step that has been made. It is counted in time steps of the file, whole ones in two halves of 16 bits, so that
 * rounding of single precision does not add up. Now and then a new step follows, the one that is allowed or a bound.
 */
const nextStep = valueFunctor(
  {
    name: 'next_time_step',
    values: {
      allowed: 'real',
      dt: 'real',
      halfDt: 'real',
      part: 'real',
      low: 'real',
      high: 'real',
      waited: 'real',
    },
    params: { least: 'real', most: 'real', every: 'real', unit: 'real' },
  },
  (v, p) => {
    const part = v.part + v.dt / p.unit;
    const whole = Math.floor(part);
    const low = v.low + whole;
    const carry = Math.floor(low / 65536);
    v.part = part - whole;
    v.low = low - 65536 * carry;
    v.high += carry;
    v.waited += 1;
    if (v.waited >= p.every) {
      v.waited = 0;
      v.dt = Math.min(Math.max(v.allowed, p.least), p.most);
      v.halfDt = 0.5 * v.dt;
    }
  },
);

/** Sets the clock; the first time step follows at once. */
const setTime = valueFunctor(
  {
    name: 'set_time',
    values: {
      dt: 'real',
      halfDt: 'real',
      part: 'real',
      low: 'real',
      high: 'real',
      waited: 'real',
    },
    params: { part: 'real', low: 'real', high: 'real', waited: 'real' },
  },
  (v, p) => {
    v.dt = 0;
    v.halfDt = 0;
    v.part = p.part;
    v.low = p.low;
    v.high = p.high;
    v.waited = p.waited;
  },
);

/** How many steps have gone since the step counter could be divided by `every`. */
const setWaited = valueFunctor(
  { name: 'set_waited', values: { waited: 'real' }, params: { waited: 'real' } },
  (v, p) => {
    v.waited = p.waited;
  },
);

const time = { type: 'quantity', dimension: dimensions.time, above: 0 } as const;

interface Slots {
  readonly dt: number;
  readonly max_displacement: number;
  readonly every: number;
  readonly min_dt: number | undefined;
  readonly max_dt: number | undefined;
}

const measure: IntegratorPhase<Slots> = {
  doc: 'Finds the time step in which the fastest particle moves as far as it may.',
  functor: allowedStep,
  params: ({ max_displacement }) => ({ farthest: max_displacement }),
};

const choose: IntegratorPhase<Slots> = {
  doc: 'Advances the time, and chooses the next time step.',
  functor: nextStep,
  params: ({ dt, every, min_dt, max_dt }) => ({
    least: min_dt ?? 0,
    most: max_dt ?? dt,
    every,
    unit: dt,
  }),
};

const stepOf = (_: Slots, { value }: IntegratorRun) => ({
  dt: value('dt'),
  halfDt: value('halfDt'),
});

/** Velocity Verlet with a time step that follows the fastest particle, as fix dt/reset of LAMMPS. */
export const velocityVerletAdaptive = defineIntegrator({
  name: 'velocity_verlet_adaptive',
  doc: "Velocity Verlet with a time step that is chosen anew every so many steps: no particle would move farther than max_displacement, as in LAMMPS' fix dt/reset. The time step is computed where the particles are. For violent starts and collisions.",
  slots: {
    max_displacement: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      required: true,
      doc: 'the farthest that a particle may move in a step',
    },
    min_dt: { ...time, doc: 'the shortest time step; default: none' },
    max_dt: { ...time, doc: 'the longest time step; default: dt' },
    every: { type: 'integer', min: 1, default: 1, doc: 'steps between choices' },
  },
  values: () => ({
    allowed: 0,
    dt: 0,
    halfDt: 0,
    part: 0,
    low: 0,
    high: 0,
    waited: 0,
  }),
  time: ({ part, low, high }, { dt }) => dt * (65536 * high! + low! + part!),
  longestStep: ({ dt, max_dt }) => max_dt ?? dt,
  validate({ slots: { min_dt, max_dt }, fail }) {
    if (min_dt !== undefined && max_dt !== undefined && min_dt > max_dt)
      fail('min_dt', 'INVALID_VALUE', 'min_dt is longer than max_dt: exchange them');
  },
  begin: [
    {
      doc: 'Sets the clock to the time there is.',
      functor: setTime,
      params: ({ dt, every }, run) => {
        const steps = run.time / dt;
        const whole = Math.floor(steps);
        return {
          part: steps - whole,
          low: whole % 65536,
          high: Math.floor(whole / 65536),
          waited: every,
        };
      },
    },
    measure,
    choose,
    {
      doc: 'Steps whose number can be divided by every choose.',
      functor: setWaited,
      params: ({ every }, { firstStep }) => ({ waited: firstStep % every }),
    },
  ],
  phases: [
    { doc: 'Half a kick and a drift.', functor: kickDrift, params: stepOf },
    'forces',
    {
      doc: 'The second half of the kick.',
      functor: kick,
      params: (_: Slots, { value }: IntegratorRun) => ({ halfDt: value('halfDt') }),
    },
    measure,
    choose,
  ],
});
