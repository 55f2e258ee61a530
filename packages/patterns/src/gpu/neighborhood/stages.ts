import type { FunctorIR, Stmt } from '@corpuscle/functor/ir';
import { compare, field, whole } from '../../plan/adapt/build.js';

/** The member of the context that says which part of the functor runs. */
export const STAGE = 'opt_stage';

/** A functor of pairs, its start and its stop as one function: `x.opt_stage` 0 starts, 1 takes a pair, 2 stops. */
export function inStages(ir: FunctorIR): FunctorIR {
  const at = (stage: number, part: FunctorIR, rest: readonly Stmt[]): Stmt => ({
    kind: 'if',
    condition: compare('==', field('x', STAGE, 'u32'), whole(stage)),
    then: part.body,
    else: rest,
  });
  const parts = [ir.start!, ir, ir.stop!];
  const { start: _, stop: __, ...pairs } = ir;
  return {
    ...pairs,
    roles: {
      ...ir.roles,
      x: { ...ir.roles.x, [STAGE]: { type: 'u32', array: false, writable: false } },
    },
    body: [at(0, parts[0]!, [at(1, ir, parts[2]!.body)])],
    helpers: [...new Set(parts.flatMap(({ helpers }) => helpers))],
  };
}
