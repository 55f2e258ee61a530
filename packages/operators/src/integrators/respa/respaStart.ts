import { CorpuscleError, defineOperator, stateKey } from '@corpuscle/core';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { freshnessOf } from '../../run/freshness.js';
import { gridKey, ledgerKey, planKey } from '../../run/stateKeys.js';
import { addLevels } from './levelFunctors.js';

/** The terms of `compute_force`, before the levels are computed one by one. */
const allTermsKey = stateKey<readonly ForceTerm[]>('terms of respa', 'put respa_begin first');

/**
 * Says whether the forces of the levels must be computed: a run has begun, or other particles are there. It is no phase of
 * `defineIntegrator`, since phases act on particles and values, and this decides whether a batch runs.
 */
export const respaBegin = defineOperator({
  name: 'respa_begin',
  doc: 'Gives particles fields for the forces of each level, and says whether these must be computed first.',
  slots: {
    levels: { type: 'integer', direction: 'private', min: 2, default: 2, doc: 'levels there are' },
    respa_starts: {
      type: 'boolean',
      direction: 'output',
      doc: 'whether a run has begun, or other particles are there',
    },
  },
  requires: [gridKey, planKey],
  provides: [allTermsKey],
  hostOnly: true,
  prepare({ slots, state }) {
    addLevels(state.get(gridKey), slots.levels);
    return { plan: null as unknown, frames: -1 };
  },
  execute({ state, own, set }) {
    const plan = state.get(planKey);
    const { frames } = freshnessOf(state);
    const starts = own.plan !== plan || own.frames !== frames;
    Object.assign(own, { plan, frames });
    if (starts) state.set(allTermsKey, state.find(ledgerKey)?.evaluation.terms ?? []);
    set('respa_starts', starts);
  },
  save: ({ state, own }) => ({ hasOthers: own.frames !== freshnessOf(state).frames }),
  restore({ state, own, set }, saved: { readonly hasOthers: boolean } | null) {
    // The forces of the levels are in the grid of the checkpoint. Where particles have come or gone they are computed again all the same.
    const frames = saved?.hasOthers ? -1 : freshnessOf(state).frames;
    Object.assign(own, { plan: state.find(planKey), frames });
    state.set(allTermsKey, []);
    set('respa_starts', false);
  },
});

/** Compares the terms of all levels with those of `compute_force`. It is no phase either: it looks at forces by name. */
export const respaCheck = defineOperator({
  name: 'respa_check',
  doc: 'Checks that every force of compute_force belongs to a level.',
  slots: {},
  requires: [ledgerKey, allTermsKey],
  execute({ state }) {
    const { terms } = state.get(ledgerKey).evaluation;
    const lost = state.get(allTermsKey).find((term) => !terms.includes(term));
    if (!lost) return;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `a force of compute_force, '${lost.name}', is in no level of respa: name batches that compute_force is made of, compute_force: [bonded, pairs] and levels: [{ forces: bonded, steps: 4 }, { forces: pairs }]`,
    );
  },
});
