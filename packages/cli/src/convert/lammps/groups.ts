import type { Slots, Value } from '../Draft.js';
import type { Script } from './Script.js';
import { Unmapped } from './Unmapped.js';

/** `group id style …` */
export function setGroup(script: Script, [id = '', style, ...args]: readonly string[]): void {
  if (!/^[\w-]+$/.test(id)) throw script.mistake('group needs a name of letters, digits, _ and -');
  const known = (names: readonly string[]) => {
    for (const name of names) script.groupSlot(name);
    return names;
  };
  if (style === 'dynamic') {
    followGroup(script, id, args);
    return;
  }
  let slots: Slots;
  if (style === 'type') slots = { types: typesOf(script, args) };
  else if (style === 'region') slots = { region: script.regionName(args[0]) };
  else if (style === 'id') slots = { ids: idsOf(script, args) };
  else if (style === 'union') slots = { union: known(args) };
  else if (style === 'subtract') slots = { subtract: known(args) };
  else if (style === 'intersect') slots = { intersect: known(args) };
  else throw new Unmapped(`group ${style} has no counterpart`);
  if (script.groups.has(id) && id !== 'all')
    throw new Unmapped('a group that is defined already would grow: it keeps its particles here');
  script.here.add('group', { name: id, ...slots });
  script.groups.add(id);
}

/** `group id dynamic parent region r every n`: it is looked up again while particles move. */
function followGroup(script: Script, id: string, [parent, ...args]: readonly string[]): void {
  const { group } = script.groupSlot(parent);
  const keys = new Map<string, string>();
  for (let k = 0; k < args.length; k += 2) keys.set(args[k]!, args[k + 1] ?? '');
  const unknown = [...keys.keys()].find((key) => key !== 'region' && key !== 'every');
  if (unknown) throw new Unmapped(`group dynamic with ${unknown} has no counterpart`);
  if (!keys.has('region'))
    throw new Unmapped('a dynamic group without a region has no counterpart');
  if (script.groups.has(id)) throw new Unmapped('a group that is defined already stays as it is');
  const name = script.regionName(keys.get('region'));
  const region = group === undefined ? name : { intersection: [name, { group }] };
  const every = script.whole(keys.get('every') ?? '1');
  script.here.add('group', { name: id, region });
  script.groups.add(id);
  const drift = [{ group: { name: id, region, ...(every > 1 && { every }) } }];
  script.fixes.set(`group ${id}`, { id, style: 'group', group: 'all', drift });
}

/** The first and the last of `< 5`, `>= 3` or `<> 3 5`; null for words that compare nothing. */
function compared(script: Script, [sign = '', ...words]: readonly string[], highest: number) {
  if (!/^[<>=!]/.test(sign)) return null;
  const [low, high = low] = words.map((word) => script.whole(word));
  const ranges: Readonly<Record<string, readonly (number | undefined)[]>> = {
    ...{ '<': [0, low! - 1], '<=': [0, low], '>': [low! + 1, highest], '>=': [low, highest] },
    ...{ '==': [low, low], '<>': [low, high] },
  };
  const [first, last] = ranges[sign] ?? [];
  if (first === undefined || last === undefined || words.length !== (sign === '<>' ? 2 : 1))
    throw new Unmapped(`group with ${[sign, ...words].join(' ')} has no counterpart`);
  return { first, last };
}

function typesOf(script: Script, args: readonly string[]): string[] {
  const range = compared(script, args, script.types.length);
  if (range)
    return script.types
      .filter((_, k) => k + 1 >= range.first && k + 1 <= range.last)
      .map(({ name }) => name);
  return args.flatMap((word) => {
    const [first, last = first] = word.split(':');
    if (!/^\d+$/.test(first!)) throw new Unmapped('only types themselves have a counterpart');
    return script.typeRange(`${first}*${last}`).map((k) => script.types[k]!.name);
  });
}

function idsOf(script: Script, args: readonly string[]): Value {
  // Particles that a script creates count from 1 there, and from 0 here.
  const shift = script.source === 'created' ? 1 : 0;
  const range = compared(script, args, 2 ** 31 - 1);
  if (range) return { first: Math.max(0, range.first - shift), last: range.last - shift };
  const ranges = args.map((word) => word.split(':').map((part) => script.whole(part)));
  if (ranges.length === 1 && ranges[0]!.length > 1) {
    const [first, last, stride] = ranges[0]!;
    return { first: first! - shift, last: last! - shift, ...(stride !== undefined && { stride }) };
  }
  if (ranges.every((range) => range.length === 1)) return ranges.map(([id]) => id! - shift);
  throw new Unmapped(
    'several ranges of ids have no counterpart: make a group of each, and their union',
  );
}
