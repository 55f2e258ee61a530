import { defineOperator } from '@corpuscle/core';
import { prepareCellParticles } from '@corpuscle/patterns';
import { RenewedCall } from '../../run/RenewedCall.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { groupOptions, groupSlot } from '../../sets/group/Groups.js';
import { reflectAtPlane, reflectAtRound, reflection } from './reflect.js';
import { motionOf, motionSlots, movingWall, surfaceOf, surfaceSlots } from './wallOperator.js';

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
    const motion = motionOf(slots, state);
    const { functor, params } = reflection(surfaceOf(slots), motion);
    const call = new RenewedCall(state, () =>
      prepareCellParticles(state.get(gridKey), functor as typeof reflectAtPlane, contextOf(state), {
        params: params as never,
        ...groupOptions(state, slots.group),
      }),
    );
    return { call, motion };
  },
  calls({ own: { call, motion } }) {
    const moving = motion ? motion.calls : [];
    return moving && [...moving, call.current];
  },
  execute({ own: { call, motion } }) {
    motion?.set();
    call.current.run();
  },
  dispose({ own: { call, motion } }) {
    call.close();
    motion?.close();
  },
});
