import type { Functor } from '@corpuscle/patterns';

const made = new WeakMap<Functor, Functor>();

/** The functor for lists in which only one side of a pair is to receive something. */
export function oneSided<F extends Functor>(functor: F): F {
  if (functor.traits.newton3 !== true) return functor;
  let twin = made.get(functor);
  if (!twin) {
    const traits = { ...functor.traits, newton3: false };
    twin = Object.create(functor, { traits: { value: traits } }) as Functor;
    made.set(functor, twin);
  }
  return twin as F;
}
