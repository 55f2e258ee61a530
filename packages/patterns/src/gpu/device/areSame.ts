/** Whether the same things stand in two lists, such as buffers in a kernel's bindings, or words. */
export function areSame<T>(some: ArrayLike<T>, others: ArrayLike<T>): boolean {
  if (some.length !== others.length) return false;
  for (let k = 0; k < others.length; k++) if (some[k] !== others[k]) return false;
  return true;
}
