import type { BlockSpec } from '@corpuscle/core';
import type { Expr, Functor, FunctorIR, Stmt } from '@corpuscle/patterns';

const OWN = 'halo_own';

/** Which rows of a halo grid are particles of the rank. */
export const ownBlock = {
  name: OWN,
  type: 'u32',
  width: 1,
  members: [OWN],
} as const satisfies BlockSpec;

const isOwn: Expr = { kind: 'field', type: 'u32', role: 'i', field: OWN };
const zero: Expr = { kind: 'number', type: 'u32', value: 0 };
const leave: Stmt = {
  kind: 'if',
  condition: { kind: 'compare', type: 'bool', op: '==', left: isOwn, right: zero },
  then: [{ kind: 'return', values: [] }],
  else: [],
};

const made = new WeakMap<Functor, Functor>();

/** The functor of neighborhoods that is called for the particles of the rank alone, and leaves ghosts out. It is compiled. */
export function ofOwnParticles<F extends Functor<'pair' | 'neighborhood'>>(functor: F): F {
  let twin = made.get(functor);
  if (!twin) {
    const { ir, spec } = functor;
    const own = { [OWN]: { type: 'u32', array: false, writable: false } } as const;
    const part = (one: FunctorIR): FunctorIR => ({
      ...one,
      roles: { ...one.roles, i: { ...own, ...one.roles.i } },
      body: [leave, ...one.body],
    });
    const { start, stop } = ir!;
    twin = {
      ...functor,
      ir: { ...part(ir!), ...(start && stop ? { start: part(start), stop: part(stop) } : {}) },
      spec: { ...spec, read: { [OWN]: 'u32', ...spec.read } },
    } as Functor;
    made.set(functor, twin);
  }
  return twin as F;
}
