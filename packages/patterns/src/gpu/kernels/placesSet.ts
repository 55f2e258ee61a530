import { fieldUse } from '@corpuscle/functor/passes';
import type { PlacedFunctor } from './valueSource.js';

/** Places of the values that a value functor sets. */
export function placesSet({ functor, places }: PlacedFunctor): number[] {
  const written = fieldUse(functor.ir!).writes.get('i');
  const names = functor.spec.kind === 'cell' ? Object.keys(functor.spec.fields) : [];
  return names.flatMap((name, n) => (written?.has(name) ? [places[n]!] : []));
}
