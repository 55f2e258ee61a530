/**
 * Freezes parameters, and their tables, that a term has made for itself: pattern calls then know by the object that they are the
 * same, and need not look at the numbers. Typed arrays cannot be frozen, and stay as they are.
 */
export function frozen<P extends object>(params: P): Readonly<P> {
  for (const value of Object.values(params)) if (Array.isArray(value)) Object.freeze(value);
  return Object.freeze(params);
}
