/** Whether nothing is in both. */
export function areApart<T>(some: Iterable<T>, others: ReadonlySet<T>): boolean {
  for (const one of some) if (others.has(one)) return false;
  return true;
}
