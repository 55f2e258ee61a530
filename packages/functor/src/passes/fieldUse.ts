import type { FunctorIR, MathName, RoleName } from '../ir.js';
import { forEachExpression, forEachStatement } from './walk.js';

export interface FieldUse {
  /** Fields whose value the function looks at, by role; `i.fx += …` alone does not look at fx. */
  readonly reads: ReadonlyMap<RoleName, ReadonlySet<string>>;
  /** Fields and arrays written, by role. */
  readonly writes: ReadonlyMap<RoleName, ReadonlySet<string>>;
  /** Math functions in use, helpers included. */
  readonly mathNames: ReadonlySet<MathName>;
}

/** What a functor touches: kernels load, store and import no more than that. */
export function fieldUse(ir: FunctorIR): FieldUse {
  const reads = new Map<RoleName, Set<string>>();
  const writes = new Map<RoleName, Set<string>>();
  const mathNames = new Set<MathName>();
  const add = (map: Map<RoleName, Set<string>>, role: RoleName, field: string): void => {
    const present = map.get(role);
    if (present) present.add(field);
    else map.set(role, new Set([field]));
  };
  for (const { body } of [ir, ...ir.helpers]) {
    forEachStatement(body, (s) => {
      if (s.kind === 'write' || s.kind === 'writeItem') add(writes, s.role, s.field);
    });
    forEachExpression(body, (e) => {
      if (e.kind === 'field' || e.kind === 'item') add(reads, e.role, e.field);
      else if (e.kind === 'math') mathNames.add(e.name);
    });
  }
  return { reads, writes, mathNames };
}
