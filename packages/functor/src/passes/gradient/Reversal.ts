import type { Expr, Stmt, Variable } from '../../ir.js';
import { negative, number } from '../derivative/algebra.js';
import type { Namer, TangentHelpers } from '../derivative/Tangents.js';
import { mapStatement } from '../walk.js';
import type { Activity, EnergyOf } from './Activity.js';
import { Adjoints } from './Adjoints.js';
import type { Fail } from './Fail.js';
import { freshCopy } from './freshCopy.js';
import { assignedOutside, type Item, itemsOf, type Loop, statementsOf } from './Loop.js';
import { pushed } from './pushed.js';
import { addedTerm } from './sums.js';

type ItemExpr = Extract<Expr, { kind: 'item' }>;

/** What reversal asks of its surroundings. */
export interface ReversalInput {
  readonly activity: Activity;
  readonly energy: EnergyOf;
  readonly name: Namer;
  readonly helpers: TangentHelpers;
  readonly fail: Fail;
  /** The array that holds the adjoints of an array of the buffer. */
  adjointArray(field: string): string;
  /** What an adjoint of an element is added to, and as what. */
  adjointItem(e: ItemExpr, adjoint: Expr): { readonly field: string; readonly value: Expr };
  /** A loop that is derived forward: its statements, which leave nothing to reverse; null for any other. */
  forward(loop: Loop): readonly Stmt[] | null;
  /** A sum that a loop derived forward adds to: what follows from its adjoint. */
  onSum(variable: Variable, adjoint: Expr): void;
}

/** Both sweeps over a list: statements, and then those that carry adjoints from the last of them to the first. */
export interface Sweeps {
  readonly forward: readonly Stmt[];
  readonly backward: readonly Stmt[];
}

/**
 * Reverse differentiation of a list of statements in which every value has a variable of its own. Branches and loops are
 * entered again on the way back, with what they compute computed anew:
 *
 *   A; loop { B }; C   →   A; loop { B }; C; C̄; loop { B; B̄ }; Ā
 *
 * Energies are added on the way back there, so that a loop that does nothing else is entered once.
 */
export class Reversal {
  constructor(readonly input: ReversalInput) {}

  sweeps(body: readonly Stmt[], outer: Adjoints | null, isSum: (v: Variable) => boolean): Sweeps {
    const { input } = this;
    const items = itemsOf(body, input.fail);
    const adjoints = new Adjoints(declaredBy(body), input.name, outer);
    const forward = items.flatMap((item) => this.#forward(item, isSum, outer !== null));
    const backward = [...items].reverse().flatMap((item) => this.#backward(item, adjoints));
    const ends = [...adjoints.flushItems(), ...adjoints.flushOuter()];
    return { forward, backward: [...adjoints.starts, ...backward, ...ends] };
  }

  /**
   * The statement itself; of what is entered again later all but the energies. On the way back (`again`) what is kept outside
   * of the list has its values already.
   */
  #forward(s: Item, isSum: (v: Variable) => boolean, again: boolean): readonly Stmt[] {
    if (s.kind === 'for' || s.kind === 'if') {
      const whole = s.kind === 'for' ? this.input.forward(s) : null;
      if (whole) return whole;
      const statements = s.kind === 'for' ? statementsOf(s) : [s];
      const kept = again ? [...assignedOutside(statements)].filter(isSum) : [];
      return this.#values(statements, new Set(kept), again);
    }
    if (again && s.kind === 'assign' && isSum(s.variable)) return [];
    if (again && s.kind === 'writeItem' && !this.#isEnergy(s)) return [];
    return [s];
  }

  /** What is computed, without outputs of the particle, energies and what is kept. */
  #values(body: readonly Stmt[], kept: ReadonlySet<Variable>, again: boolean): Stmt[] {
    return body.flatMap((s): Stmt[] => {
      if (this.#isEnergy(s) || s.kind === 'write') return [];
      if (s.kind === 'assign' && kept.has(s.variable)) return [];
      if (again && s.kind === 'writeItem') return [];
      return [
        mapStatement(
          s,
          (e) => e,
          (list) => this.#values(list, kept, again),
        ),
      ];
    });
  }

  #isEnergy(s: Stmt): boolean {
    const { of } = this.input.energy;
    return (s.kind === 'write' || s.kind === 'writeItem') && s.field === of;
  }

  #backward(s: Item, adjoints: Adjoints): Stmt[] {
    const { activity } = this.input;
    switch (s.kind) {
      case 'declare': {
        if (!activity.has(s.variable)) return [];
        const adjoint = adjoints.take(s.variable);
        return adjoint ? this.#bound(s.value, adjoint, `${s.variable.id}_bar`, adjoints) : [];
      }
      case 'assign':
        return activity.has(s.variable) ? this.#assigned(s, adjoints) : [];
      case 'write':
      case 'writeItem':
        return this.#written(s, adjoints);
      case 'if':
        return this.#entered(s, adjoints, ([copy]) => {
          const branch = copy as typeof s;
          const then = this.#both(branch.then, adjoints);
          return [{ ...branch, then, else: this.#both(branch.else, adjoints) }];
        });
      case 'for':
        if (this.input.forward(s)) return this.#sums(s, adjoints);
        return this.#entered(s, adjoints, (copy) => {
          const [start, loop] = copy as [Stmt, Extract<Stmt, { kind: 'loop' }>];
          return [start, { ...loop, body: this.#both(loop.body, adjoints) }];
        });
      case 'callMany':
        return this.#called(s, adjoints);
      case 'declareArray':
      case 'assignElement':
        if (!activity.has(s.variable)) return [];
        return this.input.fail(
          s.kind === 'assignElement' ? s.value : (s.elements[0] ?? null),
          `the local array '${s.variable.name}' depends on positions`,
          'index it by numbers only, or use variables or an array of `work`',
        );
      default:
        return [];
    }
  }

  /** A branch or a loop, entered again with variables of its own. */
  #entered(
    s: Extract<Item, { kind: 'if' | 'for' }>,
    adjoints: Adjoints,
    make: (copy: Stmt[]) => Stmt[],
  ): Stmt[] {
    const original = s.kind === 'for' ? statementsOf(s) : [s];
    const { name, activity } = this.input;
    const copy = freshCopy(original, name, (from, to) => activity.copy(from, to));
    const flushed = [...assignedOutside(copy)].flatMap((v) => adjoints.flush(v));
    return [...flushed, ...make(copy)];
  }

  #both(list: readonly Stmt[], outer: Adjoints): Stmt[] {
    const own = declaredBy(list);
    const { forward, backward } = this.sweeps(list, outer, (v) => !own.has(v));
    return [...forward, ...backward];
  }

  #assigned(s: Extract<Stmt, { kind: 'assign' }>, adjoints: Adjoints): Stmt[] {
    const sum = adjoints.sumOf(s.variable);
    const kept: Expr = { kind: 'variable', type: 'real', variable: sum };
    const added = addedTerm(s);
    if (added)
      return this.#bound(added.term, added.op === '+' ? kept : negative(kept), '', adjoints);
    // The one value of a branch: what came before it does not count here.
    const variable = this.input.name(`${s.variable.id}_bar`);
    const pushes = this.#bound(s.value, { ...kept, variable }, '', adjoints);
    return [
      { kind: 'declare', variable, value: kept },
      { kind: 'assign', variable: sum, value: number(0) },
      ...pushes,
    ];
  }

  #written(s: Extract<Stmt, { kind: 'write' | 'writeItem' }>, adjoints: Adjoints): Stmt[] {
    const { activity, energy, fail } = this.input;
    if (s.field === energy.of)
      return this.#bound(s.value, number(s.op === '+=' ? 1 : -1), '', adjoints);
    if (s.kind === 'write' || !activity.hasArray(s.field) || !activity.of(s.value)) return [];
    if (s.op !== '=')
      fail(s.value, `'${s.field}' is changed again and again`, 'add up in a variable');
    const variable = this.input.name(`${s.field}_bar`);
    const value: Expr = {
      kind: 'item',
      type: 'real',
      role: 'n',
      field: this.input.adjointArray(s.field),
      index: s.index,
    };
    const adjoint: Expr = { kind: 'variable', type: 'real', variable };
    const before = adjoints.flushItems();
    const pushes = this.#bound(s.value, adjoint, '', adjoints);
    return [...before, { kind: 'declare', variable, value }, ...pushes];
  }

  /** Sums of a loop that is derived forward. */
  #sums(s: Loop, adjoints: Adjoints): Stmt[] {
    return [...assignedOutside([s.loop])].flatMap((variable) => {
      if (!this.input.activity.has(variable)) return [];
      const flushed = adjoints.flush(variable);
      const sum = adjoints.sumOf(variable);
      this.input.onSum(variable, { kind: 'variable', type: 'real', variable: sum });
      return flushed;
    });
  }

  #called(s: Extract<Stmt, { kind: 'callMany' }>, adjoints: Adjoints): Stmt[] {
    const { activity, helpers, name } = this.input;
    const results = s.targets.filter(({ type }) => type === 'real');
    const bars = results.map((v) => adjoints.take(v));
    const out: Stmt[] = [];
    s.args.forEach((arg, k) => {
      const mask = s.args.map((_, n) => n === k);
      const helper = activity.of(arg) ? helpers.of(s.helper, mask) : null;
      if (!helper) return;
      const slopes = results.map((v) => name(`${v.id}_by${k}`));
      const args = [...s.args, number(1)];
      if (slopes.length > 1) out.push({ kind: 'callMany', targets: slopes, helper, args });
      else
        out.push({
          kind: 'declare',
          variable: slopes[0]!,
          value: { kind: 'call', type: 'real', helper, args },
        });
      slopes.forEach((variable, n) => {
        const slope: Expr = { kind: 'variable', type: 'real', variable };
        const product: Expr = {
          kind: 'binary',
          type: 'real',
          op: '*',
          left: bars[n]!,
          right: slope,
        };
        if (bars[n]) out.push(...this.#bound(arg, product, '', adjoints));
      });
    });
    return out;
  }

  /** Carries an adjoint into an expression, as a variable where it is needed more than once. */
  #bound(e: Expr, adjoint: Expr, base: string, adjoints: Adjoints): Stmt[] {
    if (!this.input.activity.of(e)) return [];
    const isPlain = adjoint.kind === 'number' || adjoint.kind === 'variable';
    if (isPlain || base === '' || e.kind === 'variable') return this.#push(e, adjoint, adjoints);
    const variable = this.input.name(base);
    const bar: Expr = { kind: 'variable', type: 'real', variable };
    return [{ kind: 'declare', variable, value: adjoint }, ...this.#push(e, bar, adjoints)];
  }

  #push(e: Expr, adjoint: Expr, adjoints: Adjoints): Stmt[] {
    const { activity, helpers } = this.input;
    if (e.kind === 'variable') {
      adjoints.add(e.variable, adjoint);
      return [];
    }
    if (e.kind === 'item') {
      const { field, value } = this.input.adjointItem(e, adjoint);
      adjoints.addItem(field, e.index, value);
      return [];
    }
    return pushed(e, adjoint, activity.of, helpers).flatMap((push) =>
      this.#push(push.operand, push.adjoint, adjoints),
    );
  }
}

function declaredBy(body: readonly Stmt[]): Set<Variable> {
  const found = new Set<Variable>();
  for (const s of body) {
    if (s.kind === 'declare' || s.kind === 'declareArray') found.add(s.variable);
    if (s.kind === 'callMany') for (const v of s.targets) found.add(v);
  }
  return found;
}
