import { existsSync } from 'node:fs';
import type { SlotSpec } from '@corpuscle/core';
import { exitCode } from '../exitCodes.js';
import {
  type Described,
  describeOperator,
  describeReference,
  firstSentence,
} from '../output/describeOperator.js';
import type { Streams } from '../Streams.js';
import { DEFAULT_INPUT } from './inputFiles.js';
import { loadOperators, type OperatorModule } from './loadOperators.js';
import { searchOperators } from './searchOperators.js';

/** Options of `operators`, as commander gives them. */
export interface OperatorsOptions {
  readonly import: readonly string[];
  /** A simulation that names plugins. */
  readonly input?: string;
  readonly yes: boolean;
  readonly json: boolean;
}

/** `corpuscle operators [NAME]`: all operators and batches in a line each, one in full, or those that speak of a word. */
export async function operators(
  name: string | undefined,
  { import: imports, input, yes, json }: OperatorsOptions,
  streams: Streams,
): Promise<number> {
  const { CorpuscleError, nearestName, suggesting } = await import('@corpuscle/core');
  const { exampleFile, withReferences } = await import('@corpuscle/operators');
  const plugins = await pluginsFor(input, yes, streams);
  const registry = await withReferences(await loadOperators(imports, plugins));
  const all: readonly Described[] = [...registry.operators, ...registry.composites].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const referenceOf = (one: string) => registry.reference(one);
  const whole = all.filter((one) => registry.partOf(one.name) === undefined);
  const batches = batchesOf(registry.defaults.map(({ text }) => text.trim()).join('\n\n'));
  if (json) {
    const named = all.filter((operator) => name === undefined || operator.name === name);
    const { near, far } = searchOperators(named.length > 0 ? '' : name!, whole, referenceOf);
    const asked = [...named, ...near, ...far];
    const described = asked.map((operator) => ({
      name: operator.name,
      doc: operator.doc,
      slots: Object.fromEntries(
        Object.entries(operator.slots).map(([slot, spec]) => [slot, plain(spec)]),
      ),
      ...registry.reference(operator.name),
    }));
    if (described.length > 0) {
      streams.out(`${JSON.stringify(described, null, 1)}\n`);
      return exitCode.done;
    }
  }
  if (name === undefined) {
    const width = Math.max(...all.map((operator) => operator.name.length));
    const parts = all.filter(({ name: part }) => registry.partOf(part) !== undefined);
    streams.out(
      linesOf(
        all.filter((one) => !parts.includes(one)),
        width,
      ),
    );
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
    const { near, far } = searchOperators(name, whole, referenceOf);
    const nearest = nearestName(name, [
      ...all.map((known) => known.name),
      ...registry.hooks.map((known) => known.name),
      ...batches.keys(),
    ]);
    const meant = all.filter((known) => known.name === nearest && near.length === 0);
    const found = [...new Set([...meant, ...near, ...far])];
    if (near.length + far.length > 0) {
      streams.out(`No operator has the name '${name}'. These speak of it:\n`);
      streams.out(linesOf(found));
      return exitCode.done;
    }
    throw new CorpuscleError(
      'UNKNOWN_OPERATOR',
      `there is no operator '${name}'${nearest ? `; ${suggesting(nearest)}` : ': corpuscle operators lists them'}`,
    );
  }
  streams.out(describeOperator(operator));
  const reference = registry.reference(operator.name);
  if (reference) streams.out(describeReference(reference, exampleFile(reference)));
  return exitCode.done;
}

/** Each with its first sentence. */
const linesOf = (
  operators: readonly Described[],
  width = Math.max(...operators.map(({ name }) => name.length)),
): string =>
  operators.map(({ name, doc }) => `${name.padEnd(width)}  ${firstSentence(doc)}\n`).join('');

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

/** What a slot says in plain values: type, whether it must be given, default, bounds, names to choose from. */
function plain(spec: SlotSpec): object {
  const isPlain = (value: unknown): boolean =>
    Array.isArray(value)
      ? value.every(isPlain)
      : typeof value !== 'object' && typeof value !== 'function';
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => isPlain(value)));
}
