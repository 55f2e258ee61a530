import type { Functor } from '../Functor.js';
import type { RoleField } from '../ir.js';

const derived = new WeakMap<Functor, Map<string, Functor>>();

/**
 * The same functor with parameters that a call takes from values of its context. Back ends that keep values in memory of
 * their own read them there; others see ordinary parameters.
 */
export function fromValues<F extends Functor>(functor: F, names: readonly string[]): F {
  if (names.length === 0) return functor;
  const key = names.join();
  const variants = derived.get(functor) ?? new Map<string, Functor>();
  derived.set(functor, variants);
  let variant = variants.get(key);
  if (!variant) {
    variant = { ...functor, ir: functor.ir && mark(functor.ir, names) };
    variants.set(key, variant);
  }
  return variant as F;
}

function mark(ir: NonNullable<Functor['ir']>, names: readonly string[]): Functor['ir'] {
  const p: Record<string, RoleField> = { ...ir.roles.p };
  for (const name of names) p[name] = { ...p[name]!, fromValue: true };
  return { ...ir, roles: { ...ir.roles, p } };
}
