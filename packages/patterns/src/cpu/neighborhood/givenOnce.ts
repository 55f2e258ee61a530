import type { FunctorIR, Stmt } from '@corpuscle/functor/ir';
import { forEachExpression, listsOf } from '@corpuscle/functor/passes';

/**
 * The fields of neighbors that a functor adds to in one place, in a loop over neighbors that is in no other, and does not look
 * at: what a neighbor receives there is all it receives. Forces that follow from an energy are such.
 */
export function givenOnce({ body }: FunctorIR): Set<string> {
  const places = new Map<string, number>();
  const visit = (list: readonly Stmt[], depth: number): void => {
    for (const s of list) {
      if (s.kind === 'writeItem' && s.role === 'n') {
        const isOnce = depth === 1 && s.op !== '=' && !places.has(s.field);
        places.set(s.field, isOnce ? 1 : 2);
      }
      for (const inner of listsOf(s)) visit(inner, depth + Number(s.kind === 'loop'));
    }
  };
  visit(body, 0);
  forEachExpression(body, (e) => {
    if (e.kind === 'item' && e.role === 'n') places.delete(e.field);
  });
  return new Set([...places].flatMap(([field, count]) => (count === 1 ? [field] : [])));
}
