import { CorpuscleError } from '@corpuscle/core';
import type { Functor, ParamSchema } from '@corpuscle/functor';
import { fromValues } from '@corpuscle/functor/ir';
import { ValueReference } from '../value/ContextValue.js';
import type { ParameterValues } from './calls.js';
import { keptValues } from './parameterValues.js';

const none: ParameterValues = Object.freeze({});

/**
 * Checks the parameters of a call against what the functor declares.
 * @throws CorpuscleError MISSING_VALUE, UNKNOWN_KEY, WRONG_TYPE or INVALID_VALUE, naming functor and parameter.
 */
export function checkParameters(functor: Functor, given: object | undefined): ParameterValues {
  const values = (given ?? none) as ParameterValues;
  const schema: ParamSchema = functor.spec.params ?? {};
  for (const name in schema) checkOne(functor.name, name, schema[name]!, values[name]);
  for (const name in values) {
    if (name in schema) continue;
    const has = Object.keys(schema).join(', ') || 'none';
    throw new CorpuscleError(
      'UNKNOWN_KEY',
      `functor '${functor.name}' has no parameter '${name}' (it has: ${has})`,
    );
  }
  return values;
}

/** Parameters that come from values of the context, by name. */
export type ValueReferences = Readonly<Record<string, ValueReference>>;

/** Parameters of a prepared call. */
export interface PreparedParameters<F extends Functor = Functor> {
  /** The functor, which knows the parameters that come from values. */
  readonly functor: F;
  readonly references: ValueReferences;
  /** All values, checked; null where some are still missing. Those of references are 0. */
  readonly params: ParameterValues | null;
  /** The same for values that a run gives besides. @throws see checkParameters. */
  complete(given: object | undefined): ParameterValues;
}

/**
 * Checks what is given when a call is prepared; a call without parameters yet gets them when it is run.
 * @throws see checkParameters; WRONG_TYPE for a value as a table or an integer.
 */
export function preparedParameters<F extends Functor>(
  functor: F,
  given: object | undefined,
): PreparedParameters<F> {
  const needs = Object.keys(functor.spec.params ?? {}).length > 0;
  const { references, rest } = splitReferences(functor, given);
  const params = given === undefined && needs ? null : keptValues(checkParameters(functor, rest));
  return {
    functor: fromValues(functor, Object.keys(references)),
    references,
    params,
    complete: (more) =>
      checkParameters(functor, params ? { ...params, ...record(more) } : record(more)),
  };
}

/** @throws CorpuscleError WRONG_TYPE */
function record(given: unknown): object | undefined {
  if (given === undefined || (typeof given === 'object' && given !== null)) return given;
  throw new CorpuscleError(
    'WRONG_TYPE',
    `the parameters of a run are ${given}: give an object, with values by name`,
  );
}

function splitReferences(
  functor: Functor,
  given: object | undefined,
): { readonly references: ValueReferences; readonly rest: object | undefined } {
  const references: Record<string, ValueReference> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    rest[name] = value instanceof ValueReference ? 0 : value;
    if (!(value instanceof ValueReference)) continue;
    const type = functor.spec.params?.[name];
    if (type !== undefined && type !== 'real')
      throw new CorpuscleError(
        'WRONG_TYPE',
        `parameter '${name}' of functor '${functor.name}' is ${type}, and values of a context are real: declare it real`,
      );
    references[name] = value;
  }
  return { references, rest: given && rest };
}

/** The same with values that the call itself adds. */
export const withAdded = <F extends Functor>(
  { params, complete, ...rest }: PreparedParameters<F>,
  added: ParameterValues,
): PreparedParameters<F> => ({
  ...rest,
  params: params && { ...params, ...added },
  complete: (given) => ({ ...complete(given), ...added }),
});

function checkOne(
  functor: string,
  name: string,
  type: string,
  value: ParameterValues[string] | undefined,
): void {
  if (value === undefined) {
    throw new CorpuscleError(
      'MISSING_VALUE',
      `parameter '${name}' of functor '${functor}' is missing: give it in params`,
    );
  }
  const isTable = type.endsWith('[]');
  if (typeof value !== (isTable ? 'object' : 'number')) {
    const wanted = isTable ? 'an array of numbers' : 'a number';
    throw new CorpuscleError(
      'WRONG_TYPE',
      `parameter '${name}' of functor '${functor}' must be ${wanted}`,
    );
  }
  if (typeof value === 'object') {
    if (value.length > 0) return;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `table '${name}' of functor '${functor}' is empty: give at least one number`,
    );
  }
  if (Number.isNaN(value)) {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `parameter '${name}' of functor '${functor}' is NaN: give a number`,
    );
  }
  if (type === 'real' || value === (type === 'i32' ? value | 0 : value >>> 0)) return;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `parameter '${name}' of functor '${functor}' is ${value}, but its type is ${type}`,
  );
}
