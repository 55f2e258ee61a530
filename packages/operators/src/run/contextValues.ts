import type { ContextValue, ValueReference } from '@corpuscle/patterns';

/** Numbers of these names, all 0: what a value of the context begins with. */
export const zeros = <N extends string>(names: Readonly<Record<N, unknown>>): Record<N, number> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, 0])) as Record<N, number>;

/** Numbers of a value of the context by their names, by default all. */
export const referencesOf = <N extends string>(
  value: ContextValue<N>,
  names: readonly N[] = value.names,
): Record<N, ValueReference> =>
  Object.fromEntries(names.map((name) => [name, value.of(name)])) as Record<N, ValueReference>;
