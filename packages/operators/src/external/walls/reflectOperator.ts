import { defineOperator, type SimulationState } from '@corpuscle/core';
import { prepareCellParticles } from '@corpuscle/patterns';
import { RenewedCall } from '../../run/RenewedCall.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { groupOptions, groupSlot } from '../../sets/group/Groups.js';
import { vector } from '../slots.js';
import { reflectAtPlane, reflectAtRound, reflection } from './reflect.js';
import {
  displacementOf,
  motionSlots,
  movingWall,
  surfaceOf,
  surfaceSlots,
} from './wallOperator.js';

const STILL = [0, 0, 0] as const;

/** `reflect`: a hard wall. */
export const reflectOperator = defineOperator({
  name: 'reflect',
  doc: 'A hard wall: a particle beyond it is put back as far as it is beyond, and its velocity is mirrored. Put it into after_drift, where particles have moved. The surface may be anywhere, and knows no periodic images.',
  slots: { ...surfaceSlots, ...motionSlots, ...groupSlot },
  requires: [gridKey],
  changesVelocities: true,
  needsEvenSteps: movingWall,
  functors: [reflectAtPlane, reflectAtRound],
  validate({ slots }) {
    surfaceOf(slots);
  },
  prepare({ slots, state }) {
    const displacement = displacementOf(slots, state);
    const { functor, params } = reflection(surfaceOf(slots));
    const now = () => params(displacement?.() ?? STILL, velocityOf(slots, state));
    const call = new RenewedCall(state, () =>
      prepareCellParticles(state.get(gridKey), functor as typeof reflectAtPlane, contextOf(state), {
        params: now() as never,
        ...groupOptions(state, slots.group),
      }),
    );
    return { call, now, moves: displacement !== undefined };
  },
  calls: ({ own }) => (own.moves ? null : [own.call.current]),
  execute({ own }) {
    if (own.moves) own.call.current.run(own.now());
    else own.call.current.run();
  },
  dispose: ({ own }) => own.call.close(),
});

/** The velocity of a wall at the time of a run. */
function velocityOf(slots: unknown, { time }: SimulationState): readonly [number, number, number] {
  const { velocity, wiggle } = slots as {
    readonly velocity?: readonly number[];
    readonly wiggle?: { readonly amplitude: readonly number[]; readonly period: number };
  };
  const rate = wiggle ? (2 * Math.PI) / wiggle.period : 0;
  return vector(
    [0, 1, 2].map(
      (k) => (velocity?.[k] ?? 0) + (wiggle?.amplitude[k] ?? 0) * rate * Math.cos(rate * time),
    ),
  );
}
