/**
 * Freezes what is said again in every step, with all that it holds: pattern calls know by the object itself that it says the
 * same, and look at nothing in it. Give it what you have made yourself. Typed arrays cannot be frozen, and stay as they are.
 */
export function frozen<T>(said: T): T {
  if (typeof said !== 'object' || said === null || ArrayBuffer.isView(said)) return said;
  for (const value of Object.values(said)) frozen(value);
  return Object.freeze(said);
}
