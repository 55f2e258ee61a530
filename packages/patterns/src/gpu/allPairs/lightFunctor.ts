import type { Functor } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import { parity, withOutputs } from '@corpuscle/functor/passes';
import type { PairCall, Plan } from '../../plan/calls.js';

/**
 * What is left of a functor without its totals that are the same seen from either particle of a pair. Where each pair is
 * met from both, those need be computed once only. Null where nothing is left, or nothing is left out.
 */
export function lightFunctor(
  ir: FunctorIR,
  { functor, outputs, allPairs }: Plan<PairCall>,
): FunctorIR | null {
  const isOneSet = allPairs!.central === allPairs!.neighbors && !allPairs!.starts;
  if (!isOneSet || !(functor as Functor<'pair'>).traits.newton3 || functor.spec.wgsl !== undefined)
    return null;
  const parities = parity(ir);
  const wanted = Object.keys(outputs).filter((name) => outputs[name] !== 'none');
  const kept = wanted.filter((name) => outputs[name] !== 'total' || parities.get(name) !== 'even');
  if (kept.length === 0 || kept.length === wanted.length) return null;
  return withOutputs(ir, new Set(kept));
}
