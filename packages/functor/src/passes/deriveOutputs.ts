import { CorpuscleError, type SourceLocation } from '../error/CorpuscleError.js';
import type { Expr, FunctorIR, RoleField, Stmt, Variable } from '../ir.js';
import type { DerivedOutput, DerivedSchema } from '../schema.js';
import { forEachExpression, forEachStatement, mapStatement } from './walk.js';

type Write = Extract<Stmt, { kind: 'write' }>;

/**
 * Adds the outputs that follow from others, such as virials from forces, to a functor of pairs:
 *
 *   i.fx += e    →    const t = e; i.fx += t; i.vxx += (0.5 t) d.x; …
 *
 * A term that is a variable times a component of d keeps its form, which back ends know as a central force, and what
 * follows from it shares one product:
 *
 *   i.fx += f d.x; i.fy += f d.y; …    →    the same; const half = 0.5 f; i.vxx += half d.x d.x; i.vxy += half d.x d.y; …
 *
 * Terms are handled where they are written, so that branches and weights count as for the output itself. Outputs that
 * are not wanted are dropped later, with all that was computed for them.
 *
 * @throws CorpuscleError FUNCTOR_TYPE when an output that others follow from is read or overwritten.
 */
export function deriveOutputs(
  ir: FunctorIR,
  derived: DerivedSchema,
  source: SourceLocation,
): FunctorIR {
  const outputs = Object.entries(derived);
  if (outputs.length === 0) return ir;
  const origins = new Set(outputs.map(([, { of }]) => of));
  checkSums(ir, origins, source);
  const fresh = namer(ir);
  const isOrigin = (s: Stmt): s is Write =>
    s.kind === 'write' && s.role === 'i' && origins.has(s.field);
  const list = (body: readonly Stmt[]): Stmt[] => {
    const result: Stmt[] = [];
    let run: Write[] = [];
    const flush = () => {
      result.push(...withDerived(run, outputs, fresh));
      run = [];
    };
    for (const s of body) {
      if (isOrigin(s)) {
        run.push(s);
        continue;
      }
      flush();
      result.push(mapStatement(s, (e) => e, list));
    }
    flush();
    return result;
  };
  const field: RoleField = { type: 'real', array: false, writable: true };
  const i = { ...ir.roles.i, ...Object.fromEntries(outputs.map(([name]) => [name, field])) };
  return { ...ir, roles: { ...ir.roles, i }, body: list(ir.body) };
}

/** Writes in a row, and after them what follows from them. */
function withDerived(
  run: readonly Write[],
  outputs: readonly (readonly [string, DerivedOutput])[],
  fresh: () => Variable,
): Stmt[] {
  const writes: Stmt[] = [];
  const products: Stmt[] = [];
  const scaled = new Map<Variable, Map<number, Expr>>();
  const constant = (value: Expr, into: Stmt[]): Expr & { kind: 'variable' } => {
    const variable = fresh();
    into.push({ kind: 'declare', variable, value });
    return { kind: 'variable', type: 'real', variable };
  };
  const terms = run.map((write) => {
    const central = alongDisplacement(write.value);
    const base = central?.factor ?? variableOf(write.value) ?? constant(write.value, writes);
    const value = central || base === write.value ? write.value : base;
    writes.push({ ...write, value });
    return { write, base, component: central?.component };
  });
  for (const [field, { of, along, factor }] of outputs) {
    for (const { write, base, component } of terms) {
      if (write.field !== of) continue;
      const known = scaled.get(base.variable) ?? new Map<number, Expr>();
      scaled.set(base.variable, known);
      const scale = (): Expr =>
        factor === 1
          ? base
          : constant(product({ kind: 'number', type: 'real', value: factor }, base), products);
      const first = known.get(factor) ?? scale();
      known.set(factor, first);
      const once = product(first, displacement(along));
      const value = component ? product(once, component) : once;
      products.push({ kind: 'write', role: 'i', field, op: write.op, value });
    }
  }
  return [...writes, ...products];
}

/** Variable and component of d, where an expression is their product. */
function alongDisplacement(e: Expr) {
  if (e.kind !== 'binary' || e.op !== '*') return null;
  for (const [factor, component] of [
    [e.left, e.right],
    [e.right, e.left],
  ] as const) {
    const isComponent = component.kind === 'field' && component.role === 'd';
    if (factor.kind === 'variable' && isComponent && component.field.length === 1)
      return { factor, component };
  }
  return null;
}

const variableOf = (e: Expr) => (e.kind === 'variable' ? e : null);

const product = (left: Expr, right: Expr): Expr => ({
  kind: 'binary',
  type: 'real',
  op: '*',
  left,
  right,
});

const displacement = (field: string): Expr => ({ kind: 'field', type: 'real', role: 'd', field });

/** Variables with names that the functor does not use. */
function namer(ir: FunctorIR): () => Variable {
  const used = new Set<string>();
  forEachStatement(ir.body, (s) => {
    if (s.kind === 'declare' || s.kind === 'declareArray') used.add(s.variable.id);
    if (s.kind === 'callMany') for (const { id } of s.targets) used.add(id);
  });
  let next = 0;
  return () => {
    while (used.has(`derived_${next}`)) next++;
    return { id: `derived_${next++}`, name: 'derived', type: 'real', size: 0 };
  };
}

/** What others follow from can only be added to. */
function checkSums(ir: FunctorIR, origins: ReadonlySet<string>, source: SourceLocation): void {
  const fail = (field: string): never => {
    throw new CorpuscleError(
      'FUNCTOR_TYPE',
      `functor '${ir.name}' (defined at ${source.file}:${source.line}:${source.column}): other outputs are derived from '${field}', but it is read or overwritten; only add to it (+= or -=), in the body and not in hooks`,
      { location: source },
    );
  };
  for (const part of [ir, ir.start, ir.stop]) {
    forEachStatement(part?.body ?? [], (s) => {
      if (s.kind !== 'write' || s.role !== 'i' || !origins.has(s.field)) return;
      if (part !== ir || (s.op !== '+=' && s.op !== '-=')) fail(s.field);
    });
    forEachExpression(part?.body ?? [], (e) => {
      if (e.kind === 'field' && e.role === 'i' && origins.has(e.field)) fail(e.field);
    });
  }
}
