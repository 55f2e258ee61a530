import type { BlockSpec } from '@corpuscle/core';
import {
  type CellFunctor,
  cellFunctor,
  type PairFunctor,
  pairFunctor,
  withFunctionText,
} from '@corpuscle/patterns';

/** The place of all numbers that are not prepared: each writes its own there when it is evaluated. */
export const SHARED_PLACE = 0;

const named = <N extends string>(name: N, place: number): N =>
  (place === SHARED_PLACE ? name : `${name}_${place}`) as N;

/** Names of the fields in which a place has how often a particle occurs in each group. */
export const multiplicityFields = (place: number) =>
  [named('cngroupa', place), named('cngroupb', place)] as const;

/** The blocks of those fields. Two places share one, so that kernels which look at several need few loads, and few bindings. */
export function multiplicityBlocks(place: number): readonly BlockSpec[] {
  const type = 'f64';
  if (place === SHARED_PLACE)
    return multiplicityFields(place).map((name) => ({ name, type, width: 1, members: [name] }));
  const first = place - ((place - 1) % 2);
  const members = [...multiplicityFields(first), ...multiplicityFields(first + 1)];
  return [{ name: named('cngroups', first), type, width: 4, members }];
}

/** Names of the fields in which a place has the derivatives of the number by the position of a particle. */
const derivativeFields = (place: number) =>
  [named('cnx', place), named('cny', place), named('cnz', place)] as const;

/** The block of those derivatives, and of the share of a particle in the number. */
export const derivativeBlock = (place: number) =>
  ({
    name: named('coordination', place),
    type: 'f64',
    width: 4,
    members: [...derivativeFields(place), named('cn', place)],
  }) as const;

/** Places of the fields that a functor uses; default the shared one. */
interface FieldPlaces {
  readonly groups?: number;
  readonly derivatives?: number;
}

type Names = ReadonlyMap<string | symbol, string>;
type Schema = Readonly<Record<string, unknown>>;
interface PairSpec {
  readonly central: Schema;
  readonly neighbor: Schema;
  readonly derived: Readonly<Record<string, { readonly of: string }>>;
}
// biome-ignore lint/suspicious/noExplicitAny: functors of any outputs and parameters
type Placed = CellFunctor<any, any> | PairFunctor<any, any>;

/** What is made of functors, by their places. */
const made = new WeakMap<Placed, Map<string, Placed>>();

/** A functor that is written for the shared place, with the fields of these places: each time the same one. */
export function atPlaces<F extends Placed>(
  functor: F,
  { groups = SHARED_PLACE, derivatives = SHARED_PLACE }: FieldPlaces,
): F {
  if (groups === SHARED_PLACE && derivatives === SHARED_PLACE) return functor;
  const known = made.get(functor) ?? new Map<string, Placed>();
  made.set(functor, known);
  const key = `${groups} ${derivatives}`;
  const placed = known.get(key) ?? withFields(functor, groups, derivatives);
  known.set(key, placed);
  return placed as F;
}

function withFields(functor: Placed, groups: number, derivatives: number): Placed {
  const own = [...multiplicityFields(SHARED_PLACE), ...derivativeFields(SHARED_PLACE)];
  const fields = [...multiplicityFields(groups), ...derivativeFields(derivatives)];
  const names: Names = new Map(own.map((name, k) => [name, fields[k]!]));
  const fn = withNames(functor.fn, names);
  const { spec } = functor;
  const read = 'read' in spec && renamed(spec.read, names);
  if (spec.kind === 'cell')
    return cellFunctor(
      { ...spec, fields: renamed(spec.fields, names), read } as never,
      fn,
    ) as never;
  const { central, neighbor, derived } = spec as PairSpec;
  const sources = Object.entries(derived).map(
    ([name, one]) => [name, { ...one, of: names.get(one.of) ?? one.of }] as const,
  );
  // Outputs that follow from others are among the central ones of a functor.
  const stated = Object.entries(central).filter(([name]) => !(name in derived));
  return pairFunctor(
    {
      ...spec,
      read,
      central: renamed(Object.fromEntries(stated), names),
      neighbor: renamed(neighbor, names),
      derived: Object.fromEntries(sources),
    } as never,
    fn,
  ) as never;
}

/** Names in a record of fields, or of where outputs go. */
const renamed = (schema: Schema, names: Names) =>
  Object.fromEntries(Object.entries(schema).map(([name, of]) => [names.get(name) ?? name, of]));

/** Where outputs of a functor of the shared place go, for one of another place. */
export function outputsAt<O extends Schema>(outputs: O, place: number): O {
  const own = derivativeFields(SHARED_PLACE);
  const names = new Map(own.map((name, k) => [name as string, derivativeFields(place)[k]!]));
  return renamed(outputs, names) as O;
}

type View = Record<string | symbol, number>;

/** A function of particles whose fields have other names. */
function withNames(fn: (...particles: never[]) => unknown, names: Names): never {
  const text = [...names].reduce(
    (so, [name, field]) => so.replaceAll(new RegExp(`\\.${String(name)}\\b`, 'g'), `.${field}`),
    String(fn),
  );
  const seen = (view: View): View =>
    new Proxy(view, {
      get: (of, name) => of[names.get(name) ?? name],
      set: (of, name, value: number) => {
        of[names.get(name) ?? name] = value;
        return true;
      },
    });
  const direct = (i: View, j: View, ...others: never[]) =>
    fn(seen(i) as never, seen(j) as never, ...others);
  return withFunctionText(direct, text) as never;
}
