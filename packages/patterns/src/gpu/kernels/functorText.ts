import type { Functor, FunctorKind } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import { type LoweredWgsl, lowerToWgsl, type WgslEnv } from '@corpuscle/functor/wgsl';
import type { DeviceReal } from '../double/DeviceReals.js';
import { FunctorTables } from './FunctorTables.js';

/** A functor as one of several in a kernel. */
export interface MarkedFunctor<K extends FunctorKind> {
  readonly functor: Functor<K>;
  readonly tables: FunctorTables;
  readonly lowered: LoweredWgsl;
  /** Its structs and functions, under a heading. */
  readonly text: string;
}

/**
 * Lowers functors of one kernel.
 *
 * @param what they are, for readers. @param mark tells their names apart: 'f' makes f0_, f1_, …; empty for one alone.
 */
export function markedFunctors<K extends FunctorKind>(
  what: string,
  functors: readonly Functor<K>[],
  mark: string,
  state: DeviceReal,
): MarkedFunctor<K>[] {
  return functors.map((functor, k) => {
    const ir = functor.ir!;
    const tables = new FunctorTables(ir, mark && `${mark}${k}_`, state);
    const lowered = functorText(functor, ir, tables, mark && `_${mark}${k}`);
    const text = `
// ${what} functor ${functor.name}.
${lowered.structs}
${lowered.functions}`;
    return { functor, tables, lowered, text };
  });
}

/** Names of functors by what their parameters begin with. */
export const markedNames = (
  mark: string,
  functors: readonly Functor[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(functors.map(({ name }, k) => [`${mark}${k}`, name]));

/**
 * Lowers a functor that has parameters but no arrays; `suffix` tells its names apart from other uses in one kernel.
 */
export function functorText(
  functor: Functor,
  ir: FunctorIR,
  tables: FunctorTables,
  suffix = '',
  { gathered, hoist = false }: PairLowering = {},
): LoweredWgsl {
  const env: WgslEnv = {
    ...(gathered ? { gathered } : {}),
    param: (field) => tables.param(field),
    item: (_role, field, index) => tables.item(field, index),
    writeItem: (role, field) => {
      throw new Error(`${functor.name} writes to ${role}.${field}`);
    },
  };
  return lowerWith(functor, ir, env, suffix, tables.real, hoist);
}

/** How a functor of pairs is lowered: sums that the caller settles, and whether it calls what comes before (`LoweredWgsl`). */
export interface PairLowering {
  readonly gathered?: ReadonlySet<string>;
  readonly hoist?: boolean;
}

/** Lowers a functor; its WGSL function gets a prefix that no scaffold uses. */
export function lowerWith(
  functor: Functor,
  ir: FunctorIR,
  env: WgslEnv,
  suffix = '',
  real: DeviceReal = 'f32',
  hoist = false,
): LoweredWgsl {
  const body = functor.spec.wgsl;
  const name = `functor_${functor.name}${suffix}`;
  return lowerToWgsl(ir, { name, env, real, hoist, ...(body === undefined ? {} : { body }) });
}
