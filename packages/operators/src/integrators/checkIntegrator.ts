import { CorpuscleError, didYouMean, type SlotSpecs } from '@corpuscle/core';
import { checkKeys } from '../checkKeys.js';
import type { IntegratorPhase, IntegratorSpec } from './IntegratorSpec.js';

/** All that a declaration may say. */
const keys: Readonly<Record<keyof IntegratorSpec<SlotSpecs>, true>> = {
  ...{ name: true, doc: true, slots: true, values: true, fields: true, begin: true, phases: true },
  ...{ every: true, bath: true, time: true, longestStep: true, countsHeat: true },
  ...{ keepsTemperature: true, changesMomentum: true, ranks: true, validate: true },
};

const marks = ['lists', 'forces', 'step'];

/**
 * Checks that a declaration has what each must have, which TypeScript has not always seen.
 * @throws CorpuscleError MISSING_VALUE, INVALID_VALUE
 */
export function checkIntegrator<S extends SlotSpecs>(spec: IntegratorSpec<S>): void {
  const { name, phases } = spec as Readonly<Record<'name' | 'phases', unknown>>;
  if (typeof name !== 'string')
    throw new CorpuscleError('MISSING_VALUE', 'an integrator has no name: give one in snake_case');
  checkKeys(`the integrator '${name}'`, spec, Object.keys(keys));
  if (!Array.isArray(phases))
    throw invalid(
      `the integrator '${name}' has no list of phases: give phases: [ … ], with 'forces' or 'step' in it`,
    );
  for (const [k, phase] of phases.entries()) checkPhase(`phase ${k + 1} of '${name}'`, phase);
}

function checkPhase(which: string, phase: unknown): void {
  if (typeof phase === 'string' && !marks.includes(phase))
    throw invalid(
      `${which} is '${phase}'${didYouMean(phase, marks, `give a phase, or one of ${marks.join(', ')}`)}`,
    );
  if (typeof phase === 'string') return;
  const { functor, params } = (phase ?? {}) as Partial<Record<keyof IntegratorPhase, unknown>>;
  if (typeof functor !== 'function' && !isPhaseFunctor(functor)) throw noFunctor(which);
  if (params !== undefined && typeof params !== 'function')
    throw invalid(
      `params of ${which} is no function: give one of the slots, as in params: ({ dt }) => ({ dt })`,
    );
}

/** Whether it is what a phase can call. */
export function isPhaseFunctor(value: unknown): boolean {
  const { kind, cell } = (value ?? {}) as { readonly kind?: unknown; readonly cell?: unknown };
  return kind === 'cell' || kind === 'reduce' || typeof cell === 'object';
}

/** What is said of a phase whose functor is none. */
export const noFunctor = (which: string): CorpuscleError =>
  invalid(
    `${which} has no functor: give what cellFunctor, reduceFunctor or valueFunctor makes, or a function that returns it`,
  );

const invalid = (message: string) => new CorpuscleError('INVALID_VALUE', message);
