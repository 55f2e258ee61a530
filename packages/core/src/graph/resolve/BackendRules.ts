import { didYouMean } from '../../error/nearestName.js';
import { type BatchNode, operatorsOf } from '../Simulation.js';
import { describeNode, errorAt, type MapEntry, type MapNode } from '../yaml/SourceNode.js';
import type { Mistakes } from './Mistakes.js';

/** One line of `backend: { pattern: name }`. */
interface Rule {
  readonly entry: MapEntry;
  readonly pattern: RegExp;
  readonly backend: string;
  isUsed: boolean;
}

/**
 * Which operators of a graph run where: `configuration: { backend: { 'compute_force/*': cpu } }`. A pattern is the end of a path,
 * `*` stands for anything, and the name of a batch for all that is in it. The last pattern that fits an operator counts.
 */
export class BackendRules {
  readonly #rules: Rule[] = [];

  /** @param names of backends that may be given; any where it is left out */
  constructor(document: MapNode, mistakes: Mistakes, names?: readonly string[]) {
    const section = document.entries.get('configuration')?.value;
    const given = section?.kind === 'map' ? section.entries.get('backend')?.value : undefined;
    if (given?.kind !== 'map') return;
    for (const entry of given.entries.values())
      mistakes.attempt(() => this.#add(entry, names && ['auto', ...names]), undefined);
  }

  #add(entry: MapEntry, known: readonly string[] | undefined): void {
    const { key, value } = entry;
    const backend = value.kind === 'scalar' ? value.value : null;
    if (typeof backend !== 'string')
      throw errorAt(
        value,
        'WRONG_TYPE',
        `the backend of '${key}' is ${describeNode(value)}: give a name, such as cpu or webgpu`,
      );
    if (known && !known.includes(backend))
      throw errorAt(
        value,
        'INVALID_VALUE',
        `the backend of '${key}' is '${backend}'${didYouMean(backend, known)}`,
      );
    const engines = new Set([...this.#rules.map((rule) => rule.backend), backend]);
    const others = [...engines].filter((name) => name !== 'cpu' && name !== 'auto');
    if (others.length > 1)
      throw errorAt(
        value,
        'INVALID_VALUE',
        `${others.join(' and ')} cannot be in one run, which has one engine beside the CPU's: choose one of them`,
      );
    const text = key.replace(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*');
    this.#rules.push({ entry, pattern: new RegExp(`(^|/)${text}(/|$)`), backend, isUsed: false });
  }

  /** The backend of an operator; undefined where it is that of the run. */
  of(path: string): string | undefined {
    const fitting = this.#rules.filter(({ pattern }) => pattern.test(path));
    for (const rule of fitting) rule.isUsed = true;
    const backend = fitting.at(-1)?.backend;
    return backend === 'auto' ? undefined : backend;
  }

  /** Notes patterns that fit no operator of the graph. */
  noteUnused(root: BatchNode, mistakes: Mistakes): void {
    const names = new Set([...operatorsOf(root)].flatMap(({ path }) => path.split('/')));
    for (const { entry, isUsed } of this.#rules) {
      if (isUsed) continue;
      const [first] = entry.key.split('/');
      const remedy = didYouMean(first!, names, 'see the paths with corpuscle graph --json');
      mistakes.note(
        errorAt(entry, 'UNKNOWN_KEY', `no operator that runs has the path '${entry.key}'${remedy}`),
      );
    }
  }

  /** What the run needs so that each operator has its backend; undefined where there are no rules. */
  forRun(root: BatchNode): string | undefined {
    if (this.#rules.length === 0) return undefined;
    const used = new Set([...operatorsOf(root)].map(({ backend = 'auto' }) => backend));
    const other = [...used].find((name) => name !== 'cpu' && name !== 'auto');
    return other ?? (used.has('auto') ? 'auto' : 'cpu');
  }
}
