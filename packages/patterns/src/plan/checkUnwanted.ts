import { CorpuscleError } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { fieldUse, withOutputs } from '@corpuscle/functor/passes';
import type { OutputTarget } from './calls.js';

/** Combinations found good: calls of the same kind are often prepared again. */
const passed = new WeakMap<Functor, Set<string>>();

/**
 * An output sent to 'none' is not computed; that is impossible when another output is computed from its running value.
 *
 * @throws CorpuscleError INVALID_VALUE naming the output.
 */
export function checkUnwanted(
  functor: Functor,
  outputs: Readonly<Record<string, OutputTarget>>,
): void {
  const unwanted = Object.keys(outputs).filter((name) => outputs[name] === 'none');
  if (unwanted.length === 0 || !functor.ir) return;
  const key = unwanted.join();
  const known = passed.get(functor) ?? new Set();
  if (known.has(key)) return;
  const kept = new Set(Object.keys(outputs).filter((name) => outputs[name] !== 'none'));
  const written = fieldUse(withOutputs(functor.ir, kept)).writes.get('i');
  const needed = unwanted.find((name) => written?.has(name));
  if (needed !== undefined) {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `output '${needed}' of functor '${functor.name}' goes to 'none', but other outputs are computed from it: send it to particles`,
    );
  }
  passed.set(functor, known.add(key));
}
