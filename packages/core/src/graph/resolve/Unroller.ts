import { describeNode, errorAt, type MapEntry, type SourceNode } from '../yaml/SourceNode.js';
import { substitute } from './substitute.js';

/** How often a batch may be written out. */
const MOST = 1000;

/**
 * Writes batches out: `unroll: true` once for each pass of its loop, `unroll: { name: [values] }` once for each value. Every copy is
 * a place of its own, so that its operators keep what they keep for themselves. What was written is kept.
 *
 *   { unroll: { r: [2, 3] }, body: [shell: { rcut: r }] }   ─▶   [shell: { rcut: 2 }, shell: { rcut: 3 }]
 */
export class Unroller {
  readonly #written = new Map<SourceNode, readonly SourceNode[]>();
  readonly #isMacro: (name: string) => boolean;

  constructor(isMacro: (name: string) => boolean) {
    this.#isMacro = isMacro;
  }

  /** The bodies that a batch stands for; itself where it is not unrolled. @throws CorpuscleError */
  bodies(body: SourceNode, settings: ReadonlyMap<string, MapEntry>): readonly SourceNode[] {
    const unroll = settings.get('unroll');
    if (!unroll || (unroll.value.kind === 'scalar' && unroll.value.value === false)) return [body];
    const known = this.#written.get(body);
    if (known) return known;
    const written = valuesOf(unroll, settings.get('loop')).map((values) =>
      substitute(body, values, this.#isMacro),
    );
    this.#written.set(body, written);
    return written;
  }
}

/** The settings of which the batch has none once it is written out. */
export function loopAfter(settings: ReadonlyMap<string, MapEntry>): MapEntry | undefined {
  const unroll = settings.get('unroll')?.value;
  const isUnrolled = unroll?.kind === 'scalar' && unroll.value === true;
  return isUnrolled ? undefined : settings.get('loop');
}

function valuesOf(
  unroll: MapEntry,
  loop: MapEntry | undefined,
): readonly ReadonlyMap<string, SourceNode>[] {
  const { value } = unroll;
  if (value.kind === 'scalar' && value.value === true) {
    const passes = loop?.value.kind === 'scalar' ? loop.value.value : undefined;
    const isCount = typeof passes === 'number' && Number.isInteger(passes) && passes >= 0;
    if (isCount && passes <= MOST) return Array.from({ length: passes }, () => new Map());
    throw errorAt(
      loop ?? unroll,
      'INVALID_VALUE',
      `unroll: true writes out the passes of a loop: give loop a number up to ${MOST}`,
    );
  }
  const lists = value.kind === 'map' ? [...value.entries.values()] : [];
  const [first] = lists;
  if (first?.value.kind !== 'list')
    throw errorAt(
      first?.value ?? value,
      'WRONG_TYPE',
      `unroll is ${describeNode(first?.value ?? value)}: give true with loop: N, or names with lists of values`,
    );
  const { length } = first.value.items;
  if (length > MOST)
    throw errorAt(
      first,
      'INVALID_VALUE',
      `'${first.key}' has ${length} values: give at most ${MOST}`,
    );
  for (const list of lists) {
    const given = list.value.kind === 'list' ? list.value.items.length : null;
    if (given === length) continue;
    const has = given === null ? `is ${describeNode(list.value)}` : `has ${given} values`;
    throw errorAt(
      list,
      'INVALID_VALUE',
      `'${list.key}' ${has}: give a list of ${length}, as long as '${first.key}'`,
    );
  }
  return Array.from(
    { length },
    (_, k) =>
      new Map(
        lists.map(({ key, value: list }) => [
          key,
          (list as { items: readonly SourceNode[] }).items[k]!,
        ]),
      ),
  );
}
