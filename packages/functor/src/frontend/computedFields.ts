import type { SourceLocation } from '../error/CorpuscleError.js';
import type { FunctorFunction } from '../Functor.js';
import { withFunctionText } from '../functionText.js';
import { parseFunction } from './parseFunction.js';

/** A field that is computed from others wherever it is read. */
export interface ComputedField {
  /** Fields it is computed from, in the order of the helper's parameters. */
  readonly fields: readonly string[];
  /** The same computation as a function of numbers. */
  readonly helper: FunctorFunction;
}

/** Name of the helper that computes a field; no user's helper is called so. */
export const computedHelper = (field: string): string => `computed_${field}`;

/**
 * Makes helpers of computed fields: `({ vx, vy }) => vx * vx + vy * vy` becomes `(vx, vy) => vx * vx + vy * vy`.
 * @throws CorpuscleError FUNCTOR_UNSUPPORTED when the parameter is not taken apart.
 */
export function computedFields(
  given: Readonly<Record<string, FunctorFunction>> | undefined,
  functor: string,
  site: SourceLocation,
): Readonly<Record<string, ComputedField>> {
  const made: Record<string, ComputedField> = {};
  for (const [name, fn] of Object.entries(given ?? {})) {
    const { node, source } = parseFunction(
      fn,
      `computed field '${name}' of functor '${functor}'`,
      site,
    );
    const [pattern] = node.params;
    const fail = (at: { start: number; end: number }): never =>
      source.fail(
        'FUNCTOR_UNSUPPORTED',
        at,
        'a computed field must take its particle apart',
        'write ({ vx, vy }) => …, with the names of the fields',
      );
    if (node.params.length !== 1 || pattern?.type !== 'ObjectPattern') fail(pattern ?? node);
    const fields: string[] = [];
    const names: string[] = [];
    for (const property of pattern?.type === 'ObjectPattern' ? pattern.properties : []) {
      if (property.type !== 'Property' || property.key.type !== 'Identifier') return fail(property);
      if (property.value.type !== 'Identifier') return fail(property);
      fields.push(property.key.name);
      names.push(property.value.name);
    }
    const body = source.quote(node.body);
    const text = `(${names.join(', ')}) => ${node.body.type === 'ObjectExpression' ? `(${body})` : body}`;
    const call = fn as unknown as (particle: object) => number;
    const helper = (...values: number[]): number =>
      call(Object.fromEntries(fields.map((field, k) => [field, values[k]])));
    made[name] = { fields, helper: withFunctionText(helper as FunctorFunction, text) };
  }
  return made;
}
