import { defineOperator } from '@corpuscle/core';
import { gridKey, ledgerKey } from '../run/stateKeys.js';
import { beginForces } from './currentLedger.js';
import { zeroForces } from './zeroForces.js';

export const zeroForce = defineOperator({
  name: 'zero_force',
  doc: 'Clears forces and particle energies, before the force operators add theirs.',
  slots: {},
  requires: [gridKey],
  provides: [ledgerKey],
  functors: [zeroForces],
  calls: ({ state }) => state.find(ledgerKey)?.beginCalls ?? null,
  execute({ state }) {
    beginForces(state);
  },
});
