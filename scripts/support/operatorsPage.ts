import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { OperatorReference } from '@corpuscle/core';
import { createRegistry, exampleFile, withReferences } from '@corpuscle/operators';
import {
  citationOf,
  type Described,
  type DescribedSlot,
  describedSlots,
  firstSentence,
} from '../../packages/cli/src/output/describeOperator.js';
import { root } from './packPackages.js';

const HEAD = `# Operators

Each operator has a page: what it does, its slots with units and defaults, theory, an example that tests run, literature, and its source.
\`corpuscle operators NAME\` prints the same. A quantity is a number in the units of the file, or a text such as \`300 K\`.
[The operator graph](graph.md) tells how operators are put together. These pages are made by \`npx tsx scripts/operatorsPage.ts\`.
`;

/** Groups by the folders of sources, in the order of the page. */
const groups: readonly (readonly [string, readonly string[]])[] = [
  ['Potentials', ['potentials', 'bonds']],
  ['Forces from outside', ['external']],
  ['Integrators and thermostats', ['integrators', 'thermostats', 'minimizers']],
  ['Boxes and barostats', ['barostats', 'box']],
  ['Particles, regions, groups', ['system', 'sets']],
  ['Analyses', ['analyses']],
  ['Files', ['io']],
  ['Runs and control', ['run', 'control', 'forces']],
];

const registry = await withReferences(createRegistry());
const operators: readonly Described[] = [...registry.operators, ...registry.composites]
  .filter(({ name }) => registry.partOf(name) === undefined)
  .sort((a, b) => (a.name < b.name ? -1 : 1));

const sources = join(root, 'packages/operators/src');

/** A name with what it does, which names of functors lack; operators that read files are called as what they are kept in. */
const NAMED = /\bname: '(\w+)',\s+(?:aliases: .*\s+)?doc:|export const (read\w+)Operator\b/g;
const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The files of operators by the names that they say. */
const files = new Map(
  readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) =>
      [...readFileSync(join(sources, file), 'utf8').matchAll(NAMED)].map(
        ([, name, reader]) => [name ?? snake(reader!), file] as const,
      ),
    ),
);

/** The source of an operator, from the folder of the sources of all. */
function sourceOf(name: string): string {
  const file = files.get(name) ?? files.get(name.replace(/_force$/, ''));
  if (file === undefined) throw new Error(`no source says name: '${name}'`);
  return file;
}

/** All pages by their names below docs: that of the contents, and one for each operator. */
export function operatorPages(): ReadonlyMap<string, string> {
  const pages = new Map([['operators.md', contents()]]);
  for (const operator of operators) pages.set(`operators/${operator.name}.md`, pageOf(operator));
  return pages;
}

function contents(): string {
  const sections = groups.map(([title, folders]) => {
    const lines = operators
      .filter(({ name }) => folders.includes(sourceOf(name).split('/')[0]!))
      .map(
        ({ name, doc }) => `| [\`${name}\`](operators/${name}.md) | ${cell(firstSentence(doc))} |`,
      );
    return `\n## ${title}\n\n| operator | what it does |\n|---|---|\n${lines.join('\n')}\n`;
  });
  return `${HEAD}${sections.join('')}`;
}

function pageOf(operator: Described): string {
  const { name, doc, aliases = [] } = operator;
  const reference = registry.reference(name)!;
  const { theory, literature = [], after } = reference;
  const parts = [`# ${name}`, text(doc)];
  if (aliases.length > 0)
    parts.push(`Older names: ${aliases.map((one) => `\`${one}\``).join(', ')}.`);
  const rows = describedSlots(operator).flatMap((slot) => rowsOf(slot, ''));
  if (rows.length > 0)
    parts.push('## Slots', `| slot | value | |\n|---|---|---|\n${rows.join('\n')}`);
  if (theory !== undefined) parts.push('## Theory', theory);
  parts.push('## Example', `\`\`\`yaml\n${exampleFile(reference)}\`\`\``);
  parts.push(...filesOf(reference));
  if (after !== undefined)
    parts.push(`It reads what the example of [\`${after}\`](${after}.md) has written.`);
  if (literature.length > 0)
    parts.push('## Literature', literature.map((one) => `- ${citationOf(one)}`).join('\n'));
  const file = `packages/operators/src/${sourceOf(name)}`;
  parts.push('## Source', `[${file}](${relative('docs/operators', file)})`);
  return `${parts.join('\n\n')}\n`;
}

const filesOf = ({ files: given = {} }: OperatorReference): string[] =>
  Object.entries(given).map(([name, body]) => `\`${name}\`:\n\n\`\`\`\n${body}\`\`\``);

const rowsOf = ({ name, type, doc, entries, variants }: DescribedSlot, path: string): string[] => [
  `| \`${path}${name}\` | ${cell(type)} | ${cell([doc, ...variants].join('; '))} |`,
  ...entries.flatMap((entry) => rowsOf(entry, `${path}${name}.`)),
];

/** Words of a line of Markdown: what would be tags or marks is text. */
const text = (words: string): string => words.replace(/[<>*_]/g, (mark) => `\\${mark}`);

const cell = (words: string): string => text(words).replaceAll('|', '\\|').replaceAll('\n', ' ');
