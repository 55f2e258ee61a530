/**
 * Aligned columns: the first to the left, the others to the right.
 *
 * @example
 * formatTable(['operator', 'calls'], [['thermo', '6']]) → 'operator  calls\nthermo        6\n'
 */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, k) => Math.max(name.length, ...rows.map((row) => row[k]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, k) => (k === 0 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!)))
      .join('  ')
      .trimEnd();
  return [head, ...rows].map((cells) => `${line(cells)}\n`).join('');
}
