import type { SimulationState } from '@corpuscle/core';
import {
  type ContextValue,
  type PreparedCall,
  prepareValues,
  type ValueReference,
  valueFunctor,
} from '@corpuscle/patterns';
import { evenSteps, knownTime } from '../../integrators/physicalTime.js';
import { referencesOf, zeros } from '../../run/contextValues.js';
import { countSteps } from '../../run/countSteps.js';
import { contextOf, planKey } from '../../run/stateKeys.js';
import { type Vector, vector } from '../slots.js';

/** How a wall moves: with a velocity from time 0 on, in a swing, or both. */
export interface MotionSlots {
  readonly velocity?: readonly number[];
  readonly wiggle?: { readonly amplitude: readonly number[]; readonly period: number };
}

/** What messages call it. */
export const MOVING_WALL = 'a wall that moves';

/** Values of a wall that moves: the steps of the clock in two halves of 16 bits, what the clock tells of a step, place and velocity. */
const motionValues = {
  low: 'real',
  high: 'real',
  begin: 'real',
  dt: 'real',
  beginTurns: 'real',
  turns: 'real',
  manyTurns: 'real',
  x: 'real',
  y: 'real',
  z: 'real',
  vx: 'real',
  vy: 'real',
  vz: 'real',
} as const;

/** The next step: p + t u + A sin 2π t/T. Parts of a turn are exact to the end of long runs, also in single precision. */
const moveWall = valueFunctor(
  {
    name: 'move_wall',
    values: motionValues,
    params: {
      px: 'real',
      py: 'real',
      pz: 'real',
      ux: 'real',
      uy: 'real',
      uz: 'real',
      ax: 'real',
      ay: 'real',
      az: 'real',
      omega: 'real',
    },
    helpers: countSteps,
  },
  (v, p, h) => {
    const [low, high] = h.tick(v.low, v.high, 1);
    v.low = low;
    v.high = high;
    const time = v.begin + v.dt * (65536 * v.high + v.low);
    const turns = v.beginTurns + v.low * v.turns + v.high * v.manyTurns;
    const angle = h.angle(turns);
    const swing = Math.sin(angle);
    const speed = p.omega * Math.cos(angle);
    v.x = p.px + p.ux * time + p.ax * swing;
    v.y = p.py + p.uy * time + p.ay * swing;
    v.z = p.pz + p.uz * time + p.az * swing;
    v.vx = p.ux + p.ax * speed;
    v.vy = p.uy + p.ay * speed;
    v.vz = p.uz + p.az * speed;
  },
);

/** Three numbers that live where the context computes. */
export type VectorReference = readonly [ValueReference, ValueReference, ValueReference];

/**
 * Where a wall that moves is, and how fast it goes: both are computed where the particles are. In a fused step `calls` count it; where
 * the operator is executed by itself, `set` tells the step first.
 */
export class WallMotion {
  readonly place: VectorReference;
  readonly velocity: VectorReference;
  readonly #state: SimulationState;
  readonly #period: number;
  readonly #values: ContextValue<keyof typeof motionValues>;
  readonly #next: PreparedCall;
  /** The run and the step of the last `set`. */
  #run: unknown = null;
  #step = -1;
  /** Whether a step of the run had several, as under `respa`. */
  #isRepeated = false;

  /** @param place at time 0 */
  constructor(state: SimulationState, place: Vector, { velocity, wiggle }: MotionSlots) {
    const ctx = contextOf(state);
    const values = ctx.value(zeros(motionValues));
    const [px, py, pz] = place;
    const [ux, uy, uz] = vector(velocity ?? [0, 0, 0]);
    const [ax, ay, az] = vector(wiggle?.amplitude ?? [0, 0, 0]);
    this.#state = state;
    this.#period = wiggle?.period ?? Number.POSITIVE_INFINITY;
    this.#values = values;
    this.#next = prepareValues(moveWall, ctx, {
      values: referencesOf(values),
      params: { px, py, pz, ux, uy, uz, ax, ay, az, omega: (2 * Math.PI) / this.#period },
    }) as PreparedCall;
    this.place = [values.of('x'), values.of('y'), values.of('z')];
    this.velocity = [values.of('vx'), values.of('vy'), values.of('vz')];
  }

  /** The calls of a step; null where one step has several. */
  get calls(): readonly PreparedCall[] | null {
    return this.#isRepeated ? null : [this.#next];
  }

  /** The wall is where it is in the present step. @throws CorpuscleError INVALID_VALUE where nobody knows the time */
  set(): void {
    const state = this.#state;
    knownTime(state, MOVING_WALL);
    const run = state.find(planKey);
    this.#isRepeated = this.#run === run && (this.#isRepeated || this.#step === state.step);
    this.#run = run;
    this.#step = state.step;
    const { step, time, dt } = evenSteps(state);
    const before = state.step - step - 1;
    const high = Math.floor(before / 65536);
    this.#values.write({
      ...zeros(motionValues),
      low: before - 65536 * high,
      high,
      begin: time,
      dt,
      beginTurns: part(time / this.#period),
      turns: dt / this.#period,
      manyTurns: part((65536 * dt) / this.#period),
    });
    this.#next.run();
  }

  close(): void {
    this.#next.close();
    this.#values.close();
  }
}

/** What is left of a number without its whole part. */
const part = (x: number): number => x - Math.floor(x);
