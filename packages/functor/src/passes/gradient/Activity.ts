import type { Expr, FunctorIR, Stmt, Variable } from '../../ir.js';
import { forEachExpression, forEachStatement, operandsOf } from '../walk.js';
import { isComplete, isVariable, type Loop } from './Loop.js';

/** Where an energy is added, and what it depends on. */
export interface EnergyOf {
  /** The output of the central particle, and the one of its neighbors with the same name. */
  readonly of: string;
}

const positions = new Set(['dx', 'dy', 'dz', 'r2']);
/** Constant wherever they have a derivative. */
const steps = new Set(['floor', 'ceil', 'trunc', 'round', 'sign']);

/** What depends on the positions of neighbors: variables, and arrays of the buffer. */
export class Activity {
  readonly #variables = new Set<Variable>();
  readonly #arrays = new Set(positions);

  constructor(
    body: readonly Stmt[],
    readonly roles: FunctorIR['roles'],
  ) {
    const size = () => this.#variables.size + this.#arrays.size;
    for (let before = -1; before !== size(); ) {
      before = size();
      forEachStatement(body, (s) => this.#visit(s));
    }
  }

  has(variable: Variable): boolean {
    return this.#variables.has(variable);
  }

  /** The variable stands for another one now. */
  copy(from: Variable, to: Variable): void {
    if (this.#variables.has(from)) this.#variables.add(to);
  }

  hasArray(field: string): boolean {
    return this.#arrays.has(field);
  }

  readonly of = (e: Expr): boolean => {
    if (e.type !== 'real') return false;
    switch (e.kind) {
      case 'variable':
      case 'element':
        return this.#variables.has(e.variable);
      case 'item':
        return e.role === 'n' && this.#arrays.has(e.field);
      case 'select':
        return this.of(e.then) || this.of(e.else);
      case 'math':
        return !steps.has(e.name) && e.args.some(this.of);
      default:
        return operandsOf(e).some(this.of);
    }
  };

  /**
   * Does a loop over all neighbors look at no more than the distance of the neighbor at hand? Then forward differentiation by
   * r² serves it, and nothing has to be computed twice.
   */
  isRadial(loop: Loop, energy: EnergyOf): boolean {
    if (!isComplete(loop)) return false;
    const { body } = loop.loop;
    const own = new Set<Variable>();
    const written = new Set<string>();
    let radial = true;
    const atHand = (index: Expr) => isVariable(index, loop.counter);
    forEachStatement(body, (s) => {
      if (s.kind === 'declare' || s.kind === 'declareArray') own.add(s.variable);
      else if (s.kind === 'callMany') for (const v of s.targets) own.add(v);
      else if (s.kind === 'writeItem') {
        radial &&= atHand(s.index) && s.op === (s.field === energy.of ? s.op : '=');
        written.add(s.field);
      }
    });
    forEachStatement(body, (s) => {
      if (s.kind === 'assignElement') radial &&= own.has(s.variable);
    });
    const sums = new Set<Variable>();
    forEachStatement(body, (s) => {
      if (s.kind === 'assign' && !own.has(s.variable)) sums.add(s.variable);
    });
    forEachExpression(body, (e) => {
      if (e.kind === 'variable' && this.has(e.variable))
        radial &&= own.has(e.variable) || sums.has(e.variable);
      if (e.kind !== 'item' || e.role !== 'n' || !this.#arrays.has(e.field)) return;
      radial &&= atHand(e.index) && (e.field === 'r2' || written.has(e.field));
    });
    return radial;
  }

  #visit(s: Stmt): void {
    const mark = (variable: Variable, e: Expr) => {
      if (variable.type === 'real' && this.of(e)) this.#variables.add(variable);
    };
    if (s.kind === 'declare' || s.kind === 'assign' || s.kind === 'assignElement')
      mark(s.variable, s.value);
    else if (s.kind === 'declareArray') for (const e of s.elements) mark(s.variable, e);
    else if (s.kind === 'callMany') {
      if (s.args.some(this.of))
        for (const v of s.targets) if (v.type === 'real') this.#variables.add(v);
    } else if (s.kind === 'writeItem' && s.role === 'n' && !this.roles.n?.[s.field]?.collects)
      if (this.of(s.value)) this.#arrays.add(s.field);
  }
}
