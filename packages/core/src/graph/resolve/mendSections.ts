import { suggesting } from '@corpuscle/functor/error';
import { nearestName } from '../../error/nearestName.js';
import type { Registry } from '../Registry.js';
import { errorAt, type MapEntry, type MapNode } from '../yaml/SourceNode.js';
import { SECTIONS } from './Definitions.js';
import { isMacro } from './Macros.js';
import type { Mistakes } from './Mistakes.js';

/**
 * The document with its misspelled sections under their right names, so that what they say is checked and what they give is not
 * missing. The names are noted.
 */
export function mendSections(document: MapNode, registry: Registry, mistakes: Mistakes): MapNode {
  const entries = new Map<string, MapEntry>();
  for (const [key, entry] of document.entries) {
    const section = meantSection(entry, document, registry);
    if (section === undefined || entries.has(section)) {
      entries.set(key, entry);
      continue;
    }
    entries.set(section, { ...entry, key: section });
    mistakes.note(errorAt(entry, 'UNKNOWN_KEY', `unknown key '${key}': ${suggesting(section)}`));
  }
  return { ...document, entries };
}

function meantSection(
  { key, value, source }: MapEntry,
  document: MapNode,
  registry: Registry,
): string | undefined {
  const isKnown =
    source.kind === 'default' ||
    (SECTIONS as readonly string[]).includes(key) ||
    (registry.operator(key) ?? registry.composite(key) ?? registry.hook(key)) !== undefined ||
    isMacro(key);
  if (isKnown) return undefined;
  // Batches have names of any kind: only the one that nothing runs without is looked for among them.
  const isBatch = value.kind !== 'map' || value.entries.has('body');
  const absent = SECTIONS.filter((section) => !document.entries.has(section));
  const candidates = isBatch ? absent.filter((section) => section === 'simulation') : absent;
  const names = [...registry.operators, ...registry.composites, ...registry.hooks];
  const meant = nearestName(key, [...candidates, ...names.map(({ name }) => name)]);
  return candidates.find((section) => section === meant);
}
