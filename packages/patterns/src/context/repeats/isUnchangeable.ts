/**
 * Whether what is given can never be anything else: nothing, or a frozen record of plain values and frozen arrays of them.
 * Typed arrays are not, for nobody can freeze them.
 */
export function isUnchangeable(given: object | undefined): boolean {
  if (given === undefined) return true;
  return isFrozenRecord(given) && Object.values(given).every(isFixed);
}

function isFixed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  return Array.isArray(value) && isFrozen(value) && value.every((one) => typeof one === 'number');
}

/** Names that are inherited may come and go. */
const isFrozenRecord = (given: object): boolean =>
  Object.getPrototypeOf(given) === Object.prototype && isFrozen(given);

/** Getters give what they like. */
const isFrozen = (given: object): boolean =>
  Object.isFrozen(given) &&
  Object.values(Object.getOwnPropertyDescriptors(given)).every((one) => 'value' in one);
