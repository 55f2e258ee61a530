/**
 * Whether what is given can never say anything else: a plain value, or a frozen record or array of such values. Typed arrays
 * are not, for nobody can freeze them.
 */
export function isUnchangeable(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return typeof given !== 'function';
  if (!Object.isFrozen(given)) return false;
  // Names that are inherited may come and go, and getters give what they like.
  if (!Array.isArray(given) && Object.getPrototypeOf(given) !== Object.prototype) return false;
  const own = Object.values(Object.getOwnPropertyDescriptors(given));
  return own.every((one) => 'value' in one && isUnchangeable(one.value));
}
