import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export type Section = 'CPU' | 'GPU';

const file = new URL('../RESULTS.md', import.meta.url);
const head = '# Results\n\nWritten by the benches with `--write`; newest last in each section.\n';

/** Adds Markdown at the end of a section of bench/RESULTS.md, which is made when it does not exist. */
export function appendResults(section: Section, markdown: string): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : head;
  writeFileSync(file, insertIntoSection(text, section, markdown));
}

/** The text with a part added at the end of section `## <name>`, or with a new section at the end. */
export function insertIntoSection(text: string, section: string, part: string): string {
  const parts = text.trimEnd().split(/\n(?=## )/);
  const index = parts.findIndex((one) => one.split('\n', 1)[0] === `## ${section}`);
  if (index < 0) parts.push(`## ${section}\n\n${part}`);
  else parts[index] = `${parts[index]!.trimEnd()}\n\n${part}`;
  return `${parts.map((one) => one.trim()).join('\n\n')}\n`;
}
