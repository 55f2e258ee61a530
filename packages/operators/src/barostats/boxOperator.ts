import type { Need, SimulationState } from '@corpuscle/core';
import { hasTurn } from '../integrators/turns.js';
import type { BoxControl, SavedControl } from './BoxControl.js';

interface Own {
  // biome-ignore lint/suspicious/noExplicitAny: a barostat of any parameters
  readonly own: BoxControl<any>;
}

/** What operators of a barostat at the end of a step have in common; `prepare` makes it. */
export const boxOperator = {
  needs: ({ every }: { readonly every: number }, { step }: SimulationState): readonly Need[] =>
    hasTurn('after', step, every) ? ['virial_diagonal'] : [],
  calls: ({ own }: Own) => own.calls,
  variant: ({ own }: Own) => (own.acts ? 1 : 0),
  doesMore: ({ own }: Own) => own.looks,
  steadyUntil: ({ own }: Own) => own.steadyUntil,
  execute: ({ own }: Own) => own.act(),
  finish: ({ own }: Own) => own.finish(),
  save: ({ own }: Own): Promise<SavedControl> => own.save(),
  restore: ({ own }: Own, saved: SavedControl) => own.restore(saved),
  dispose: ({ own }: Own) => own.close(),
} as const;
