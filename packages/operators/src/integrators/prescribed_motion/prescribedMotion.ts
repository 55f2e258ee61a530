import { dimensions, imageFlags, type OperatorBundle } from '@corpuscle/core';
import { axisSlots, vectorSlot } from '../../external/slots.js';
import { zeros } from '../../run/contextValues.js';
import { timeStep } from '../../run/timeStep.js';
import { groupSlot } from '../../sets/group/Groups.js';
import { defineIntegrator } from '../defineIntegrator.js';
import { stepComposite } from '../stepComposite.js';
import {
  kickFree,
  motionBlock,
  nextShift,
  nextTurn,
  shiftParticles,
  shiftValues,
  turnParticles,
  turnValues,
} from './motionFunctors.js';

const period = {
  type: 'quantity',
  dimension: dimensions.time,
  above: 0,
  required: true,
  doc: 'time of one swing or turn',
} as const;

const shiftSlots = {
  velocity: vectorSlot(dimensions.velocity, 'a constant velocity; with wiggle both add up'),
  wiggle: {
    type: 'map',
    entries: {
      amplitude: {
        ...vectorSlot(dimensions.length, 'the farthest from the first place'),
        required: true,
      },
      period,
    },
    doc: 'a swing about the first place: amplitude · sin(2π t / period)',
  },
  axes: {
    type: 'enum',
    values: ['x', 'y', 'z', 'xy', 'xz', 'yz', 'xyz'],
    default: 'xyz',
    doc: 'axes along which the motion is prescribed; along others forces move particles, by velocity Verlet',
  },
} as const;

const turnSlots = {
  rotate: {
    type: 'map',
    entries: {
      ...axisSlots,
      period,
    },
    doc: 'a rotation about an axis, counter-clockwise as one looks against its direction',
  },
} as const;

/** Turns of a step, and of 65,536 steps without whole ones. */
const turnsOf = (dt: number, { period: time }: { readonly period: number }) => {
  const many = (65536 * dt) / time;
  return { turn: dt / time, turnHigh: many - Math.floor(many) };
};

const freeAxes = (axes: string) => ({
  freeX: axes.includes('x') ? 0 : 1,
  freeY: axes.includes('y') ? 0 : 1,
  freeZ: axes.includes('z') ? 0 : 1,
});

/** Particles that are shifted. */
const shifted = defineIntegrator({
  name: 'shifted_motion',
  doc: 'Moves particles with a velocity, or swings them.',
  slots: shiftSlots,
  fields: [motionBlock],
  values: () => zeros(shiftValues),
  changesMomentum: true,
  phases: [
    {
      doc: 'Computes how far particles are shifted after the step.',
      functor: nextShift,
      params: ({ dt, velocity = [0, 0, 0], wiggle, axes }) => {
        const swing = wiggle ?? { amplitude: [0, 0, 0], period: 1 };
        const on = (name: string, value: number) => (axes.includes(name) ? value : 0);
        return {
          dt,
          ux: on('x', velocity[0]!),
          uy: on('y', velocity[1]!),
          uz: on('z', velocity[2]!),
          ax: on('x', swing.amplitude[0]!),
          ay: on('y', swing.amplitude[1]!),
          az: on('z', swing.amplitude[2]!),
          omega: (2 * Math.PI) / swing.period,
          ...turnsOf(dt, swing),
        };
      },
    },
    {
      doc: 'Shifts particles; along free axes half a kick and a drift.',
      functor: shiftParticles,
      inBox: true,
      params: ({ dt, axes }, run) => ({
        dt,
        halfDt: dt / 2,
        beforeX: run.value('beforeX'),
        beforeY: run.value('beforeY'),
        beforeZ: run.value('beforeZ'),
        x: run.value('x'),
        y: run.value('y'),
        z: run.value('z'),
        ux: run.value('vx'),
        uy: run.value('vy'),
        uz: run.value('vz'),
        ...freeAxes(axes),
      }),
    },
    'forces',
    {
      doc: 'The second half of the kick along free axes.',
      functor: kickFree,
      params: ({ dt, axes }) => ({ halfDt: dt / 2, ...freeAxes(axes) }),
    },
  ],
});

/** Particles that rotate. */
const turning = defineIntegrator({
  name: 'turning_motion',
  doc: 'Rotates particles about an axis.',
  // All axes, which is the default, may be said of a rotation too.
  slots: { rotate: { ...turnSlots.rotate, required: true }, axes: shiftSlots.axes },
  // What has crossed a face of the box turns with the rest: its unwrapped place is where it begins.
  fields: [motionBlock, imageFlags],
  values: () => zeros(turnValues),
  changesMomentum: true,
  validate({ slots, fail }) {
    if (slots.rotate && Math.hypot(...slots.rotate.axis) === 0)
      fail('rotate.axis', 'INVALID_VALUE', 'the axis has no direction: give another');
  },
  phases: [
    {
      doc: 'Computes the angle after the step.',
      functor: nextTurn,
      params: ({ dt, rotate }) => turnsOf(dt, rotate),
    },
    {
      doc: 'Turns particles.',
      functor: turnParticles,
      inBox: true,
      params: ({ rotate: { point, axis, period: time } }, run) => {
        const [nx, ny, nz] = axis.map((x) => x / Math.hypot(...axis)) as [number, number, number];
        return {
          px: point[0]!,
          py: point[1]!,
          pz: point[2]!,
          nx,
          ny,
          nz,
          omega: (2 * Math.PI) / time,
          cosBefore: run.value('cosBefore'),
          sinBefore: run.value('sinBefore'),
          cos: run.value('cos'),
          sin: run.value('sin'),
        };
      },
    },
    'forces',
  ],
});

/** `prescribed_motion` in a numerical scheme: particles that go their way whatever the forces are. */
export const prescribedMotion: OperatorBundle = {
  name: 'prescribed_motion',
  operators: [...shifted.operators, ...turning.operators],
  composites: [
    stepComposite(
      {
        name: 'prescribed_motion',
        doc: 'Particles of a group move as they are told, whatever forces act on them: with a velocity, in a swing, or about an axis. They stand in the list beside an integrator of the others. As fix move of LAMMPS.',
        slots: { ...shiftSlots, ...turnSlots, ...groupSlot, dt: timeStep },
      },
      ({ settings, wordOf, fail }) => {
        const { velocity, wiggle, rotate } = settings;
        if (!velocity && !wiggle && !rotate)
          fail('MISSING_VALUE', 'prescribed_motion needs velocity, wiggle or rotate');
        const axes = wordOf('axes') === 'xyz' ? [] : ['axes'];
        const other = ['velocity', 'wiggle', ...axes].find((slot) => settings[slot]);
        if (rotate && other)
          fail('INVALID_VALUE', `prescribed_motion has rotate and ${other}: leave one out`);
        return rotate ? turning.parts : shifted.parts;
      },
    ),
  ],
};
