import type { CorpuscleError, ErrorCode } from '@corpuscle/functor/error';
import { nearestName } from '../../error/nearestName.js';
import type { Registry } from '../Registry.js';
import type { LoadContext, SlotSource } from '../Simulation.js';
import { errorAt, type MapEntry, type MapNode, type SourceNode } from '../yaml/SourceNode.js';
import type { Mistakes, Resolving } from './Mistakes.js';
import { mapOf } from './resolveConfiguration.js';

/** Top-level keys with a meaning of their own; every other one is an operator's block or a named batch. */
export const SECTIONS = [
  'configuration',
  'global',
  'particle_types',
  'simulation',
  'includes',
  'plugins',
  'matrix',
] as const;

/** A slot that reads a global, noted because an operator may turn the global into a variable. */
export interface GlobalUse {
  readonly slots: Map<string, SlotSource>;
  readonly slot: string;
}

/** What a merged document defines, and what has been used of it. */
export class Definitions {
  readonly registry: Registry;
  readonly load: LoadContext;
  readonly mistakes: Mistakes;
  /** What values are resolved with. */
  readonly resolving: Resolving;
  readonly globals: ReadonlyMap<string, MapEntry>;
  /** Named batches, aliases and operator blocks. */
  readonly entries: ReadonlyMap<string, MapEntry>;
  readonly usedBatches = new Set<string>();
  /** Globals whose mistake was told. */
  readonly wrongGlobals = new Set<string>();
  /** Globals that are absent, and that unknown ones may mean. */
  readonly meantGlobals = new Set<string>();
  /** Whether there are globals that cannot be read: what they may have given is not missing. */
  readonly hasLostGlobals: boolean;
  /** Names that no operator has, as they were met. */
  readonly unknownNames: string[] = [];
  /** What has been told to be missing, with its place: all operators of a composite may need it. */
  readonly missing = new Set<string>();
  /** Keys of the document whose mistake was told. */
  readonly wrongKeys = new Set<string>();
  readonly globalUses = new Map<string, GlobalUse[]>();
  /** Unused batches are checked too, but what only a place in the graph could give may be missing. */
  isLoose = false;
  #root: MapEntry | undefined;

  constructor(document: MapNode, registry: Registry, load: LoadContext, mistakes: Mistakes) {
    this.registry = registry;
    this.load = load;
    this.mistakes = mistakes;
    this.resolving = { ...load, mistakes };
    const globals = mistakes.attempt(() => mapOf(document.entries.get('global')), undefined);
    this.globals = globals?.entries ?? new Map();
    this.hasLostGlobals = document.entries.has('global') && globals === undefined;
    this.#root = document.entries.get('simulation');
    this.entries = new Map(
      [...document.entries].filter(([key]) => !(SECTIONS as readonly string[]).includes(key)),
    );
  }

  /** Names that an item of a batch may have. */
  get names(): string[] {
    const batches = [...this.entries.values()].filter(({ value }) => this.isBatch(value));
    return [
      ...this.registry.operators.map(({ name }) => name),
      ...this.registry.composites.map(({ name }) => name),
      ...batches.map(({ key }) => key),
      ...this.registry.hooks.map(({ name }) => name),
    ];
  }

  /** Whether an unknown name may mean a batch of the user: what that batch uses would seem unused. */
  get hasMeantBatch(): boolean {
    const own = [...this.entries.values()].filter(({ source }) => source.kind !== 'default');
    const keys = own.map(({ key }) => key);
    return this.unknownNames.some((name) => nearestName(name, keys) !== undefined);
  }

  /** Whether a name is that of a hook, or of a batch that comes along: nothing but a batch can stand there. */
  isNamedBatch(name: string): boolean {
    const { defaults } = this.registry;
    const isDefault = defaults.some(({ text }) =>
      text.split('\n').some((line) => line.startsWith(`${name}:`)),
    );
    return isDefault || this.registry.hook(name) !== undefined;
  }

  /** Whether a slot of some operator has the name, or a batch that comes along reads it: it may be absent. */
  isKnownSlot(name: string): boolean {
    const { operators } = this.registry;
    return (
      operators.some(({ slots }) => Object.hasOwn(slots, name)) || this.reboundNames.includes(name)
    );
  }

  /** Names outside that batches which come along rebind, such as `thermo_frequency`. */
  get reboundNames(): string[] {
    return this.registry.defaults.flatMap(({ text }) =>
      [...text.matchAll(/rebind: \{([^}]*)\}/g)].flatMap(([, pairs]) =>
        [...pairs!.matchAll(/: *(\w+)/g)].map(([, outer]) => outer!),
      ),
    );
  }

  /** A batch of the user's whose name is almost that of a missing hook, or has that meaning elsewhere. */
  misspelled(hook: string): MapEntry | undefined {
    const candidates = [...this.entries.values()].filter(
      ({ key, value, source }) =>
        source.kind !== 'default' &&
        this.isBatch(value) &&
        !this.registry.operator(key) &&
        !this.registry.composite(key) &&
        !this.registry.hook(key),
    );
    const hooks = this.registry.hooks.map(({ name }) => name);
    return candidates.find(({ key }) => nearestName(key, hooks) === hook);
  }

  /** Whether a value defines a batch or an alias: a list, a name, `{ body: […] }`, or one operator with its slots. */
  isBatch(value: SourceNode): boolean {
    if (value.kind === 'list') return true;
    if (value.kind === 'scalar') return typeof value.value === 'string';
    if (value.entries.has('body')) return true;
    const [name, second] = value.entries.keys();
    if (name === undefined || second !== undefined) return false;
    return (this.registry.operator(name) ?? this.registry.composite(name)) !== undefined;
  }

  /** An error at a place; a place in a default document is not the user's, so `simulation:` stands for it. */
  errorAt(place: SourceNode | MapEntry, code: ErrorCode, message: string): CorpuscleError {
    return errorAt(this.userPlace(place), code, message);
  }

  userPlace(place: SourceNode | MapEntry): SourceNode | MapEntry {
    return place.source.kind === 'default' && this.#root ? this.#root.value : place;
  }
}
