import { CorpuscleError } from '@corpuscle/core';
import type { Functor, FunctorSpec } from '@corpuscle/functor';
import type { Expr, FunctorIR, Stmt } from '@corpuscle/functor/ir';
import { mapOperands, mapStatement } from '@corpuscle/functor/passes';

const derived = new WeakMap<Functor, Functor<'block'>>();
const places = ['index', 'x', 'y', 'z'] as const;
type Place = (typeof places)[number];

/** The parameter that says where entry k of the list stands. */
const tableOf = (place: Place): string => `list_${place}`;

/**
 * The same functor for a list of indices: where a block stands is looked up in tables, so that engines see an ordinary
 * functor of a one-dimensional space, as long as the list.
 */
export function listedBlocks<F extends Functor<'block'>>(functor: F): F {
  let variant = derived.get(functor);
  if (!variant) {
    const { spec, ir } = functor;
    const tables = Object.fromEntries(places.map((place) => [tableOf(place), 'u32[]']));
    variant = {
      ...functor,
      spec: { ...spec, params: { ...spec.params, ...tables } } as FunctorSpec,
      ir: ir && rewrite(ir),
      invoke(b, a, p, ...results) {
        const given = p as Record<string, ArrayLike<number>>;
        const { index } = b as { index: number };
        const here = places.map((place) => [place, given[tableOf(place)]![index]]);
        functor.invoke({ ...b, ...Object.fromEntries(here) }, a!, p!, ...results);
      },
    };
    derived.set(functor, variant);
  }
  return variant as F;
}

/**
 * The tables of a list of indices of a space.
 * @throws CorpuscleError INDEX_OUT_OF_RANGE naming the first index outside.
 */
export function listTables(
  indices: ArrayLike<number>,
  [nx, ny, nz]: readonly [number, number, number],
): Record<string, Uint32Array> {
  const total = nx * ny * nz;
  for (let k = 0; k < indices.length; k++) {
    const index = indices[k]!;
    if (Number.isInteger(index) && index >= 0 && index < total) continue;
    throw new CorpuscleError(
      'INDEX_OUT_OF_RANGE',
      `entry ${k} of indices is ${index}, but the space has the indices 0 … ${total - 1}`,
    );
  }
  const index = Uint32Array.from(indices);
  const of: Record<Place, Uint32Array> = {
    index,
    x: index.map((k) => k % nx),
    y: index.map((k) => Math.floor(k / nx) % ny),
    z: index.map((k) => Math.floor(k / (nx * ny))),
  };
  return Object.fromEntries(places.map((place) => [tableOf(place), of[place]]));
}

function rewrite(ir: FunctorIR): FunctorIR {
  const entry: Expr = { kind: 'field', type: 'u32', role: 'b', field: 'index' };
  const expression = (e: Expr): Expr => {
    const place = e.kind === 'field' && e.role === 'b' && places.find((name) => name === e.field);
    if (!place) return mapOperands(e, expression);
    return { kind: 'item', type: 'u32', role: 'p', field: tableOf(place), index: entry };
  };
  const list = (body: readonly Stmt[]): Stmt[] =>
    body.map((s) => mapStatement(s, expression, list));
  const table = { type: 'u32', array: true, writable: false } as const;
  const tables = Object.fromEntries(places.map((place) => [tableOf(place), table]));
  return { ...ir, roles: { ...ir.roles, p: { ...ir.roles.p, ...tables } }, body: list(ir.body) };
}
