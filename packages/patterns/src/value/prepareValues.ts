import { CorpuscleError } from '@corpuscle/core';
import type { ParamSchema, ParamValues, ValueFunctor, ValueNames } from '@corpuscle/functor';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import { engineFor } from '../pattern/engineFor.js';
import { BoundCall, type PreparedCall } from '../pattern/PreparedCall.js';
import { atCaller } from '../plan/atCaller.js';
import type { Plan, ValueCall } from '../plan/calls.js';
import { checkCall } from '../plan/checkCall.js';
import { preparedParameters } from '../plan/checkParameters.js';
import { type CallParams, ValueReference } from './ContextValue.js';

/** What a value functor works on. */
export interface ValueOptions<V, P> {
  /** One number for every value of the functor. */
  readonly values: { readonly [N in keyof V]: ValueReference };
  /** One value for every parameter of the functor. */
  readonly params?: CallParams<P>;
}

/**
 * Prepares a computation with values of a context, on one lane of where they live.
 * @throws CorpuscleError MISSING_VALUE, WRONG_TYPE for values; see also checkParameters.
 * @example
 * const control = prepareValues(rescale, ctx, {
 *   values: { twiceKinetic: sums.of('twiceKinetic'), scale: sums.of('scale') },
 *   params: { target: 3 * n * temperature },
 * });
 * control.run();
 */
export function prepareValues<V extends ValueNames, P extends ParamSchema>(
  functor: ValueFunctor<V, P>,
  ctx: ExecutionContext,
  options: ValueOptions<V, P>,
): PreparedCall<ParamValues<P>> {
  return atCaller(prepareValues, () => {
    checkCall({ functor, ctx, options }, 'prepareValues');
    const places = Object.keys(functor.values).map((name): ValueReference => {
      const given: unknown = options.values?.[name];
      if (given instanceof ValueReference) return given;
      throw new CorpuscleError(
        given === undefined ? 'MISSING_VALUE' : 'WRONG_TYPE',
        `value '${name}' of functor '${functor.name}' must be one of a context: give ctx.value({ … }).of('${name}')`,
      );
    });
    const parameters = preparedParameters(functor.cell, options.params);
    const plan: Plan<ValueCall> = { functor: parameters.functor, places };
    const { backend } = ctx;
    const reason = 'values live where the context runs its functors';
    return new BoundCall({
      ctx,
      name: functor.name,
      decision: { backend, form: 'particle', reason },
      call: engineFor(ctx, backend).prepareValues(plan),
      used: [],
      values: places.map(({ value }) => value),
      options: {},
      ...parameters,
    }) as PreparedCall<object> as PreparedCall<ParamValues<P>>;
  });
}
