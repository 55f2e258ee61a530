import type { Expr, FunctorIR } from '@corpuscle/functor';
import { fieldUse, flattenBranches } from '@corpuscle/functor/passes';

/** Operations up to which a functor without branches costs less than one with. */
const FLAT = 64;

/** The square of the call's cutoff, as a parameter of the functor. */
export const CUTOFF = '__rcut2';

/** A small functor that looks at the cutoff itself and has no branches; null where that would not pay. */
export function withoutBranches(ir: FunctorIR): FunctorIR | null {
  // Attributes of neighbors are better read for those within the cutoff only.
  if (Object.keys(ir.roles.j ?? {}).some((field) => fieldUse(ir).reads.get('j')?.has(field)))
    return null;
  return flattened(ir);
}

/** The same of one that may read attributes of neighbors: these are on the way while positions are. */
export function flattened(ir: FunctorIR): FunctorIR | null {
  const p = { ...ir.roles.p, [CUTOFF]: { type: 'real', array: false, writable: false } } as const;
  const within: Expr = {
    kind: 'compare',
    type: 'bool',
    op: '<',
    left: { kind: 'field', type: 'real', role: 'd', field: 'r2' },
    right: { kind: 'field', type: 'real', role: 'p', field: CUTOFF },
  };
  return flattenBranches({ ...ir, roles: { ...ir.roles, p } }, within, FLAT);
}
