import type { Functor } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import { type LoweredWgsl, lowerToWgsl, type WgslEnv } from '@corpuscle/functor/wgsl';
import type { DeviceReal } from '../double/DeviceReals.js';
import type { FunctorTables } from './FunctorTables.js';

/** Lowers a functor that has parameters but no arrays; `suffix` tells its names apart from other uses in one kernel. */
export function functorText(
  functor: Functor,
  ir: FunctorIR,
  tables: FunctorTables,
  suffix = '',
): LoweredWgsl {
  const env: WgslEnv = {
    param: (field) => tables.param(field),
    item: (_role, field, index) => tables.item(field, index),
    writeItem: (role, field) => {
      throw new Error(`${functor.name} writes to ${role}.${field}`);
    },
  };
  return lowerWith(functor, ir, env, suffix, tables.real);
}

/** Lowers a functor; its WGSL function gets a prefix that no scaffold uses. */
export function lowerWith(
  functor: Functor,
  ir: FunctorIR,
  env: WgslEnv,
  suffix = '',
  real: DeviceReal = 'f32',
): LoweredWgsl {
  const body = functor.spec.wgsl;
  const name = `functor_${functor.name}${suffix}`;
  return lowerToWgsl(ir, body === undefined ? { name, env, real } : { name, env, real, body });
}
