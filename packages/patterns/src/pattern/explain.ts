import type { Functor } from '@corpuscle/functor';
import { isStructured } from '@corpuscle/functor/ir';
import { sumOutputs } from '@corpuscle/functor/passes';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import { atCaller } from '../plan/atCaller.js';
import { checkCall } from '../plan/checkCall.js';
import {
  chooseBackend,
  type Decision,
  type DispatchOptions,
  type FunctorFacts,
} from '../plan/chooseBackend.js';

const known = new WeakMap<Functor, FunctorFacts>();

function factsOf(functor: Functor): FunctorFacts {
  let facts = known.get(functor);
  if (!facts) {
    const { name, kind, traits, ir } = functor;
    const sums =
      ir !== null && kind === 'pair' && [...sumOutputs(ir).values()].every((use) => use === 'sum');
    facts = {
      name,
      kind,
      traits,
      compiled: ir !== null,
      sums,
      ir,
      structured: kind === 'reduce' && isStructured(functor),
    };
    known.set(functor, facts);
  }
  return facts;
}

/**
 * Says where a pattern would run a functor, in which form, and why: the very decision the pattern takes.
 * @throws CorpuscleError when the call itself would: NO_ADAPTER, BACKEND_UNAVAILABLE, INVALID_VALUE (form).
 * @example
 * explain(lennardJones, ctx, { form: 'buffered' });
 * // { backend: 'cpu', form: 'buffered', reason: 'backend cpu was asked for; form buffered was asked for' }
 */
export function explain(
  functor: Functor,
  ctx: ExecutionContext,
  options: DispatchOptions = {},
): Decision {
  return atCaller(explain, () => {
    checkCall({ functor, ctx, options });
    return decisionFor(functor, ctx, options);
  });
}

/** The same for a call whose arguments have been checked. */
export function decisionFor(
  functor: Functor,
  ctx: ExecutionContext,
  options: DispatchOptions,
): Decision {
  const backend = options.backend ?? ctx.operatorBackend ?? 'auto';
  const decision = chooseBackend(factsOf(functor), { ...options, backend }, ctx);
  if (!ctx.isBranch) return decision;
  return { ...decision, reason: `${decision.reason}; in the lane of its branch` };
}
