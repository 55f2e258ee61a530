import { fieldUse } from '@corpuscle/functor/passes';
import type { Functor, FunctorIR } from '@corpuscle/patterns';

type Stmt = FunctorIR['body'][number];

/** The field in which a particle leaves what it adds to a sum. */
export const termOf = (result: string): string => `term_${result}`;

const made = new WeakMap<Functor, Functor<'cell'> | null>();

/**
 * The functor that leaves what each particle adds to the sums of a reduction in fields of it, in place of adding it up. Minima and
 * maxima are left out. Null where it does more than to add.
 * @param sums names of the results that are sums
 */
export function termsOf(
  functor: Functor<'reduce'>,
  sums: readonly string[],
): Functor<'cell'> | null {
  const known = made.get(functor);
  if (known !== undefined) return known;
  const twin = makeTerms(functor, sums);
  made.set(functor, twin);
  return twin;
}

function makeTerms(functor: Functor<'reduce'>, sums: readonly string[]): Functor<'cell'> | null {
  const { ir, spec } = functor;
  if (ir === null || spec.kind !== 'reduce' || fieldUse(ir).reads.has('acc')) return null;
  const body = withTerms(ir.body, new Set(sums));
  if (!body) return null;
  const field = { type: 'real', array: false, writable: true } as const;
  const terms = sums.map(termOf);
  const { acc: _acc, ...roles } = ir.roles;
  const i = { ...roles.i, ...Object.fromEntries(terms.map((name) => [name, field])) };
  const { read, params } = spec;
  return {
    ...functor,
    kind: 'cell',
    ir: { ...ir, kind: 'cell', roles: { ...roles, i }, body },
    spec: {
      kind: 'cell',
      name: spec.name,
      fields: Object.fromEntries(terms.map((name) => [name, 'real'])),
      read,
      ...(params && { params }),
    },
  } as Functor<'cell'>;
}

/** The same statements with terms in place of sums; null where a result is set in another way. */
function withTerms(body: readonly Stmt[], sums: ReadonlySet<string>): readonly Stmt[] | null {
  const made: Stmt[] = [];
  for (const stmt of body) {
    if (stmt.kind === 'write' && stmt.role === 'acc') {
      if (!sums.has(stmt.field)) continue;
      if (stmt.op !== '+=' && stmt.op !== '-=') return null;
      made.push({ ...stmt, role: 'i', field: termOf(stmt.field) });
    } else if (stmt.kind === 'if') {
      const [yes, no] = [withTerms(stmt.then, sums), withTerms(stmt.else, sums)];
      if (!yes || !no) return null;
      made.push({ ...stmt, then: yes, else: no });
    } else if (stmt.kind === 'loop') {
      const [update, inner] = [withTerms(stmt.update, sums), withTerms(stmt.body, sums)];
      if (!update || !inner) return null;
      made.push({ ...stmt, update, body: inner });
    } else made.push(stmt);
  }
  return made;
}
