/** A Markdown table, padded so that it also reads well on a terminal. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, k) => Math.max(3, ...cells.map((row) => row[k]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, k) => (row[k] ?? '').padEnd(width)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(cells[0]!), rule, ...cells.slice(1).map(line)].join('\n');
}
