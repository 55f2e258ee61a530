/** Whether the same buffers stand in two lists of a kernel's bindings. */
export function areSame(some: readonly GPUBuffer[], others: readonly GPUBuffer[]): boolean {
  for (let k = 0; k < others.length; k++) if (some[k] !== others[k]) return false;
  return true;
}
