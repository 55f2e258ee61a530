import type { Functor } from '../Functor.js';
import type { FunctorSpec } from '../FunctorSpec.js';
import type { Expr, FunctorIR, Stmt } from '../ir.js';
import { mapOperands, mapStatement } from '../passes/walk.js';
import type { FieldSchema, ParamSchema } from '../schema.js';

/** The parameter that stands for a field. */
export const givenParameter = (field: string): string => `field_${field}`;

const derived = new WeakMap<Functor, Map<string, Functor>>();

/**
 * The same functor with fields of `read` turned into parameters: one number for all particles, where the grid has no such
 * field or the call gives its value. Engines see an ordinary functor.
 */
export function withGiven<F extends Functor>(functor: F, names: readonly string[]): F {
  if (names.length === 0) return functor;
  const key = names.join();
  let variants = derived.get(functor);
  if (!variants) {
    variants = new Map();
    derived.set(functor, variants);
  }
  let variant = variants.get(key);
  if (!variant) {
    variant = derive(functor, names);
    variants.set(key, variant);
  }
  return variant as F;
}

function derive(functor: Functor, names: readonly string[]): Functor {
  const { spec, ir } = functor;
  const types = 'read' in spec ? spec.read : {};
  const read: Record<string, FieldSchema[string]> = {};
  const params: Record<string, ParamSchema[string]> = { ...spec.params };
  for (const [name, type] of Object.entries(types)) {
    if (names.includes(name)) params[givenParameter(name)] = type;
    else read[name] = type;
  }
  return {
    ...functor,
    spec: { ...spec, read, params } as FunctorSpec,
    ir: ir && rewrite(ir, names),
    invoke: (...roles) => functor.invoke(...withValues(functor, roles, names)),
  };
}

function rewrite(ir: FunctorIR, names: readonly string[]): FunctorIR {
  const expression = (e: Expr): Expr => {
    if (e.kind === 'field' && e.role === 'i' && names.includes(e.field))
      return { ...e, role: 'p', field: givenParameter(e.field) };
    return mapOperands(e, expression);
  };
  const list = (body: readonly Stmt[]): Stmt[] =>
    body.map((s) => mapStatement(s, expression, list));
  const i = { ...ir.roles.i };
  const p = { ...ir.roles.p };
  for (const name of names) {
    p[givenParameter(name)] = { ...i[name]!, writable: false };
    delete i[name];
  }
  return { ...ir, roles: { ...ir.roles, i, p }, body: list(ir.body) };
}

/** For functors that are called as they stand: the particle appears to have the fields. */
function withValues(
  { kind }: Functor,
  roles: readonly object[],
  names: readonly string[],
): readonly object[] {
  const position = kind === 'reduce' ? 1 : 0;
  const params = roles[position + 1] as Record<string, number>;
  const particle = Object.create(roles[position]!, {
    ...Object.fromEntries(names.map((name) => [name, { value: params[givenParameter(name)] }])),
  });
  return roles.map((role, k) => (k === position ? particle : role));
}
