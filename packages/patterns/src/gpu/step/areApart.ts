/** Whether no name is in both. */
export function areApart(names: Iterable<string>, others: ReadonlySet<string>): boolean {
  for (const name of names) if (others.has(name)) return false;
  return true;
}
