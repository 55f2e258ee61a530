import { defineOperator, randomStream } from '@corpuscle/core';
import { cellFunctor, prepareCellParticles } from '@corpuscle/patterns';
import { RenewedCall } from '../../run/RenewedCall.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { groupOptions, groupSlot } from '../group/Groups.js';

const POSITIONS = randomStream('gaussian_noise');
const VELOCITIES = randomStream('gaussian_noise velocities');
const params = { sigma: 'real', seed: 'u32', step: 'u32', stream: 'u32' } as const;

/** Random displacements by id and step, the same on every backend. */
const positionNoise = cellFunctor(
  {
    name: 'position_noise',
    fields: { rx: 'real', ry: 'real', rz: 'real' },
    read: { id: 'u32' },
    params,
    traits: { gpu: true },
  },
  (i, p, h) => {
    const [x, y, z] = h.normal(i.id, p.step, p.stream, p.seed);
    i.rx += p.sigma * x;
    i.ry += p.sigma * y;
    i.rz += p.sigma * z;
  },
);

/** The same for velocities. */
const velocityNoise = cellFunctor(
  {
    name: 'velocity_noise',
    fields: { vx: 'real', vy: 'real', vz: 'real' },
    read: { id: 'u32' },
    params,
    traits: { gpu: true },
  },
  (i, p, h) => {
    const [x, y, z] = h.normal(i.id, p.step, p.stream, p.seed);
    i.vx += p.sigma * x;
    i.vy += p.sigma * y;
    i.vz += p.sigma * z;
  },
);

/** `gaussian_noise`: random displacements, or random changes of velocities. */
export const gaussianNoiseOperator = defineOperator({
  name: 'gaussian_noise',
  doc: 'Adds normally distributed numbers to positions or velocities, by id and step: the same on every backend. In a loop put noise on positions into after_drift.',
  slots: {
    sigma: {
      type: 'number',
      min: 0,
      required: true,
      doc: 'standard deviation along each axis, in internal units',
    },
    of: {
      type: 'enum',
      values: ['positions', 'velocities'],
      default: 'positions',
      doc: 'what it is added to',
    },
    ...groupSlot,
    seed: { type: 'integer', min: 0, max: 2 ** 32 - 1, doc: 'default from the configuration' },
    every: { type: 'integer', min: 1, default: 1, doc: 'in a loop: steps between additions' },
  },
  every: 'every',
  box: 'kept',
  changesVelocities: ({ of }) => of === 'velocities',
  requires: [gridKey],
  functors: [positionNoise, velocityNoise],
  prepare: ({ slots, state }) =>
    new RenewedCall<{ step: number }>(state, () =>
      prepareCellParticles(
        state.get(gridKey),
        (slots.of === 'positions' ? positionNoise : velocityNoise) as typeof positionNoise,
        contextOf(state),
        {
          params: {
            sigma: slots.sigma,
            seed: (slots.seed ?? state.simulation.configuration.seed) >>> 0,
            step: 0,
            stream: slots.of === 'positions' ? POSITIONS : VELOCITIES,
          },
          ...groupOptions(state, slots.group),
        },
      ),
    ),
  execute({ own, state }) {
    own.current.run({ step: state.step >>> 0 });
  },
  dispose: ({ own }) => own.close(),
});
