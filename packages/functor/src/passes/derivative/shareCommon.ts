import type { Expr, Stmt, Variable } from '../../ir.js';
import { expressionsOf, forEachStatement, mapOperands, mapStatement, operandsOf } from '../walk.js';
import type { Namer } from './Tangents.js';

/**
 * Computes once what is computed several times: what occurs again where it is known already becomes a variable, declared
 * before the statement of its first occurrence.
 *
 *   const x = exp(−a r); e += x · exp(−a r)   →   const x = exp(−a r); e += x · x
 *
 * Two expressions are the same when they are made of the same operations on variables that have not been given another
 * value meanwhile. Conditions of loops stay as they are. What is needed on one side of a choice only may be computed
 * before it, but for reads of tables and calls of helpers.
 */
export function shareCommon(body: readonly Stmt[], name: Namer): Stmt[] {
  const sharing = new Sharing(name);
  const own = copied(body); // a statement may stand in several places
  sharing.count(own, null);
  return sharing.write(own);
}

const copied = (body: readonly Stmt[]): Stmt[] =>
  body.map((s) => ({ ...mapStatement(s, (e) => e, copied) }));

/** An expression that is known where it first occurred, and below. */
interface Known {
  readonly statement: Stmt;
  uses: number;
  /** Present where it is worth a variable; the statement's own where it declares one for good. */
  variable: Variable | null;
  readonly first: Expr;
}

interface Scope {
  readonly known: Map<string, Known>;
  readonly outer: Scope | null;
}

class Sharing {
  readonly #name: Namer;
  /** What each occurrence of an expression is the same as. */
  readonly #found = new Map<Stmt, Map<Expr, Known>>();
  readonly #keys = new Map<string, string>();
  readonly #versions = new Map<string, number>();
  readonly #assignments = new Map<Variable, number>();
  #version = 0;

  constructor(name: Namer) {
    this.#name = name;
  }

  /** First walk: which expressions are the same, and how often they occur. */
  count(body: readonly Stmt[], outer: Scope | null): void {
    if (!outer) this.#countAssignments(body);
    const scope: Scope = { known: new Map(), outer };
    for (const s of body) {
      if (s.kind === 'loop') {
        this.#forgetAssigned([s]);
        this.count(s.body, scope);
        this.count(s.update, scope);
        this.#forgetAssigned([s]);
        continue;
      }
      const places = new Map<Expr, Known>();
      this.#found.set(s, places);
      for (const e of valuesOf(s)) this.#visit(e, s, places, scope, false);
      if (s.kind === 'if') {
        this.count(s.then, scope);
        this.count(s.else, scope);
        this.#forgetAssigned([s]);
      } else this.#forget(s);
      if (s.kind === 'declare' && this.#assignments.get(s.variable) === 1) {
        const known = places.get(s.value);
        if (known?.statement === s && known.first === s.value && !known.variable)
          known.variable = s.variable;
      }
    }
  }

  /** Second walk: declares what is worth a variable, and takes it from there. */
  write(body: readonly Stmt[]): Stmt[] {
    return body.flatMap((s) => {
      const list = (inner: readonly Stmt[]) => this.write(inner);
      const places = this.#found.get(s);
      if (!places) return [mapStatement(s, (e) => e, list)];
      const before: Stmt[] = [];
      const declared = new Set<Known>();
      const replace = (e: Expr): Expr => {
        const known = places.get(e);
        if (!known || known.uses < 2) return mapOperands(e, replace);
        const own = s.kind === 'declare' && known.variable === s.variable;
        if (own) return mapOperands(e, replace);
        if (known.statement === s && !declared.has(known)) {
          declared.add(known);
          const value = mapOperands(e, replace);
          known.variable ??= { ...this.#name('shared_0'), type: e.type };
          before.push({ kind: 'declare', variable: known.variable, value });
        }
        return { kind: 'variable', type: e.type, variable: known.variable! };
      };
      const mapped = mapStatement(s, replace, list);
      return [...before, mapped];
    });
  }

  #visit(e: Expr, s: Stmt, places: Map<Expr, Known>, scope: Scope, conditional: boolean): void {
    if (operandsOf(e).length === 0) return;
    const key = this.#keyOf(e);
    const known = isWorthIt(e) ? lookUp(scope, key) : undefined;
    if (known) {
      known.uses++;
      places.set(e, known);
      return;
    }
    if (isWorthIt(e) && !(conditional && !isSafe(e))) {
      const made: Known = { statement: s, uses: 1, variable: null, first: e };
      scope.known.set(key, made);
      places.set(e, made);
    }
    operandsOf(e).forEach((operand, k) => {
      const sometimes = (e.kind === 'select' || e.kind === 'logic') && k > 0;
      this.#visit(operand, s, places, scope, conditional || sometimes);
    });
  }

  /** A short text that tells expressions apart, of what variables hold now. */
  #keyOf(e: Expr): string {
    const version = (what: string) => this.#versions.get(what) ?? 0;
    const text = (own: string) => {
      const long = `${own} ${operandsOf(e)
        .map((operand) => this.#keyOf(operand))
        .join(' ')}`;
      const short = this.#keys.get(long) ?? `#${this.#keys.size}`;
      this.#keys.set(long, short);
      return short;
    };
    switch (e.kind) {
      case 'number':
        return `${e.type}${Object.is(e.value, -0) ? '-0' : e.value}`;
      case 'boolean':
        return `${e.value}`;
      case 'variable':
        return `${e.variable.id}@${version(e.variable.id)}`;
      case 'element':
        return text(`${e.variable.id}@${version(e.variable.id)}[`);
      case 'field':
        return `${e.role}.${e.field}@${version(`${e.role}.${e.field}`)}`;
      case 'item':
        return text(`${e.role}.${e.field}@${version(`${e.role}.${e.field}`)}[`);
      case 'math':
      case 'test':
        return text(`${e.kind} ${e.type} ${e.name}`);
      case 'call':
        return text(`${e.kind} ${e.helper.name}`);
      case 'cast':
      case 'select':
        return text(`${e.kind} ${e.type}`);
      default:
        return text(`${e.kind} ${e.type} ${e.op}`);
    }
  }

  #forget(s: Stmt): void {
    const change = (what: string) => void this.#versions.set(what, ++this.#version);
    if ('variable' in s) change(s.variable.id);
    else if (s.kind === 'callMany') for (const { id } of s.targets) change(id);
    else if (s.kind === 'write' || s.kind === 'writeItem') change(`${s.role}.${s.field}`);
  }

  #forgetAssigned(body: readonly Stmt[]): void {
    forEachStatement(body, (s) => void this.#forget(s));
  }

  #countAssignments(body: readonly Stmt[]): void {
    const add = (v: Variable) => this.#assignments.set(v, (this.#assignments.get(v) ?? 0) + 1);
    forEachStatement(body, (s) => {
      if ('variable' in s) add(s.variable);
      else if (s.kind === 'callMany') s.targets.forEach(add);
    });
  }
}

function lookUp(scope: Scope | null, key: string): Known | undefined {
  for (let at = scope; at; at = at.outer) {
    const known = at.known.get(key);
    if (known) return known;
  }
  return undefined;
}

/** Expressions of a statement that are computed where it stands: the condition of a loop is computed again and again. */
const valuesOf = (s: Stmt): readonly Expr[] => (s.kind === 'loop' ? [] : expressionsOf(s));

/** Signs cost nothing, and nothing is gained by a variable for a truth value. */
const isWorthIt = (e: Expr): boolean =>
  e.type !== 'bool' && !(e.kind === 'unary' && e.op === '-') && operandsOf(e).length > 0;

/** May be computed though it is not needed. */
const isSafe = (e: Expr): boolean =>
  e.kind !== 'item' &&
  e.kind !== 'element' &&
  !(e.kind === 'call' && !e.helper.builtin) &&
  operandsOf(e).every(isSafe);
