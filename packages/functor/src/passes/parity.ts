import { CorpuscleError, type SourceLocation } from '../error/CorpuscleError.js';
import type { Expr, FunctorIR, HelperIR, Stmt, Variable } from '../ir.js';
import { isMirror } from './mirror.js';
import {
  builtinParity,
  compareParity,
  mathParity,
  productParity,
  quotientParity,
  sumParity,
} from './parityRules.js';
import { forEachStatement } from './walk.js';

export type Parity = 'odd' | 'even';

/** `zero` is both odd and even; `none` is neither, or not proven. */
export type ParityOrNot = Parity | 'zero' | 'none';

/**
 * Proves of each output of a pair functor whether it changes sign (odd) or not (even) when i and j change places, that
 * is under d → −d. With newton3 the neighbor then receives −value or +value.
 *
 * d.x, d.y, d.z are odd, d.r2 and parameters even. Attributes of i and j count as even, since an author who sets newton3 promises
 * that they enter symmetrically (tables too); only differences like i.vx − j.vx are recognized as odd.
 *
 * @throws CorpuscleError FUNCTOR_TYPE naming the output whose parity is not proven
 */
export function parity(ir: FunctorIR, source?: SourceLocation): Map<string, Parity> {
  const found = new Analysis(ir.body, new Map(), new Map()).outputs(ir.body);
  const result = new Map<string, Parity>();
  for (const [field, value] of found) {
    if (value === 'none') {
      const where = source ? ` (defined at ${source.file}:${source.line}:${source.column})` : '';
      throw new CorpuscleError(
        'FUNCTOR_TYPE',
        `functor '${ir.name}'${where}: newton3 needs the output '${field}' to be odd or even when i and j change places, ` +
          'which could not be proven; write it as a sum (+= or -=) of d.x, d.y, d.z times even terms, or drop newton3',
        source ? { location: source } : {},
      );
    }
    result.set(field, value === 'zero' ? 'even' : value);
  }
  return result;
}

type Map_ = Map<Variable, ParityOrNot>;

const join = (a: ParityOrNot | undefined, b: ParityOrNot): ParityOrNot => {
  if (a === undefined || a === 'zero' || a === b) return b;
  return b === 'zero' ? a : 'none';
};

/** One function, with the parities of its variables as a least fixed point. */
class Analysis {
  #changed = false;
  readonly #definitions: ReadonlyMap<Variable, Expr>;
  readonly #returned: ParityOrNot[] = [];

  /** `given` are definitions from outside: those of a helper's parameters, and of what its arguments are made of. */
  constructor(
    body: readonly Stmt[],
    readonly variables: Map_,
    given: ReadonlyMap<Variable, Expr>,
  ) {
    this.#definitions = singleDefinitions(body, given);
    do {
      this.#changed = false;
      this.#returned.length = 0;
      this.#visit(body, true, null);
    } while (this.#changed);
  }

  get returned(): readonly ParityOrNot[] {
    return this.#returned;
  }

  outputs(body: readonly Stmt[]): Map<string, ParityOrNot> {
    const found = new Map<string, ParityOrNot>();
    this.#visit(body, true, found);
    return found;
  }

  /** `certain` is false where the path taken depends on something that is not even. */
  #visit(body: readonly Stmt[], certain: boolean, found: Map<string, ParityOrNot> | null): boolean {
    let sure = certain;
    for (const s of body) {
      const of = (e: Expr) => (sure ? this.#of(e) : 'none');
      switch (s.kind) {
        case 'declare':
        case 'assign':
          this.#set(s.variable, of(s.value));
          break;
        case 'declareArray':
          for (const element of s.elements) this.#set(s.variable, of(element));
          break;
        case 'assignElement':
          this.#set(s.variable, isEven(this.#of(s.index)) ? of(s.value) : 'none');
          break;
        case 'callMany': {
          const results = this.#call(s.helper, s.args);
          s.targets.forEach((variable, k) => {
            this.#set(variable, sure ? results[k]! : 'none');
          });
          break;
        }
        case 'write':
          if (s.role === 'i')
            found?.set(s.field, join(found.get(s.field), s.op === '=' ? 'none' : of(s.value)));
          break;
        case 'return':
          s.values.forEach((value, k) => {
            this.#returned[k] = join(this.#returned[k], of(value));
          });
          break;
        case 'if': {
          const same = sure && isEven(this.#of(s.condition));
          const then = this.#visit(s.then, same, found);
          const otherwise = this.#visit(s.else, same, found);
          // What follows is certain after branches that both are, or that come back.
          sure &&= same ? then && otherwise : !leaves(s.then) && !leaves(s.else);
          break;
        }
        case 'loop': {
          const same = sure && isEven(this.#of(s.condition));
          const body = this.#visit(s.body, same, found);
          this.#visit(s.update, body, found);
          if (body) break;
          if (leaves(s.body)) sure = false;
          // A jump that depends on something uneven spoils the values of later rounds too.
          this.#visit(s.body, false, found);
          break;
        }
        default:
          break;
      }
    }
    return sure;
  }

  #set(variable: Variable, value: ParityOrNot): void {
    const present = this.variables.get(variable);
    const joined = join(present, value);
    if (joined === present) return;
    this.variables.set(variable, joined);
    this.#changed = true;
  }

  #call(helper: HelperIR, args: readonly Expr[]): readonly ParityOrNot[] {
    if (helper.builtin?.math) {
      const given = args.map((arg) => this.#of(arg));
      return [builtinParity(helper.builtin.math, given)];
    }
    const variables: Map_ = new Map();
    const given = new Map(this.#definitions);
    helper.params.forEach((variable, k) => {
      variables.set(variable, this.#of(args[k]!));
      given.set(variable, args[k]!);
    });
    return new Analysis(helper.body, variables, given).returned;
  }

  #of(e: Expr): ParityOrNot {
    const of = (inner: Expr) => this.#of(inner);
    switch (e.kind) {
      case 'number':
        return e.value === 0 ? 'zero' : 'even';
      case 'boolean':
        return 'even';
      case 'variable':
        return this.variables.get(e.variable) ?? 'zero';
      case 'element':
        return isEven(of(e.index)) ? (this.variables.get(e.variable) ?? 'zero') : 'none';
      case 'field':
        return e.role === 'd' && e.field.length === 1 ? 'odd' : 'even';
      case 'item':
        return isEven(of(e.index)) ? 'even' : 'none';
      case 'unary':
        if (e.op === '-') return of(e.operand);
        return isEven(of(e.operand)) ? 'even' : 'none';
      case 'binary': {
        if (e.op === '-' && isMirror(e.left, e.right, this.#definitions))
          return isMirror(e.left, e.left, this.#definitions) ? 'zero' : 'odd'; // r − r is no difference
        const [left, right] = [of(e.left), of(e.right)];
        if (e.op === '+' || e.op === '-') return sumParity(left, right);
        if (e.op === '%') return isEven(right) ? left : 'none';
        if (e.op === '/') return quotientParity(left, right);
        return productParity(left, right);
      }
      case 'compare':
        return compareParity(e.op, of(e.left), of(e.right));
      case 'bits':
      case 'logic':
        return isEven(of(e.left)) && isEven(of(e.right)) ? 'even' : 'none';
      case 'select':
        return isEven(of(e.condition)) ? join(of(e.then), of(e.else)) : 'none';
      case 'math':
        return mathParity(e, e.args.map(of));
      case 'test':
        return of(e.operand) === 'none' ? 'none' : 'even';
      case 'cast':
        return e.type === 'u32' && of(e.operand) === 'odd' ? 'none' : of(e.operand);
      case 'call':
        return this.#call(e.helper, e.args)[0] ?? 'none';
    }
  }
}

const isEven = (p: ParityOrNot): boolean => p === 'even' || p === 'zero';

function leaves(body: readonly Stmt[]): boolean {
  let found = false;
  forEachStatement(body, (s) => {
    if (s.kind === 'return' || s.kind === 'break' || s.kind === 'continue') found = true;
  });
  return found;
}

/** Variables with one definition only, given or in the body, so that they can be looked through. */
function singleDefinitions(
  body: readonly Stmt[],
  given: ReadonlyMap<Variable, Expr>,
): Map<Variable, Expr> {
  const found = new Map<Variable, Expr | null>(given);
  const define = (variable: Variable, value: Expr | null): void => {
    found.set(variable, found.has(variable) ? null : value);
  };
  forEachStatement(body, (s) => {
    if (s.kind === 'declare' || s.kind === 'assign') define(s.variable, s.value);
    else if (s.kind === 'callMany') for (const variable of s.targets) define(variable, null);
  });
  return new Map([...found].filter((entry): entry is [Variable, Expr] => entry[1] !== null));
}
