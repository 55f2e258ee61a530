import type { Composite, CompositeUse } from '../Composite.js';
import { mergeMaps } from '../yaml/mergeMaps.js';
import {
  describeNode,
  errorAt,
  type ListNode,
  type MapEntry,
  type MapNode,
  type SourceNode,
} from '../yaml/SourceNode.js';
import { writtenNode } from '../yaml/writtenNode.js';
import type { Definitions } from './Definitions.js';
import { slotsIn } from './givenSlots.js';
import { resolveValue } from './resolveValue.js';

type Place = SourceNode | MapEntry;

/** A composite where a file names it. */
interface Naming {
  readonly composite: Composite;
  readonly place: Place;
  readonly block: SourceNode | undefined;
}

/**
 * Writes out composites. What was written for a place of the text is kept, so that operators there are one place, however often
 * the batch around them is used.
 *
 *   [output, { langevin: {…} }, velocity_verlet: {…}]   ─▶   [output, [next_time_step, …, …]]
 */
export class CompositeExpander {
  readonly #definitions: Definitions;
  readonly #written = new Map<Place, ListNode>();
  readonly #lists = new Map<SourceNode, readonly SourceNode[]>();
  readonly #numbers = new Map<Place, number>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** The batch that one use stands for. */
  expand(composite: Composite, place: Place, block: SourceNode | undefined): ListNode {
    const known = this.#written.get(place);
    if (known) return known;
    const written = this.#write([{ composite, place, block }]);
    this.#written.set(place, written);
    return written;
  }

  /** The items of a list, those that join expanded together. */
  joined(list: ListNode): readonly SourceNode[] {
    const known = this.#lists.get(list);
    if (known) return known;
    const namings = list.items.map((item) => this.#naming(item));
    const items = list.items.flatMap((item, k): SourceNode[] => {
      const naming = namings[k]!;
      if (!naming?.composite.joins) return [item];
      const { expand } = naming.composite;
      const group = namings.filter((one) => one?.composite.expand === expand) as Naming[];
      if (group.length === 1) return [item];
      return group[0] === naming ? [this.#write(group)] : [];
    });
    this.#lists.set(list, items);
    return items;
  }

  #naming(item: SourceNode): Naming | null {
    const { registry } = this.#definitions;
    if (item.kind === 'list') return null;
    if (item.kind === 'scalar') {
      const composite = typeof item.value === 'string' && registry.composite(item.value);
      return composite ? { composite, place: item, block: undefined } : null;
    }
    const [entry] = item.entries.values();
    const composite = item.entries.size === 1 && registry.composite(entry!.key);
    return composite ? { composite, place: entry!, block: entry!.value } : null;
  }

  /** Where slots are wrong, only the batches among them: what is wrong inside is told too. */
  #write(namings: readonly Naming[]): ListNode {
    const { mistakes } = this.#definitions;
    const before = mistakes.notes;
    const uses = namings.map((naming) => this.#use(naming));
    const { composite, place } = namings[0]!;
    if (mistakes.notes === before) return writtenNode(composite.expand(uses), place) as ListNode;
    if (!this.#definitions.isLoose) mistakes.noteHole();
    const batches = uses.flatMap((use) =>
      Object.entries(use.settings).flatMap(([slot, node]) =>
        use.composite.slots[slot]!.type === 'batch' ? [node] : [],
      ),
    );
    return writtenNode(batches, place) as ListNode;
  }

  /** @throws CorpuscleError for a block that is no map; what is wrong in it is noted. */
  #use({ composite, place, block }: Naming): CompositeUse {
    const { name } = composite;
    const { entries, usedBatches, mistakes, resolving } = this.#definitions;
    usedBatches.add(name);
    const general = compositeBlock(composite, entries.get(name)?.value);
    const here = compositeBlock(composite, block);
    const merged = here ? mergeMaps(general, here) : general;
    const given = merged ? slotsIn(composite, merged, mistakes).entries : [];
    for (const { key, value } of given)
      mistakes.attempt(
        () => resolveValue(value, composite.slots[key]!, `${key} of ${name}`, resolving),
        undefined,
      );
    const settings = Object.fromEntries(given.map(({ key, value }) => [key, value]));
    const number = this.#numbers.get(place) ?? this.#numbers.size;
    this.#numbers.set(place, number);
    return {
      composite,
      number,
      settings,
      wordOf(slot) {
        const node = settings[slot];
        return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
      },
      placed: (items) => writtenNode(items, place),
      fail: (code, message) => {
        throw this.#definitions.errorAt(place, code, message);
      },
    };
  }
}

/** The slots given to a composite; none for nothing and for an empty value. */
function compositeBlock({ name }: Composite, block: SourceNode | undefined): MapNode | undefined {
  if (!block || (block.kind === 'scalar' && block.value === null)) return undefined;
  if (block.kind === 'map') return block;
  throw errorAt(
    block,
    'WRONG_TYPE',
    `${name} is given ${describeNode(block)}: give a map of its slots`,
  );
}
