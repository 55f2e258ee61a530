import { CorpuscleError } from '@corpuscle/functor/error';
import type { SlotSpecs, ValueSpec } from './SlotSpec.js';

const types: ReadonlySet<string> = new Set<ValueSpec['type']>([
  ...(['number', 'integer', 'quantity', 'boolean', 'string', 'enum', 'file'] as const),
  ...(['particle_type', 'list', 'map', 'record', 'variant', 'any_of'] as const),
  ...(['object', 'batch', 'expression', 'template'] as const),
]);
const bases: readonly string[] = ['length', 'mass', 'time', 'temperature', 'charge'];

/**
 * Checks the slots of an operator, which TypeScript has not always seen: types that nobody knows would take any value.
 * @throws CorpuscleError INVALID_VALUE
 */
export function checkSlotSpecs(operator: string, slots: SlotSpecs): void {
  for (const [name, spec] of Object.entries(slots))
    check(spec, `slot '${name}' of operator '${operator}'`);
}

function check(spec: ValueSpec, what: string): void {
  if (!types.has(spec?.type))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the ${what} has the type ${spec?.type}: give one of ${[...types].join(', ')}`,
    );
  if (spec.type === 'quantity' && !isDimension(spec.dimension))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the ${what} has no dimension: give one of dimensions, such as dimensions.length, or exponents of ${bases.join(', ')}`,
    );
  if (spec.type === 'list' || spec.type === 'record') check(spec.of, what);
  if (spec.type === 'map')
    for (const [name, entry] of Object.entries(spec.entries)) check(entry, `${name} of ${what}`);
}

const isDimension = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).every((base) => bases.includes(base));
