import { defineOperator } from '@corpuscle/core';
import { prepareCellParticles } from '@corpuscle/patterns';
import { reflectAtPlane } from '../../external/walls/reflect.js';
import { RenewedCall } from '../../run/RenewedCall.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { renewWithBox } from '../newBox.js';
import { checkFaces, type FaceName, faceOf, facesSlot, planeOf } from './faces.js';

/** `mirror`: faces of the box that reflect. */
export const mirrorOperator = defineOperator({
  name: 'mirror',
  doc: 'Faces of the box that mirror: a particle beyond one is put back as far as it is beyond, and its velocity is mirrored. Put it into after_drift. Faces follow a box that changes.',
  slots: {
    faces: {
      ...facesSlot,
      doc: 'faces that mirror, lower and upper ones along the three lattice vectors; the box must not be periodic there',
    },
  },
  requires: [gridKey],
  checkBox: ({ faces = [] }, domain) => checkFaces('mirror', faces as readonly FaceName[], domain),
  changesVelocities: true,
  functors: [reflectAtPlane],
  prepare({ slots, state }) {
    const names = slots.faces as readonly FaceName[];
    checkFaces('mirror', names, state.get(gridKey).domain);
    renewWithBox(state);
    return names.map(
      (name) =>
        new RenewedCall(state, () => {
          const grid = state.get(gridKey);
          return prepareCellParticles(grid, reflectAtPlane, contextOf(state), {
            params: { ...planeOf(grid.domain, faceOf(name)), ux: 0, uy: 0, uz: 0 },
          });
        }),
    );
  },
  calls: ({ own }) => own.map((call) => call.current),
  execute({ own }) {
    for (const call of own) call.current.run();
  },
  dispose({ own }) {
    for (const call of own) call.close();
  },
});
