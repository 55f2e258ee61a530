import { defineOperator } from '@corpuscle/core';
import { dropForces } from '../run/freshness.js';
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
    // A run that goes on executes forces once for each place in the file, and this wherever it is: what they have added stays until others come.
    if (state.isResuming && state.find(ledgerKey)) dropForces(state);
    else beginForces(state);
  },
});
