import { CorpuscleError, type SourceLocation } from './error/CorpuscleError.js';
import type { FunctorSpec } from './FunctorSpec.js';
import { validateFields } from './fields/validateFields.js';
import { validateResults } from './reduction/validateResults.js';
import { resolveTraits, type Traits } from './Traits.js';
import { validateBlock } from './validateBlock.js';
import { validateDerived } from './validateDerived.js';
import { validateKeys } from './validateKeys.js';

const identifier = /^[A-Za-z][A-Za-z0-9_]*$/;
const fieldTypes = new Set(['real', 'i32', 'u32']);
const paramTypes = new Set(['real', 'i32', 'u32', 'real[]', 'i32[]', 'u32[]']);
/** Traits that say something of some kinds only. */
const traitKinds: Readonly<Record<string, readonly FunctorSpec['kind'][]>> = {
  needsPairWeights: ['pair', 'neighborhood'],
  blockShared: ['neighborhood'],
};
const buffered = new Set(['count', 'lane', 'lanes', 'barrier', 'dx', 'dy', 'dz', 'r2', 'weight']);
const conversions = new Set(['i32', 'u32', 'real']);

/** Checks a declaration that TypeScript has not checked: names and types, and fields declared twice. */
export function validateSpec(spec: FunctorSpec, source: SourceLocation): void {
  const checks = checksOf(spec, source);
  if (typeof spec.name !== 'string') {
    checks.fail('it has no name', 'give a declaration with a name, and then the function');
  }
  if (!identifier.test(spec.name)) {
    checks.fail('the name is no identifier', 'use letters, digits and _, starting with a letter');
  }
  validateKeys(spec, checks.fail);
  validateKind(spec, checks);
  checks.types('parameter', spec.params, paramTypes);
  validateTraits(spec, checks);
  validateValues(spec, checks);
}

/** What the checks of a declaration share: each fails with the functor's name and place. */
interface Checks {
  readonly fail: (problem: string, remedy: string) => never;
  /** The names of a table, all of them identifiers. */
  readonly names: (what: string, table: Readonly<Record<string, unknown>> | undefined) => string[];
  /** The same, all of an allowed type. */
  readonly types: (
    what: string,
    table: Readonly<Record<string, string>> | undefined,
    allowed: ReadonlySet<string>,
  ) => string[];
  readonly distinct: (what: string, first: readonly string[], second: readonly string[]) => void;
}

function checksOf(spec: FunctorSpec, location: SourceLocation): Checks {
  const fail = (problem: string, remedy: string): never => {
    const { file, line, column } = location;
    throw new CorpuscleError(
      'FUNCTOR_NAME',
      `${typeof spec.name === 'string' ? `functor '${spec.name}'` : 'a functor'} (defined at ${file}:${line}:${column}): ${problem}; ${remedy}`,
      { location },
    );
  };
  const names: Checks['names'] = (what, table) => {
    for (const name of Object.keys(table ?? {})) {
      if (!identifier.test(name)) {
        fail(
          `the ${what} '${name}' is no identifier`,
          'use letters, digits and _, starting with a letter',
        );
      }
    }
    return Object.keys(table ?? {});
  };
  return {
    fail,
    names,
    types(what, table, allowed) {
      for (const [name, type] of Object.entries(table ?? {})) {
        if (!allowed.has(type)) {
          fail(
            `the ${what} '${name}' has the unknown type '${type}'`,
            `use ${[...allowed].join(', ')}`,
          );
        }
      }
      return names(what, table);
    },
    distinct(what, first, second) {
      for (const name of first) {
        if (second.includes(name))
          fail(`'${name}' is declared twice`, `declare it as ${what}, or as read, not both`);
      }
    },
  };
}

function validateKind(spec: FunctorSpec, checks: Checks): void {
  const { fail, names, types, distinct } = checks;
  switch (spec.kind) {
    case 'pair':
      validatePair(spec, checks);
      break;
    case 'neighborhood':
      validateNeighborhood(spec, checks);
      break;
    case 'cell':
      validateFields(spec, names, fail);
      distinct(
        'field',
        types('field', spec.fields, fieldTypes),
        types('field', spec.read, fieldTypes),
      );
      break;
    case 'reduce':
      validateResults(spec, names, fail);
      validateFields(spec, names, fail);
      types('field', spec.read, fieldTypes);
      break;
    case 'block':
      validateBlock(spec, names, fail);
      distinct(
        'array',
        types('array', spec.arrays, fieldTypes),
        types('array', spec.read, fieldTypes),
      );
      break;
  }
}

function validatePair(spec: Extract<FunctorSpec, { kind: 'pair' }>, checks: Checks): void {
  const { fail, names, types, distinct } = checks;
  distinct(
    'central',
    types('field', spec.central, fieldTypes),
    types('field', spec.read, fieldTypes),
  );
  types('field', spec.neighbor, fieldTypes);
  validateDerived(spec, names, fail);
  validateGradient(spec, fail);
  if (spec.gradient && spec.context)
    fail('its energy may depend on its context', 'use a neighborhoodFunctor, or drop gradient');
  if (spec.gradient && spec.wgsl)
    fail('it has a gradient and a body in WGSL', 'write the forces in the body, and drop gradient');
  types('value', spec.context, fieldTypes);
  if (!spec.context && (spec.contextStart ?? spec.contextStop))
    fail('it has no context to start or stop', 'declare its values in `context`');
  if (spec.context && spec.traits?.newton3)
    fail(
      'newton3 visits a pair once, but a context needs all neighbors of a particle',
      'drop newton3',
    );
}

/** An energy and what follows from it are real outputs. */
function validateGradient(
  { gradient, central }: Extract<FunctorSpec, { kind: 'pair' | 'neighborhood' }>,
  fail: Checks['fail'],
): void {
  for (const name of gradient ? [gradient.of, ...gradient.into, ...(gradient.virial ?? [])] : [])
    if (central[name] !== 'real')
      fail(
        `its gradient needs '${name}', which is no real output`,
        "declare it in central as 'real'",
      );
}

function validateNeighborhood(
  spec: Extract<FunctorSpec, { kind: 'neighborhood' }>,
  { fail, types, distinct }: Checks,
): void {
  const packed = types('field', spec.neighbor, fieldTypes);
  distinct(
    'central',
    types('field', spec.central, fieldTypes),
    types('field', spec.read, fieldTypes),
  );
  const given = types('field', spec.scatter, fieldTypes);
  const work = types('value', spec.work, fieldTypes);
  distinct('neighbor', packed, given);
  distinct('work', work, [...packed, ...given]);
  for (const name of [...packed, ...given, ...work]) {
    if (buffered.has(name))
      fail(`'${name}' is a part of the buffer already`, 'leave it out, or rename the field');
  }
  for (const [name, type] of Object.entries(spec.scatter)) {
    if (type !== (spec.central[name] ?? type))
      fail(`'${name}' has two types`, 'give it the same in central and scatter');
  }
  validateGradient(spec, fail);
  if (spec.gradient && spec.traits?.blockShared)
    fail('lanes that share a buffer cannot derive its energy', 'drop blockShared, or gradient');
  if (spec.traits?.newton3)
    fail(
      'newton3 is a trait of pair functors',
      'hand neighbors their share through `scatter` instead',
    );
}

function validateTraits(spec: FunctorSpec, { fail }: Checks): void {
  const known = Object.keys(resolveTraits());
  for (const name of Object.keys(spec.traits ?? {})) {
    if (!known.includes(name)) fail(`there is no trait '${name}'`, `there are ${known.join(', ')}`);
    const kinds = traitKinds[name];
    if (kinds && !kinds.includes(spec.kind) && spec.traits![name as keyof Traits])
      fail(`'${name}' is a trait of ${kinds.join(' and ')} functors`, 'leave it out');
  }
}

function validateValues(spec: FunctorSpec, { fail, names }: Checks): void {
  for (const name of names('constant', spec.constants)) {
    if (typeof spec.constants![name] !== 'number')
      fail(`the constant '${name}' is no number`, 'constants are numbers');
  }
  for (const name of names('helper', spec.helpers)) {
    if (conversions.has(name))
      fail(`the helper '${name}' hides a conversion`, 'give it another name');
    if (typeof spec.helpers![name] !== 'function')
      fail(`the helper '${name}' is no function`, 'pass a function');
  }
}
