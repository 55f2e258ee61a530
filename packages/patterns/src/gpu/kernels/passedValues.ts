import type { Stmt } from '@corpuscle/functor';
import { fieldUse } from '@corpuscle/functor/passes';
import type { PlacedResult } from '../pattern/PartialSums.js';
import type { PlacedFunctor } from '../values/ValuePass.js';

/** The fields that a value functor sets, and those whose value from before it may look at. */
interface ValueUse {
  readonly written: ReadonlySet<string>;
  readonly seen: ReadonlySet<string>;
}

/** Statements after which a value may still be that of before: they may leave the functor, or set it under a condition. */
const BRANCHING: ReadonlySet<Stmt['kind']> = new Set(['if', 'loop', 'return']);

function useOf({ functor }: PlacedFunctor): ValueUse {
  const ir = functor.ir!;
  const written = fieldUse(ir).writes.get('i') ?? new Set<string>();
  const set = new Set<string>();
  const seen = new Set<string>();
  for (const s of ir.body) {
    for (const name of fieldUse({ ...ir, body: [s] }).reads.get('i') ?? [])
      if (!set.has(name)) seen.add(name);
    if (BRANCHING.has(s.kind)) for (const name of written) if (!set.has(name)) seen.add(name);
    if (s.kind !== 'write' || s.role !== 'i') continue;
    if (s.op !== '=' && !set.has(s.field)) seen.add(s.field);
    set.add(s.field);
  }
  return { written, seen };
}

const namesOf = ({ functor: { spec } }: PlacedFunctor): string[] =>
  spec.kind === 'cell' ? Object.keys(spec.fields) : [];

/** A value of a functor: its place, and whether the functor sets it, and looks at it before. */
export interface PassedField {
  readonly place: number;
  readonly written: boolean;
  readonly seen: boolean;
}

/** The values of a functor, in their order. */
export function passedFields(placed: PlacedFunctor): PassedField[] {
  const { written, seen } = useOf(placed);
  return namesOf(placed).map((name, n) => ({
    place: placed.places[n]!,
    written: written.has(name),
    seen: seen.has(name),
  }));
}

/**
 * Whether every workgroup may make these functors for itself: none looks at a value of before that one of them sets, which the first
 * workgroup may have stored already.
 */
export function mayBePassed(functors: readonly PlacedFunctor[]): boolean {
  const all = functors.map(passedFields);
  const written = new Set(all.flat().flatMap((one) => (one.written ? [one.place] : [])));
  const made = new Set<number>();
  for (const fields of all) {
    if (fields.some(({ seen, place }) => seen && written.has(place) && !made.has(place)))
      return false;
    for (const { written, place } of fields) if (written) made.add(place);
  }
  return true;
}

/** Where workgroup memory has the values that the results and functors set: slots by their places. */
export function slotsOf(
  results: readonly PlacedResult[],
  functors: readonly PlacedFunctor[],
): ReadonlyMap<number, number> {
  const slots = new Map<number, number>();
  const add = (place: number): void => {
    if (!slots.has(place)) slots.set(place, slots.size);
  };
  for (const { place } of results) add(place);
  for (const { written, place } of functors.flatMap(passedFields)) if (written) add(place);
  return slots;
}
