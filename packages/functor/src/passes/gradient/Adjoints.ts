import type { Expr, Stmt, Variable } from '../../ir.js';
import { isSame, sum } from '../derivative/algebra.js';
import type { Namer } from '../derivative/Tangents.js';

/**
 * Adjoints of the variables that one list of statements declares. What the list itself contributes is gathered as an
 * expression; what lists inside of it contribute goes into a variable, which starts as 0 where the adjoints begin.
 */
export class Adjoints {
  readonly #own: ReadonlySet<Variable>;
  readonly #pending = new Map<Variable, Expr>();
  readonly #sums = new Map<Variable, Variable>();
  /** What is added to elements of arrays at the end of the list. */
  readonly #items: { readonly field: string; readonly index: Expr; adjoint: Expr }[] = [];

  constructor(
    own: ReadonlySet<Variable>,
    readonly name: Namer,
    readonly outer: Adjoints | null,
  ) {
    this.#own = own;
  }

  /** Variables that start as 0. */
  get starts(): Stmt[] {
    return [...this.#sums.values()].map((variable) => ({
      kind: 'declare',
      variable,
      value: { kind: 'number', type: 'real', value: 0 },
    }));
  }

  add(variable: Variable, adjoint: Expr): void {
    const present = this.#pending.get(variable);
    this.#pending.set(variable, present ? sum(present, adjoint) : adjoint);
  }

  /** Adds to an element of an array, once for all contributions to it. */
  addItem(field: string, index: Expr, adjoint: Expr): void {
    const present = this.#items.find((item) => item.field === field && isSame(item.index, index));
    if (present) present.adjoint = sum(present.adjoint, adjoint);
    else this.#items.push({ field, index, adjoint });
  }

  /** The statements that add to elements. */
  flushItems(): Stmt[] {
    return this.#items.splice(0).map(({ field, index, adjoint }) => ({
      kind: 'writeItem',
      role: 'n',
      field,
      index,
      op: '+=',
      value: adjoint,
    }));
  }

  /** All that has been contributed to a variable of this list; null for nothing. */
  take(variable: Variable): Expr | null {
    const pending = this.#pending.get(variable) ?? null;
    this.#pending.delete(variable);
    const kept = this.#sums.get(variable);
    if (!kept) return pending;
    return pending ? sum(readOf(kept), pending) : readOf(kept);
  }

  /** The variable that holds a variable's adjoint, wherever that is declared. */
  sumOf(variable: Variable): Variable {
    if (!this.#own.has(variable) && this.outer) return this.outer.sumOf(variable);
    let found = this.#sums.get(variable);
    if (!found) {
      found = this.name(`${variable.id}_adj`);
      this.#sums.set(variable, found);
    }
    return found;
  }

  /** Statements that put what has been gathered for a variable into its sum. */
  flush(variable: Variable): Stmt[] {
    const pending = this.#pending.get(variable);
    if (!pending) return [];
    this.#pending.delete(variable);
    const target = this.sumOf(variable);
    return [{ kind: 'assign', variable: target, value: sum(readOf(target), pending) }];
  }

  /** The same for all variables of lists further out. */
  flushOuter(): Stmt[] {
    const outer = [...this.#pending.keys()].filter((variable) => !this.#own.has(variable));
    return outer.flatMap((variable) => this.flush(variable));
  }
}

const readOf = (variable: Variable): Expr => ({ kind: 'variable', type: 'real', variable });
