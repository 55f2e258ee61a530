import type { SourceLocation } from '../error/CorpuscleError.js';
import type { FunctorFunction } from '../Functor.js';
import type { FunctorSpec } from '../FunctorSpec.js';
import type { Expr, FunctorIR, RoleField, ValueType } from '../ir.js';
import { deriveOutputs } from '../passes/deriveOutputs.js';
import { energyGradient } from '../passes/gradient/energyGradient.js';
import type { Fail } from '../passes/gradient/Fail.js';
import { pairGradient, virialsOf } from '../passes/gradient/pairGradient.js';
import { operandsOf } from '../passes/walk.js';
import type { ResultSchema } from '../schema.js';
import { checkBarriers } from './checkBarriers.js';
import { emitFunctor } from './emitFunction.js';
import { HelperLibrary } from './HelperLibrary.js';
import { type Origin, originOf } from './origins.js';
import { parseFunction } from './parseFunction.js';
import type { SourceText } from './SourceText.js';
import type { RoleTable } from './Translation.js';
import { type Parameter, translateFunctor } from './translateFunction.js';

/**
 * Function and declaration → checked, typed intermediate representation:
 *
 *   text → (acorn) syntax tree → (translate) draft → (infer) types of locals → (emit) representation → derived outputs
 */
export function compileFunctor(
  spec: FunctorSpec,
  fn: FunctorFunction,
  source: SourceLocation,
): FunctorIR {
  const parsed = parseFunction(fn, `functor '${spec.name}'`, source);
  const roles = rolesOf(spec);
  const library = new HelperLibrary(spec, source);
  const parameters = parametersOf[spec.kind].filter((name) => name !== 'x' || 'x' in roles);
  const draft = translateFunctor(parsed, parameters, roles, library);
  checkBarriers(draft, parsed.source);
  const body = emitFunctor(draft, library, parsed.source);
  const ir = { name: spec.name, kind: spec.kind, roles, body, helpers: library.used };
  if (spec.kind === 'neighborhood' && spec.gradient)
    return energyGradient(ir, spec.gradient, failAt(parsed.source));
  if (spec.kind !== 'pair') return ir;
  if (spec.gradient) {
    const forced = pairGradient(ir, spec.gradient, failAt(parsed.source));
    return deriveOutputs(forced, { ...virialsOf(spec.gradient), ...spec.derived }, source);
  }
  const hooks = spec.context
    ? {
        start: compileHook(spec, 'contextStart', roles, library),
        stop: compileHook(spec, 'contextStop', roles, library),
      }
    : {};
  return deriveOutputs({ ...ir, ...hooks }, spec.derived ?? {}, source);
}

/** Complains about an expression where the user wrote it, or one inside of it; else about the functor. */
function failAt(source: SourceText): Fail {
  const placeOf = (e: Expr): Origin | null =>
    originOf(e) ??
    operandsOf(e).reduce<Origin | null>((found, inner) => found ?? placeOf(inner), null);
  return (at, problem, remedy) => {
    const origin = at && placeOf(at);
    const { source: text, node } = origin ?? { source, node: { start: 0, end: 1 } };
    return text.fail(
      'FUNCTOR_UNSUPPORTED',
      node,
      `${problem}, which cannot be differentiated`,
      remedy,
    );
  };
}

/** What a pair functor does before or after a particle's neighbors; nothing where it does not say. */
function compileHook(
  spec: Extract<FunctorSpec, { kind: 'pair' }>,
  hook: 'contextStart' | 'contextStop',
  { i, x, p }: RoleTable,
  library: HelperLibrary,
): FunctorIR {
  const roles = { i: i!, x: x!, p: p! };
  const name = `${spec.name}_${hook}`;
  const fn = spec[hook];
  if (!fn) return { name, kind: 'cell', roles, body: [], helpers: [] };
  const parsed = parseFunction(fn, `${hook} of functor '${spec.name}'`, library.site);
  const draft = translateFunctor(parsed, ['x', 'i', 'p', 'helpers', 'constants'], roles, library);
  const body = emitFunctor(draft, library, parsed.source);
  return { name, kind: 'cell', roles, body, helpers: library.used };
}

/** The function that joins results declared `real`: roles `acc` (joined to) and `j` (the other one). */
export function compileCombine(
  spec: Extract<FunctorSpec, { kind: 'reduce' }>,
  fn: FunctorFunction,
  source: SourceLocation,
): FunctorIR {
  const free = Object.fromEntries(
    Object.entries(spec.result).filter(([, op]) => op.startsWith('real')),
  );
  const parsed = parseFunction(fn, `combine of functor '${spec.name}'`, source);
  const roles = { acc: resultFields(free, true), j: resultFields(free, false) };
  const library = new HelperLibrary(spec, source);
  const parameters = ['acc', 'j', 'helpers', 'constants'] as const;
  const body = emitFunctor(
    translateFunctor(parsed, parameters, roles, library),
    library,
    parsed.source,
  );
  return { name: `${spec.name}_combine`, kind: 'reduce', roles, body, helpers: library.used };
}

const parametersOf: Readonly<Record<FunctorSpec['kind'], readonly Parameter[]>> = {
  pair: ['i', 'j', 'd', 'p', 'helpers', 'constants', 'x'],
  cell: ['i', 'p', 'helpers', 'constants'],
  reduce: ['acc', 'i', 'p', 'helpers', 'constants'],
  block: ['b', 'a', 'p', 'helpers', 'constants', 'acc'],
  neighborhood: ['i', 'n', 'p', 'helpers', 'constants'],
};

type Table = Record<string, RoleField>;

function fields(
  schema: Readonly<Record<string, string>>,
  writable: boolean,
  array: boolean,
): Table {
  return Object.fromEntries(
    Object.entries(schema).map(([name, type]) => [
      name,
      { type: type as ValueType, array, writable },
    ]),
  );
}

const collecting = (schema: Readonly<Record<string, string>>): Table =>
  Object.fromEntries(
    Object.entries(fields(schema, true, true)).map(([name, field]) => [
      name,
      { ...field, collects: true },
    ]),
  );

function params(spec: FunctorSpec): Table {
  const table: Table = {};
  for (const [name, type] of Object.entries(spec.params ?? {})) {
    const array = type.endsWith('[]');
    table[name] = { type: type.replace('[]', '') as ValueType, array, writable: false };
  }
  return table;
}

/** Memory of a block: `{ tile: 'real[128]' }`. */
function sharedFields(schema: Readonly<Record<string, string>>): Table {
  return Object.fromEntries(
    Object.entries(schema).map(([name, declared]) => {
      const [type, size] = declared.slice(0, -1).split('[') as [ValueType, string];
      return [name, { type, array: true, writable: true, size: Number(size) }];
    }),
  );
}

/** Results are reals, or arrays of them. */
function resultFields(results: ResultSchema, writable: boolean): Table {
  return Object.fromEntries(
    Object.entries(results).map(([name, op]) => [
      name,
      { type: 'real', array: op.endsWith(']'), writable },
    ]),
  );
}

const all = (names: readonly string[], type: string) =>
  Object.fromEntries(names.map((name) => [name, type]));

function rolesOf(spec: FunctorSpec): RoleTable {
  const p = params(spec);
  const weight = spec.traits?.needsPairWeights ? ['weight'] : [];
  const lanes = spec.traits?.blockShared ? ['lane', 'lanes'] : [];
  switch (spec.kind) {
    case 'pair':
      return {
        i: { ...fields(spec.central, true, false), ...fields(spec.read, false, false) },
        j: fields(spec.neighbor, false, false),
        d: fields(all(['x', 'y', 'z', 'r2', ...weight], 'real'), false, false),
        p,
        ...(spec.context ? { x: fields(spec.context, true, false) } : {}),
      };
    case 'neighborhood':
      return {
        i: { ...fields(spec.central, true, false), ...fields(spec.read, false, false) },
        n: {
          ...fields(all(['count', ...lanes], 'u32'), false, false),
          ...fields(all(['dx', 'dy', 'dz', 'r2', ...weight], 'real'), false, true),
          ...fields(spec.neighbor, false, true),
          ...fields(spec.work, true, true),
          ...collecting(spec.scatter),
        },
        p,
      };
    case 'cell':
      return { i: { ...fields(spec.fields, true, false), ...fields(spec.read, false, false) }, p };
    case 'reduce':
      return {
        acc: resultFields(spec.result, true),
        i: fields(spec.read, false, false),
        p,
      };
    case 'block':
      return {
        b: {
          ...fields(all(['index', 'x', 'y', 'z', 'lane', 'size'], 'u32'), false, false),
          ...sharedFields(spec.blockShared ?? {}),
        },
        ...(spec.result ? { acc: resultFields(spec.result, true) } : {}),
        a: { ...fields(spec.arrays, true, true), ...fields(spec.read, false, true) },
        p,
      };
  }
}
