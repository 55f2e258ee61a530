import { existsSync } from 'node:fs';
import {
  describeDimension,
  type OperatorDefinition,
  type SlotSpec,
  type ValueSpec,
} from '@corpuscle/core';
import { exitCode } from '../exitCodes.js';
import type { Streams } from '../Streams.js';
import { DEFAULT_INPUT } from './inputFiles.js';
import { loadOperators, type OperatorModule } from './loadOperators.js';

/** Options of `operators`, as commander gives them. */
export interface OperatorsOptions {
  readonly import: readonly string[];
  /** A simulation that names plugins. */
  readonly input?: string;
  readonly yes: boolean;
  readonly json: boolean;
}

/** `corpuscle operators [NAME]`: all operators and batches in a line each, or one in full. */
export async function operators(
  name: string | undefined,
  { import: imports, input, yes, json }: OperatorsOptions,
  streams: Streams,
): Promise<number> {
  const { CorpuscleError, nearestName } = await import('@corpuscle/core');
  const registry = await loadOperators(imports, await pluginsFor(input, yes, streams));
  const all: readonly Described[] = [...registry.operators, ...registry.composites].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const batches = batchesOf(registry.defaults.map(({ text }) => text.trim()).join('\n\n'));
  if (json) {
    const asked = all.filter((operator) => name === undefined || operator.name === name);
    const described = asked.map((operator) => ({
      name: operator.name,
      doc: operator.doc,
      slots: Object.fromEntries(
        Object.entries(operator.slots).map(([slot, spec]) => [slot, plain(spec)]),
      ),
    }));
    if (described.length > 0) {
      streams.out(`${JSON.stringify(described, null, 1)}\n`);
      return exitCode.done;
    }
  }
  if (name === undefined) {
    const width = Math.max(...all.map((operator) => operator.name.length));
    const parts = all.filter(({ name: part }) => registry.partOf(part) !== undefined);
    for (const operator of all)
      if (!parts.includes(operator))
        streams.out(`${operator.name.padEnd(width)}  ${firstSentence(operator.doc)}\n`);
    for (const hook of registry.hooks)
      streams.out(`${hook.name.padEnd(width)}  (a batch of yours) ${hook.doc}\n`);
    for (const batch of batches.keys())
      streams.out(`${batch.padEnd(width)}  (a batch) 'corpuscle operators ${batch}' shows it\n`);
    streams.out(`\nParts of those above: ${parts.map((part) => part.name).join(', ')}\n`);
    return exitCode.done;
  }
  const batch = batches.get(name);
  if (batch !== undefined) {
    streams.out(`${batch}\n`);
    return exitCode.done;
  }
  const hook = registry.hook(name);
  if (hook) {
    streams.out(`${name}\n  A batch that a file defines: ${hook.doc}.\n`);
    return exitCode.done;
  }
  const operator = registry.operator(name) ?? registry.composite(name);
  if (!operator) {
    const nearest = nearestName(name, [
      ...all.map((known) => known.name),
      ...registry.hooks.map((known) => known.name),
      ...batches.keys(),
    ]);
    throw new CorpuscleError(
      'UNKNOWN_OPERATOR',
      `there is no operator '${name}'${nearest ? `; did you mean '${nearest}'?` : ': corpuscle operators lists them'}`,
    );
  }
  streams.out(describe(operator));
  return exitCode.done;
}

/** Plugins of the simulation that is named; those of the one with the default name only where they are allowed. */
async function pluginsFor(
  input: string | undefined,
  yes: boolean,
  streams: Streams,
): Promise<readonly OperatorModule[]> {
  const { allowedPlugins } = await import('./plugins.js');
  if (input !== undefined) return allowedPlugins([input], { set: [], yes }, streams);
  if (!existsSync(DEFAULT_INPUT)) return [];
  try {
    return await allowedPlugins([DEFAULT_INPUT], { set: [], yes }, streams);
  } catch (error) {
    streams.err(`without the plugins of ${DEFAULT_INPUT}: ${(error as Error).message}\n`);
    return [];
  }
}

/** The batches of a document, each as it is written there. */
function batchesOf(document: string): Map<string, string> {
  const parts = document.trim().split(/\n+(?=\S)/);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf(':')), part]));
}

/** Up to the first full stop or semicolon that is not in parentheses. */
function firstSentence(text: string): string {
  const sentence = /^(?:\((?:[^()]|\([^()]*\))*\)|[.;](?=\S)|[^.;(])*/.exec(text)?.[0];
  return `${sentence || text}.`;
}

/** An operator, or a name that stands for several. */
type Described = Pick<OperatorDefinition, 'name' | 'aliases' | 'doc' | 'slots'>;

function describe(operator: Described): string {
  const slots = Object.entries(operator.slots);
  let text = `${operator.name}\n  ${operator.doc}\n`;
  if (operator.aliases?.length) text += `  Older names: ${operator.aliases.join(', ')}\n`;
  if (slots.length > 0) text += '\n';
  for (const [name, slot] of slots) {
    text += `  ${name}: ${typeOf(slot)}${remarks(slot)}\n      ${slot.doc}\n`;
    for (const [entry, spec] of entriesOf(slot))
      text += `      ${entry}: ${typeOf(spec)}${remarks(spec)} — ${spec.doc}\n`;
    text += variantsOf(slot);
  }
  return text;
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

/** What entries there are for each value of a variant's key, a line each; optional ones with a question mark. */
function variantsOf(spec: ValueSpec): string {
  if (spec.type === 'list') return variantsOf(spec.of);
  if (spec.type !== 'variant') return '';
  return Object.entries(spec.variants)
    .map(([value, entries]) => {
      const names = Object.entries(entries).map(([entry, { required }]) =>
        required ? entry : `${entry}?`,
      );
      return `      ${spec.key}: ${value}, ${names.join(', ')}\n`;
    })
    .join('');
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

/** What a slot says in plain values: type, whether it must be given, default, bounds, names to choose from. */
function plain(spec: SlotSpec): object {
  const isPlain = (value: unknown): boolean =>
    Array.isArray(value)
      ? value.every(isPlain)
      : typeof value !== 'object' && typeof value !== 'function';
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => isPlain(value)));
}
