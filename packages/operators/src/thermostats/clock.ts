import { valueFunctor } from '@corpuscle/patterns';
import type { IntegratorPhase, IntegratorRun } from '../integrators/IntegratorSpec.js';
import { countSteps } from '../run/countSteps.js';
import { endsOf, type Temperature } from './temperature.js';

/** Values that tell the step, in two halves of 16 bits that single precision holds, and the target kT. */
export const clockValues = { low: 'real', high: 'real', kT: 'real' } as const;

/** First values of a clock: `begin` sets them. */
export const clockStart = { low: 0, high: 0, kT: 0 };

/** Parameters of a ramp: kT at both ends, and where the run begins and how long it is. */
export const rampParams = {
  kT0: 'real',
  kT1: 'real',
  firstLow: 'real',
  firstHigh: 'real',
  steps: 'real',
} as const;

/** Pure helpers of value functors that have a clock. */
export const clockHelpers = {
  tick: countSteps.tick,
  /** kT at a step of a ramp. */
  ramp: (
    low: number,
    high: number,
    kT0: number,
    kT1: number,
    firstLow: number,
    firstHigh: number,
    steps: number,
  ) => {
    const done = 65536 * (high - firstHigh) + (low - firstLow);
    return kT0 + (kT1 - kT0) * Math.min(1, Math.max(0, done / steps));
  },
} as const;

const setClock = valueFunctor(
  {
    name: 'set_clock',
    values: clockValues,
    params: { ...rampParams, stepLow: 'real', stepHigh: 'real' },
    helpers: clockHelpers,
  },
  (v, p, h) => {
    v.low = p.stepLow;
    v.high = p.stepHigh;
    v.kT = h.ramp(v.low, v.high, p.kT0, p.kT1, p.firstLow, p.firstHigh, p.steps);
  },
);

const tick = valueFunctor(
  { name: 'tick', values: clockValues, params: rampParams, helpers: clockHelpers },
  (v, p, h) => {
    const [low, high] = h.tick(v.low, v.high, 1);
    v.low = low;
    v.high = high;
    v.kT = h.ramp(low, high, p.kT0, p.kT1, p.firstLow, p.firstHigh, p.steps);
  },
);

/** Numbers of a ramp over the run. */
export function rampOf(temperature: Temperature, run: IntegratorRun) {
  const [first, last] = endsOf(temperature);
  const { boltzmann, firstStep, lastStep } = run;
  return {
    kT0: boltzmann * first,
    kT1: boltzmann * last,
    firstLow: firstStep % 65536,
    firstHigh: Math.floor(firstStep / 65536),
    steps: Math.max(1, lastStep - firstStep),
  };
}

interface Slots {
  readonly temperature: Temperature;
  readonly every?: number;
}

/** Sets the clock to a step: `ahead` of the one at which the run begins, or of the last before it that is a multiple of `every`. */
export const beginClock = (ahead: 0 | 1): IntegratorPhase<Slots> => ({
  doc: 'Sets the clock.',
  functor: setClock,
  params: ({ temperature, every = 1 }: Slots, run) => {
    const step = run.firstStep - (run.firstStep % every) + ahead;
    return {
      ...rampOf(temperature, run),
      stepLow: step % 65536,
      stepHigh: Math.floor(step / 65536),
    };
  },
});

/** Moves the clock on by a step. */
export const tickClock: IntegratorPhase<Slots> = {
  doc: 'Moves the clock of random numbers and of the target temperature on.',
  functor: tick,
  params: ({ temperature }: Slots, run) => rampOf(temperature, run),
};
