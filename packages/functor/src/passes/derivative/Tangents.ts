import type { Expr, HelperIR, Stmt, Variable } from '../../ir.js';
import { forEachStatement, operandsOf } from '../walk.js';
import { chosen, negative, number, splitFactor } from './algebra.js';
import { binaryTangent, builtinTangent, mathTangent, type Tangent } from './partials.js';

/** Makes real variables with names that are not in use. */
export type Namer = (base: string) => Variable;

/** Where derivatives of helpers come from. */
export interface TangentHelpers {
  /**
   * The helper `(…arguments, …tangents of those that change)` whose results are the tangents of the real results; null where
   * they do not depend on what changes.
   */
  of(helper: HelperIR, changes: readonly boolean[]): HelperIR | null;
}

/** A function body, and what it is derived by. */
export interface TangentInput {
  readonly body: readonly Stmt[];
  readonly name: Namer;
  readonly helpers: TangentHelpers;
  /** The tangent of a field or an element that is an input; null for those that stay. */
  readonly seed?: (leaf: Expr) => Tangent;
  /** Parameters that are inputs, and their tangents: variables, or a number for one that is never assigned. */
  readonly inputs?: ReadonlyMap<Variable, Expr>;
}

/**
 * Forward differentiation of one function body: beside every real variable that depends on the input stands one more with
 * its tangent, and every statement that gives the first a value gives the other its own:
 *
 *   const x = exp(−a r);   →   const x = exp(−a r); const x_t = x (−a);
 *
 * Of a branch that is taken the derivative is taken. Integers and what is compared do not change.
 */
export class Tangents {
  readonly #active = new Set<Variable>();
  readonly #tangents = new Map<Variable, Variable>();
  /** Tangents that need no variable: numbers, and multiples of a variable. */
  readonly #plain = new Map<Variable, Expr>();
  readonly #assigned = new Map<Variable, number>();
  readonly #definitions = new Map<Variable, Expr>();
  readonly #helpers: TangentHelpers;
  readonly #name: Namer;
  readonly #seed: (leaf: Expr) => Tangent;

  constructor({ body, name, helpers, seed, inputs }: TangentInput) {
    this.#name = name;
    this.#helpers = helpers;
    this.#seed = seed ?? (() => null);
    this.#count(body);
    for (const [variable, tangent] of inputs ?? []) {
      this.#active.add(variable);
      if (tangent.kind === 'variable') {
        this.#tangents.set(variable, tangent.variable);
        this.#assigned.set(tangent.variable, this.#assigned.get(variable) ?? 0);
      } else this.#plain.set(variable, tangent);
    }
    for (let before = -1; before !== this.#active.size; ) {
      before = this.#active.size;
      this.#spread(body);
    }
  }

  /** Does the value depend on the input? */
  isActive(variable: Variable): boolean {
    return this.#active.has(variable);
  }

  /** Statements with those of the tangents; `onReturn` says what becomes of a return. */
  list(body: readonly Stmt[], extra: (s: Stmt) => readonly Stmt[] = (s) => [s]): Stmt[] {
    return body.flatMap((s) => this.#statement(s, extra));
  }

  readonly tangentOf = (e: Expr): Tangent => {
    if (e.type !== 'real') return null;
    switch (e.kind) {
      case 'number':
        return null;
      case 'variable':
        return this.#ofVariable(e.variable);
      case 'element':
        if (!this.#active.has(e.variable)) return null;
        return { ...e, variable: this.#variable(e.variable) };
      case 'field':
      case 'item':
        return this.#seed(e);
      case 'unary': {
        const inner = this.tangentOf(e.operand);
        return inner && negative(inner);
      }
      case 'binary':
        return binaryTangent(e, this.tangentOf(e.left), this.tangentOf(e.right));
      case 'select': {
        const [then, otherwise] = [this.tangentOf(e.then), this.tangentOf(e.else)];
        if (!then && !otherwise) return null;
        return chosen(e.condition, then ?? number(0), otherwise ?? number(0));
      }
      case 'math': {
        const tangents = e.args.map(this.tangentOf);
        return tangents.every((t) => !t) ? null : mathTangent(e, tangents, this);
      }
      case 'call': {
        const tangents = e.args.map(this.tangentOf);
        if (tangents.every((t) => !t)) return null;
        const rule = builtinTangent(e, tangents);
        if (rule !== undefined) return rule;
        const helper = this.#helpers.of(
          e.helper,
          tangents.map((t) => t !== null),
        );
        if (!helper) return null;
        const args = [...e.args, ...tangents.filter((t) => t !== null)];
        return { kind: 'call', type: 'real', helper, args };
      }
      default:
        return null;
    }
  };

  /** What a variable that is set once stands for, where that can be written anywhere. */
  readonly definition = (e: Expr): Expr =>
    (e.kind === 'variable' && this.#definitions.get(e.variable)) || e;

  #ofVariable(variable: Variable): Tangent {
    if (!this.#active.has(variable)) return null;
    const plain = this.#plain.get(variable);
    if (plain) return plain;
    return { kind: 'variable', type: 'real', variable: this.#variable(variable) };
  }

  #variable(variable: Variable): Variable {
    let tangent = this.#tangents.get(variable);
    if (!tangent) {
      tangent = { ...this.#name(`${variable.id}_t`), size: variable.size };
      this.#tangents.set(variable, tangent);
      this.#assigned.set(tangent, this.#assigned.get(variable) ?? 0);
    }
    return tangent;
  }

  #statement(s: Stmt, extra: (s: Stmt) => readonly Stmt[]): Stmt[] {
    switch (s.kind) {
      case 'declare':
        if (!this.#active.has(s.variable)) return [s];
        return [s, ...this.#declared(s.variable, this.tangentOf(s.value) ?? number(0))];
      case 'assign': {
        if (!this.#active.has(s.variable)) return [s];
        // The tangent first: it may be made of what the variable held before.
        const value = this.tangentOf(s.value) ?? number(0);
        return [{ kind: 'assign', variable: this.#variable(s.variable), value }, s];
      }
      case 'declareArray': {
        if (!this.#active.has(s.variable)) return [s];
        const elements = s.elements.map((e) => this.tangentOf(e) ?? number(0));
        return [s, { kind: 'declareArray', variable: this.#variable(s.variable), elements }];
      }
      case 'assignElement': {
        if (!this.#active.has(s.variable)) return [s];
        const value = this.tangentOf(s.value) ?? number(0);
        return [{ ...s, variable: this.#variable(s.variable), value }, s];
      }
      case 'callMany':
        return [s, ...this.#called(s)];
      case 'if':
        return [{ ...s, then: this.list(s.then, extra), else: this.list(s.else, extra) }];
      case 'loop':
        return [{ ...s, body: this.list(s.body, extra), update: this.list(s.update, extra) }];
      default:
        return [...extra(s)];
    }
  }

  #declared(variable: Variable, tangent: Expr): Stmt[] {
    const once = this.#assigned.get(variable) === 1;
    const { factor, rest } = splitFactor(tangent);
    if (once && (rest.kind === 'number' || this.#isFixed(rest))) {
      this.#plain.set(variable, tangent);
      return [];
    }
    const target = this.#variable(variable);
    const own: Expr = { kind: 'variable', type: 'real', variable: target };
    if (!once || factor === 1) return [{ kind: 'declare', variable: target, value: tangent }];
    this.#plain.set(
      variable,
      factor === -1
        ? negative(own)
        : { kind: 'binary', type: 'real', op: '*', left: number(factor), right: own },
    );
    return [{ kind: 'declare', variable: target, value: rest }];
  }

  #called(s: Extract<Stmt, { kind: 'callMany' }>): Stmt[] {
    const tangents = s.args.map(this.tangentOf);
    const helper = this.#helpers.of(
      s.helper,
      tangents.map((t) => t !== null),
    );
    if (!helper) return [];
    const args = [...s.args, ...tangents.filter((t) => t !== null)];
    const targets = s.targets.filter(({ type }) => type === 'real').map((v) => this.#variable(v));
    if (targets.length > 1) return [{ kind: 'callMany', targets, helper, args }];
    const value: Expr = { kind: 'call', type: 'real', helper, args };
    return [{ kind: 'declare', variable: targets[0]!, value }];
  }

  /** A variable that never changes. */
  #isFixed(e: Expr): boolean {
    return e.kind === 'variable' && (this.#assigned.get(e.variable) ?? 0) <= 1;
  }

  /** How often variables are given a value, and what those are that are given one once and for all. */
  #count(body: readonly Stmt[]): void {
    const add = (v: Variable) => this.#assigned.set(v, (this.#assigned.get(v) ?? 0) + 1);
    forEachStatement(body, (s) => {
      if ('variable' in s) add(s.variable);
      else if (s.kind === 'callMany') s.targets.forEach(add);
    });
    const isFixed = (e: Expr): boolean => {
      if (e.kind === 'variable') return (this.#assigned.get(e.variable) ?? 0) <= 1;
      if (e.kind === 'element') return false;
      if (e.kind === 'field' || e.kind === 'item')
        return /^[pdj]$/.test(e.role) && operandsOf(e).every(isFixed);
      return operandsOf(e).every(isFixed);
    };
    forEachStatement(body, (s) => {
      if (s.kind === 'declare' && this.#assigned.get(s.variable) === 1 && isFixed(s.value))
        this.#definitions.set(s.variable, s.value);
    });
  }

  /** Marks the variables that are given a value which depends on the input. */
  #spread(body: readonly Stmt[]): void {
    const mark = (variable: Variable, e: Expr) => {
      if (variable.type === 'real' && !this.#active.has(variable) && this.tangentOf(e))
        this.#active.add(variable);
    };
    forEachStatement(body, (s) => {
      if (s.kind === 'declare' || s.kind === 'assign' || s.kind === 'assignElement')
        mark(s.variable, s.value);
      else if (s.kind === 'declareArray') for (const e of s.elements) mark(s.variable, e);
      else if (s.kind === 'callMany') {
        const mask = s.args.map((arg) => this.tangentOf(arg) !== null);
        if (!this.#helpers.of(s.helper, mask)) return;
        for (const v of s.targets) if (v.type === 'real') this.#active.add(v);
      }
    });
  }
}
