import { CorpuscleError } from '@corpuscle/core';
import { ContextValue } from '../value/ContextValue.js';
import { checkOption, kindsOf, type PatternName, type TakenKind } from './patternOptions.js';

/** What a call is given, in the order of its arguments, of any type: TypeScript does not see what comes from JavaScript. */
interface GivenCall {
  readonly space?: unknown;
  readonly grid?: unknown;
  readonly functor?: unknown;
  readonly initial?: unknown;
  readonly ctx: unknown;
  readonly options?: unknown;
}

const makers: Partial<Record<TakenKind, string>> = {
  block: 'blockFunctor',
  cell: 'cellFunctor',
  reduce: 'reduceFunctor',
  pair: 'pairFunctor',
  neighborhood: 'neighborhoodFunctor',
  value: 'valueFunctor',
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isList = (value: unknown): boolean => isObject(value) && 'length' in value;

/** Options of which a wrong type would be found nowhere else, or late: what each must be. */
const optionTypes: Readonly<Record<string, readonly [string, (value: unknown) => boolean]>> = {
  rcut: ['a number', isNumber],
  params: ['an object, with one value for every parameter', isObject],
  arrays: ['an object, with one array for every array of the functor', isObject],
  fields: ['an object, with a number for every field', isObject],
  outputs: ["an object, such as { ep: 'total' }", isObject],
  cells: ['an array of cells', isList],
  indices: ['an array of indices', isList],
  xform: ['an array of nine numbers', isList],
  weights: ['what pairWeights has made', isObject],
  particleFilter: ["an object, such as { central: { field: 'type', bits: 1 } }", isObject],
  cellFilter: ['an object, such as { cells, mask }', isObject],
  allPairs: ['true, false or an object', (value) => typeof value === 'boolean' || isObject(value)],
  into: ['a value that ctx.value has made', (value) => value instanceof ContextValue],
  lane: ['a name or a number', (value) => typeof value === 'string' || isNumber(value)],
  onComplete: ['a function', (value) => typeof value === 'function'],
};

/**
 * Checks the types of what a call is given, and the names of its options.
 * @param pattern whose functors and options it takes
 * @throws CorpuscleError UNKNOWN_KEY; WRONG_TYPE, with the argument, what it is, and what to give
 */
export function checkCall(given: GivenCall, pattern: PatternName = 'any'): void {
  const kinds = kindsOf(pattern);
  const { space, grid, functor, ctx, options, initial } = given;
  const fail = (name: string, value: unknown, wanted: string): never => {
    throw new CorpuscleError(
      'WRONG_TYPE',
      `the call takes (${Object.keys(given).join(', ')}), and ${name} is ${describe(value)}: give ${wanted}`,
    );
  };
  if ('space' in given && !(isNumber(space) || isList(space)))
    fail('space', space, 'a number, or an array of up to three');
  if ('grid' in given && !(isObject(grid) && 'hasField' in grid))
    fail('grid', grid, 'a Grid of @corpuscle/core');
  if ('functor' in given && !(isObject(functor) && (kinds as unknown[]).includes(kindOf(functor))))
    fail('functor', functor, `one that ${kinds.map((kind) => makers[kind]).join(' or ')} has made`);
  if (!(isObject(ctx) && 'engines' in ctx))
    fail('ctx', ctx, 'an execution context, which createExecutionContext makes');
  if (isObject(grid) && 'heap' in grid && isObject(ctx) && 'heap' in ctx && grid.heap !== ctx.heap)
    throw new CorpuscleError(
      'INVALID_VALUE',
      'the particles are in the heap of another execution context: make the grid with ctx.heap of this one',
    );
  for (const [name, value] of Object.entries({ options, initial }))
    if (name in given && !isObject(value)) fail(name, value, 'an object');
  for (const [name, value] of Object.entries(options ?? {})) {
    if (value === undefined) continue;
    checkOption(pattern, name);
    const type = optionTypes[name];
    if (type && !type[1](value)) fail(`its option ${name}`, value, type[0]);
  }
}

function kindOf(value: object): unknown {
  if ('cell' in value && 'values' in value) return 'value';
  return 'kind' in value && 'spec' in value ? value.kind : undefined;
}

/** A value as messages name it. */
function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'string') return `'${value}'`;
  if (!isObject(value)) return String(value);
  if (kindOf(value) !== undefined && 'name' in value)
    return `the ${kindOf(value)} functor '${value.name}'`;
  const { name } = value.constructor ?? {};
  return name && name !== 'Object' ? `an object of ${name.replace(/^_/, '')}` : 'an object';
}
