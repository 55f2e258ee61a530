import type { Functor } from '@corpuscle/functor';

const numbers = new WeakMap<Functor, number>();
let next = 0;

/** A name that no other functor has, for kernel keys. */
export function functorKey(functor: Functor): string {
  let number = numbers.get(functor);
  if (number === undefined) {
    number = next++;
    numbers.set(functor, number);
  }
  return `${functor.kind} ${functor.name}#${number}`;
}
