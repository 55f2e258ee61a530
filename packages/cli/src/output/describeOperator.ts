import {
  describeDimension,
  type Literature,
  type OperatorDefinition,
  type OperatorReference,
  type SlotSpec,
  type ValueSpec,
} from '@corpuscle/core';

/** Up to the first full stop or semicolon that is not in parentheses. */
export function firstSentence(text: string): string {
  const sentence = /^(?:\((?:[^()]|\([^()]*\))*\)|[.;](?=\S)|[^.;(])*/.exec(text)?.[0];
  return `${sentence || text}.`;
}

/** An operator, or a name that stands for several. */
export type Described = Pick<OperatorDefinition, 'name' | 'aliases' | 'doc' | 'slots'>;

/** A slot, an entry of one, or a variant. */
export interface DescribedSlot {
  readonly name: string;
  /** Type, and what is to be known of its value. */
  readonly type: string;
  readonly doc: string;
  /** Entries of a map, or of a list of maps. */
  readonly entries: readonly DescribedSlot[];
  /** Entries by the value of a key, a text each. */
  readonly variants: readonly string[];
}

/** The slots of an operator in words. */
export const describedSlots = ({ slots }: Described): DescribedSlot[] =>
  Object.entries(slots).map(([name, slot]) => ({
    ...described(name, slot),
    entries: entriesOf(slot).map(([entry, spec]) => described(entry, spec)),
  }));

/** Without its entries, which may contain themselves. */
function described(name: string, slot: SlotSpec): DescribedSlot {
  const type = `${typeOf(slot)}${remarks(slot)}`;
  return { name, type, doc: slot.doc ?? '', entries: [], variants: variantsOf(slot) };
}

/** An operator in full, as text. */
export function describeOperator(operator: Described): string {
  const slots = describedSlots(operator);
  let text = `${operator.name}\n  ${operator.doc}\n`;
  if (operator.aliases?.length) text += `  Older names: ${operator.aliases.join(', ')}\n`;
  if (slots.length > 0) text += '\n';
  for (const { name, type, doc, entries, variants } of slots) {
    text += `  ${name}: ${type}\n      ${doc}\n`;
    for (const entry of entries) text += `      ${entry.name}: ${entry.type} — ${entry.doc}\n`;
    for (const variant of variants) text += `      ${variant}\n`;
  }
  return text;
}

/** Theory, literature and example of an operator, as text. @param example the whole file */
export function describeReference(
  { theory, literature = [] }: OperatorReference,
  example: string,
): string {
  const parts: string[] = [];
  if (theory !== undefined) parts.push(indented(theory.replace(/^```(?:math)?\n/gm, '')));
  parts.push(`  Example:\n\n${indented(indented(example))}`);
  if (literature.length > 0)
    parts.push(`  Literature:\n${indented(literature.map(citationOf).join('\n'))}`);
  return parts.map((part) => `\n${part.trimEnd()}\n`).join('');
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

/** A paper in a line: authors, journal, page, year, DOI. */
export function citationOf({ authors, source, page, year, doi }: Literature): string {
  const place = page === undefined ? source : `${source}, ${page}`;
  return `${authors}, ${place} (${year})${doi === undefined ? '' : `, https://doi.org/${doi}`}`;
}

function remarks(slot: SlotSpec): string {
  const parts: string[] = [];
  if (slot.direction && slot.direction !== 'input') parts.push(slot.direction);
  if (slot.default !== undefined) parts.push(`default ${JSON.stringify(slot.default)}`);
  else if (slot.required) parts.push('required');
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

function entriesOf(spec: ValueSpec): [string, SlotSpec][] {
  if (spec.type === 'list') return entriesOf(spec.of);
  if (spec.type === 'any_of' && spec.label) return spec.options.flatMap(entriesOf);
  return spec.type === 'map' ? Object.entries(spec.entries) : [];
}

/** What entries there are for each value of a variant's key, optional ones with a question mark. */
function variantsOf(spec: ValueSpec): string[] {
  if (spec.type === 'list') return variantsOf(spec.of);
  if (spec.type !== 'variant') return [];
  return Object.entries(spec.variants).map(([value, entries]) => {
    const names = Object.entries(entries).map(([entry, { required }]) =>
      required ? entry : `${entry}?`,
    );
    return `${spec.key}: ${value}, ${names.join(', ')}`;
  });
}

function typeOf(spec: ValueSpec): string {
  switch (spec.type) {
    case 'quantity':
      return `quantity (${describeDimension(spec.dimension)})`;
    case 'enum':
      return spec.values.join(' | ');
    case 'list':
      return `list of ${spec.length ?? ''} ${typeOf(spec.of)}`.replace('  ', ' ');
    case 'record':
      return `map of ${typeOf(spec.of)}`;
    case 'variant':
      return `map with ${spec.key}`;
    case 'any_of':
      return spec.label ?? spec.options.map(typeOf).join(' or ');
    case 'file':
      return spec.mode === 'write' ? 'file to write' : 'file';
    case 'particle_type':
      return 'particle type';
    case 'batch':
      return 'list of operators';
    default:
      return spec.type;
  }
}
