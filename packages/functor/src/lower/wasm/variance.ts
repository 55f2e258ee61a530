import type { Expr, HelperIR, RoleName, Stmt, Variable } from '../../ir.js';
import {
  bodyControl,
  branchControl,
  type Control,
  diverges,
  escapeDiverges,
  type LoopFacts,
  topControl,
} from './control.js';
import { countersOf } from './counters.js';

/**
 * Which values differ between lanes, and where lanes part ways.
 *
 * A variable is *uniform* while every assignment gives it a uniform value in the *region* of its declaration. A region is a part
 * of the text in which the same lanes run, as far as variables of that part can tell:
 * - each branch of an `if` whose condition varies,
 * - a loop that lanes leave at different turns (varying condition, or a `break` that only some lanes take),
 * - the body of such a loop's `continue`.
 * Lanes that have returned no longer look at any variable, so early returns open no region. Counters of a loop are part of it
 * (`countersOf`): lanes that have left do not look at them.
 *
 * Everything only ever turns from uniform to varying: the analysis repeats until nothing changes.
 */
export interface Variance {
  readonly varying: ReadonlySet<Variable>;
  readonly loops: ReadonlyMap<Stmt, LoopFacts>;
  /** Some lanes may return while others go on. */
  readonly returnsDiverge: boolean;
  /** For each result of a helper: does it vary? */
  readonly results: readonly boolean[];
}

export interface VarianceQuery {
  uniformField(role: RoleName, field: string): boolean;
  /** For variables that have a value from outside (hoisted ones): is it uniform? */
  uniformVariable(variable: Variable): boolean | undefined;
}

/** Analyses functors and helpers; results for helpers are remembered by the variance of their arguments. */
export class VarianceAnalysis {
  readonly #query: VarianceQuery;
  readonly #helpers = new Map<HelperIR, Map<string, Variance>>();

  constructor(query: VarianceQuery) {
    this.#query = query;
  }

  body(body: readonly Stmt[]): Variance {
    return this.#run(body, new Set(), 0);
  }

  helper(helper: HelperIR, varyingArgs: readonly boolean[]): Variance {
    const key = varyingArgs.map(Number).join('');
    const known = this.#helpers.get(helper) ?? new Map<string, Variance>();
    this.#helpers.set(helper, known);
    let variance = known.get(key);
    if (!variance) {
      const start = new Set(helper.params.filter((_, k) => varyingArgs[k]));
      variance = this.#run(helper.body, start, helper.results.length, helper.params);
      known.set(key, variance);
    }
    return variance;
  }

  /** Does the expression vary, given the variables that do? */
  varies(e: Expr, varying: ReadonlySet<Variable>): boolean {
    const any = (...children: readonly Expr[]) =>
      children.some((child) => this.varies(child, varying));
    switch (e.kind) {
      case 'number':
      case 'boolean':
        return false;
      case 'variable':
        return !(this.#query.uniformVariable(e.variable) ?? !varying.has(e.variable));
      case 'element':
        return varying.has(e.variable) || any(e.index);
      case 'field':
        return !this.#query.uniformField(e.role, e.field);
      case 'item':
        return !this.#query.uniformField(e.role, e.field) || any(e.index);
      case 'unary':
      case 'cast':
      case 'test':
        return any(e.operand);
      case 'binary':
      case 'bits':
      case 'compare':
      case 'logic':
        return any(e.left, e.right);
      case 'select':
        return any(e.condition, e.then, e.else);
      case 'math':
        return any(...e.args);
      case 'call':
        return this.callVaries(e.helper, e.args, varying)[0] ?? true;
    }
  }

  callVaries(
    helper: HelperIR,
    args: readonly Expr[],
    varying: ReadonlySet<Variable>,
  ): readonly boolean[] {
    return this.helper(
      helper,
      args.map((a) => this.varies(a, varying)),
    ).results;
  }

  #run(
    body: readonly Stmt[],
    varying: Set<Variable>,
    results: number,
    params: readonly Variable[] = [],
  ): Variance {
    const state = new Pass(this, varying, Array<boolean>(results).fill(false));
    do {
      state.changed = false;
      state.declaredIn.clear();
      for (const param of params) state.declaredIn.set(param, topControl.region);
      state.regions = 0;
      state.statements(body, topControl);
    } while (state.changed);
    return state;
  }
}

/** One walk over a body; walks repeat until nothing changes. */
class Pass implements Variance {
  changed = false;
  returnsDiverge = false;
  regions = 0;
  readonly declaredIn = new Map<Variable, number>();
  readonly loops = new Map<Stmt, LoopFacts>();
  readonly counters = new Set<Variable>();

  constructor(
    readonly analysis: VarianceAnalysis,
    readonly varying: Set<Variable>,
    readonly results: boolean[],
  ) {}

  statements(list: readonly Stmt[], control: Control): void {
    for (const [n, statement] of list.entries()) {
      if (statement.kind === 'loop' && !this.loops.has(statement))
        for (const counter of countersOf(list, n)) this.counters.add(counter);
      this.statement(statement, control);
    }
  }

  statement(s: Stmt, control: Control): void {
    switch (s.kind) {
      case 'declare':
        this.declaredIn.set(s.variable, control.region);
        this.mark(s.variable, this.varies(s.value));
        return;
      case 'declareArray':
        this.declaredIn.set(s.variable, control.region);
        this.mark(
          s.variable,
          s.elements.some((e) => this.varies(e)),
        );
        return;
      case 'assign':
        this.mark(s.variable, this.foreign(s.variable, control) || this.varies(s.value));
        return;
      case 'assignElement':
        this.mark(
          s.variable,
          this.foreign(s.variable, control) || this.varies(s.index) || this.varies(s.value),
        );
        return;
      case 'callMany': {
        const results = this.analysis.callVaries(s.helper, s.args, this.varying);
        s.targets.forEach((target, k) => {
          if (!this.declaredIn.has(target)) this.declaredIn.set(target, control.region);
          this.mark(target, this.foreign(target, control) || (results[k] ?? true));
        });
        return;
      }
      case 'if': {
        const branches = this.varies(s.condition);
        this.statements(s.then, branches ? branchControl(control, ++this.regions) : control);
        this.statements(s.else, branches ? branchControl(control, ++this.regions) : control);
        return;
      }
      case 'loop':
        this.loop(s, control);
        return;
      case 'break':
      case 'continue':
        if (control.loop && escapeDiverges(s.kind, control)) {
          this.raise(control.loop, s.kind === 'break' ? 'divergentBreak' : 'divergentContinue');
        }
        return;
      case 'return':
        this.returns(s.values, control);
        return;
      case 'write':
      case 'writeItem':
        return;
    }
  }

  loop(s: Extract<Stmt, { kind: 'loop' }>, control: Control): void {
    const facts = this.loops.get(s) ?? {
      varyingCondition: false,
      divergentBreak: false,
      divergentContinue: false,
      divergentReturn: false,
    };
    this.loops.set(s, facts);
    if (this.varies(s.condition)) this.raise(facts, 'varyingCondition');
    const region = diverges(facts) ? ++this.regions : control.region;
    const inner = facts.divergentContinue ? ++this.regions : region;
    this.statements(s.body, bodyControl(control, facts, inner));
    this.statements(s.update, bodyControl(control, facts, region));
  }

  returns(values: readonly Expr[], control: Control): void {
    const parted = escapeDiverges('return', control);
    if (parted && !this.returnsDiverge) {
      this.returnsDiverge = true;
      this.changed = true;
    }
    if (parted) for (const facts of control.enclosing) this.raise(facts, 'divergentReturn');
    values.forEach((value, k) => {
      if ((parted || this.returnsDiverge || this.varies(value)) && !this.results[k]) {
        this.results[k] = true;
        this.changed = true;
      }
    });
  }

  varies(e: Expr): boolean {
    return this.analysis.varies(e, this.varying);
  }

  /** Is the variable declared where other lanes run? */
  foreign(variable: Variable, control: Control): boolean {
    return !this.counters.has(variable) && this.declaredIn.get(variable) !== control.region;
  }

  mark(variable: Variable, varies: boolean): void {
    if (!varies || this.varying.has(variable)) return;
    this.varying.add(variable);
    this.changed = true;
  }

  raise(facts: LoopFacts, fact: keyof LoopFacts): void {
    if (facts[fact]) return;
    facts[fact] = true;
    this.changed = true;
  }
}
