import { createRegistry } from '@corpuscle/operators';
import {
  type Described,
  type DescribedSlot,
  describedSlots,
  firstSentence,
} from '../../packages/cli/src/output/describeOperator.js';

const HEAD = `# Operators

This page is made by \`npx tsx scripts/operatorsPage.ts\` from what operators say of themselves. \`corpuscle operators NAME\` prints the same.
A slot is what an operator takes. A quantity is a number in the units of the file, or a text such as \`300 K\`. \`docs/graph.md\` tells how
operators are put together.

`;

/** The page of all operators: a table with a line each, then each with its slots. */
export function operatorsPage(): string {
  const registry = createRegistry();
  const all: Described[] = [...registry.operators, ...registry.composites]
    .filter(({ name }) => registry.partOf(name) === undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const lines = all.map(
    ({ name, doc }) => `| [\`${name}\`](#${name}) | ${cell(firstSentence(doc))} |`,
  );
  const table = ['| operator | what it does |', '|---|---|', ...lines].join('\n');
  return `${HEAD}${table}\n\n${all.map(sectionOf).join('\n')}`;
}

function sectionOf(operator: Described): string {
  const { name, doc, aliases = [] } = operator;
  const older =
    aliases.length > 0 ? `\nOlder names: ${aliases.map((one) => `\`${one}\``).join(', ')}.\n` : '';
  const rows = describedSlots(operator).flatMap((slot) => rowsOf(slot, ''));
  const table = rows.length > 0 ? `\n| slot | value | |\n|---|---|---|\n${rows.join('\n')}\n` : '';
  return `## ${name}\n\n${text(doc)}\n${older}${table}`;
}

const rowsOf = ({ name, type, doc, entries, variants }: DescribedSlot, path: string): string[] => [
  `| \`${path}${name}\` | ${cell(type)} | ${cell([doc, ...variants].join('; '))} |`,
  ...entries.flatMap((entry) => rowsOf(entry, `${path}${name}.`)),
];

/** Words of a line of Markdown: what would be tags or marks is text. */
const text = (words: string): string => words.replace(/[<>*_]/g, (mark) => `\\${mark}`);

const cell = (words: string): string => text(words).replaceAll('|', '\\|').replaceAll('\n', ' ');
