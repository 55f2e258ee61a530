import { didYouMean } from '../../error/nearestName.js';
import { mergeMaps } from './mergeMaps.js';
import { parseYaml } from './parseYaml.js';
import {
  errorAt,
  type ListNode,
  type MapEntry,
  type MapNode,
  type SourceNode,
} from './SourceNode.js';
import { SourceText } from './SourceText.js';

interface Part {
  readonly name: string;
  readonly start: number;
}

/**
 * Merges one `--set path=value` on top of a document. The path is keys joined by dots; in a list a part is an index
 * or the name of the operator there: `compute_force.lennard_jones_force.rcut=3`. The value is YAML.
 *
 * @throws CorpuscleError SYNTAX or UNKNOWN_KEY; the location names the option.
 */
export function applyOption(document: MapNode, option: string, directory: string): MapNode {
  const source = new SourceText('option', `--set ${option}`, option, directory);
  const equals = option.indexOf('=');
  if (equals < 1) {
    throw source.error(
      'SYNTAX',
      `--set ${option} has no value: write --set path=value`,
      0,
      option.length,
    );
  }
  const parts = pathParts(source, option.slice(0, equals));
  const value = parseYaml(source, equals + 1);
  return setIn(document, parts, value, source) as MapNode;
}

/** Puts a value into a document, at the path that an entry of it names. @throws CorpuscleError UNKNOWN_KEY at the entry */
export function setAt(
  document: MapNode,
  path: string,
  value: SourceNode,
  { source, start }: MapEntry,
): MapNode {
  const parts = path.split('.').map((name) => ({ name, start }));
  return setIn(document, parts, value, source) as MapNode;
}

function pathParts(source: SourceText, path: string): Part[] {
  let start = 0;
  return path.split('.').map((name) => {
    const part = { name, start };
    start += name.length + 1;
    if (name.trim() === '') {
      throw source.error(
        'SYNTAX',
        `the path '${path}' has an empty part: write e.g. global.dt=0.005`,
        part.start,
      );
    }
    return part;
  });
}

function setIn(
  node: SourceNode | undefined,
  parts: readonly Part[],
  value: SourceNode,
  source: SourceText,
): SourceNode {
  const [part, ...rest] = parts;
  if (!part) return value;
  if (node?.kind === 'list') return setInList(node, part, rest, value, source);
  const place = { source, start: part.start, end: part.start + part.name.length };
  const entries = node?.kind === 'map' ? node.entries : new Map<string, MapEntry>();
  const child = rest.length > 0 ? setIn(entries.get(part.name)?.value, rest, value, source) : value;
  const entry: MapEntry = { ...place, key: part.name, value: child };
  const map: MapNode = { ...place, kind: 'map', entries: new Map([[part.name, entry]]) };
  // A whole map given as value merges, like a document.
  if (rest.length === 0) return mergeMaps(node?.kind === 'map' ? node : undefined, map);
  return {
    ...(node?.kind === 'map' ? node : place),
    kind: 'map',
    entries: new Map([...entries, [part.name, entry]]),
  };
}

function setInList(
  list: ListNode,
  part: Part,
  rest: readonly Part[],
  value: SourceNode,
  source: SourceText,
): SourceNode {
  const names = list.items.map(operatorName);
  const index = /^\d+$/.test(part.name) ? Number(part.name) : names.indexOf(part.name);
  const item = list.items[index];
  if (!item) {
    const known = names.filter((name) => name !== undefined);
    throw source.error(
      'UNKNOWN_KEY',
      /^\d+$/.test(part.name)
        ? `the list has ${list.items.length} items, counted from 0: there is no item ${part.name}`
        : `no item of the list is '${part.name}'${didYouMean(part.name, known)}`,
      part.start,
      part.start + part.name.length,
    );
  }
  const items = [...list.items];
  // An index steps to the item, a name into the block of the operator there.
  items[index] = /^\d+$/.test(part.name)
    ? setIn(item, rest, value, source)
    : setIn(item.kind === 'map' ? item : undefined, [part, ...rest], value, source);
  return { ...list, items };
}

function operatorName(item: SourceNode): string | undefined {
  if (item.kind === 'scalar') return typeof item.value === 'string' ? item.value : undefined;
  return item.kind === 'map' && item.entries.size === 1 ? [...item.entries.keys()][0] : undefined;
}

/** @throws CorpuscleError SYNTAX when a document is not a map. */
export function assertDocument(node: SourceNode): MapNode {
  if (node.kind === 'map') return node;
  if (node.kind === 'scalar' && node.value === null)
    return { ...node, kind: 'map', entries: new Map() };
  throw errorAt(
    node,
    'SYNTAX',
    'a simulation file is a map of keys such as global, particle_types and simulation',
  );
}
