import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { Engine } from '../engine/Engine.js';

/** The operators that call the functors of a kernel. */
export interface Callers {
  /** Operators that call what a label names. */
  of(label: string): readonly string[];
}

const METHODS = [
  'prepareCells',
  'prepareReduction',
  'prepareRecords',
  'preparePairs',
  'prepareBlocks',
  'prepareValues',
  'prepareLists',
] as const satisfies readonly (keyof Engine)[];

/** Stands for updates of the lists, which have no functor. */
const UPDATES = 'updates of the lists';
/** Steps of an engine's own that list updates need. */
const UPDATE = /^(sort|neighbors|displacement|bin)\b/;

/** Notes which operator prepares which call. Engines assemble kernels later and for several calls, so that kernels do not tell. */
export function watchCalls(context: ExecutionContext): Callers {
  const operators = new Map<string, Set<string>>();
  const note = (name: string) => {
    const known = operators.get(name) ?? new Set();
    if (context.operator) known.add(context.operator);
    operators.set(name, known);
  };
  const { host, accelerator } = context.engines;
  const engine: Engine = accelerator ?? host;
  for (const method of METHODS) {
    const original = engine[method]?.bind(engine) as ((plan: unknown) => unknown) | undefined;
    if (!original) continue;
    const watched = (plan: { readonly functor?: { readonly name: string } }): unknown => {
      note(plan.functor?.name ?? UPDATES);
      return original(plan);
    };
    Object.assign(engine, { [method]: watched });
  }
  return {
    of(label) {
      const names = label.split('+').map((part) => {
        const name = part.trim();
        return UPDATE.test(name) ? UPDATES : name.replace(/:.*$/, '');
      });
      return [...new Set(names.flatMap((name) => [...(operators.get(name) ?? [])]))];
    },
  };
}
