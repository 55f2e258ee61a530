import type { Functor } from '../../functor/Functor.js';
import type { FunctorIR } from '../../functor/ir.js';
import { lowerToWgsl } from '../../lower/wgsl/lowerToWgsl.js';
import type { LoweredWgsl, WgslEnv } from '../../lower/wgsl/WgslEnv.js';
import type { FunctorTables } from './FunctorTables.js';

/** Lowers a functor that has parameters but no arrays. */
export function functorText(functor: Functor, ir: FunctorIR, tables: FunctorTables): LoweredWgsl {
  return lowerWith(functor, ir, {
    param: (field) => tables.param(field),
    item: (_role, field, index) => tables.item(field, index),
    writeItem: (role, field) => {
      throw new Error(`${functor.name} writes to ${role}.${field}`);
    },
  });
}

/** Lowers a functor; its WGSL function gets a prefix that no scaffold uses. */
export function lowerWith(functor: Functor, ir: FunctorIR, env: WgslEnv): LoweredWgsl {
  const body = functor.spec.wgsl;
  const name = `functor_${functor.name}`;
  return lowerToWgsl(ir, body === undefined ? { name, env } : { name, env, body });
}
