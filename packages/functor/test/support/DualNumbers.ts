import type { Expr, FunctorIR, HelperIR, Stmt, Variable } from '../../src/ir.js';

/** A value, and what it changes by. Integers and truth values do not change. */
export interface Dual {
  readonly v: number;
  readonly t: number;
}

type Roles = Record<string, Record<string, Dual | ArrayLike<number>>>;
type Jump = 'break' | 'continue' | readonly Dual[];
type Scope = Map<Variable, Dual | Dual[]>;

const still = (v: number): Dual => ({ v, t: 0 });
const bit = (condition: boolean): Dual => still(condition ? 1 : 0);

/**
 * Runs a functor on dual numbers, statement by statement: an independent way to its derivatives, which shares nothing with the
 * pass that derives. Where there are corners it takes the same side.
 *
 * @param roles fields as dual numbers, tables as arrays; written fields are replaced
 */
export function runDual(ir: FunctorIR, roles: Roles): void {
  new Machine(roles).list(ir.body, new Map());
}

class Machine {
  constructor(readonly roles: Roles) {}

  list(body: readonly Stmt[], scope: Scope): Jump | null {
    for (const s of body) {
      const jump = this.#statement(s, scope);
      if (jump) return jump;
    }
    return null;
  }

  #statement(s: Stmt, scope: Scope): Jump | null {
    const of = (e: Expr) => this.#of(e, scope);
    switch (s.kind) {
      case 'declare':
      case 'assign':
        scope.set(s.variable, of(s.value));
        return null;
      case 'declareArray':
        scope.set(s.variable, s.elements.map(of));
        return null;
      case 'assignElement': {
        const value = of(s.value);
        (scope.get(s.variable) as Dual[])[of(s.index).v] = value;
        return null;
      }
      case 'callMany': {
        const results = this.#call(s.helper, s.args.map(of));
        s.targets.forEach((variable, k) => {
          scope.set(variable, results[k]!);
        });
        return null;
      }
      case 'write': {
        const value = of(s.value);
        const fields = this.roles[s.role]!;
        const old = fields[s.field] as Dual;
        const sign = s.op === '-=' ? -1 : 1;
        const isInt = s.value.type !== 'real';
        const sum = { v: old.v + sign * value.v, t: old.t + sign * value.t };
        fields[s.field] = s.op === '=' ? value : isInt ? still(sum.v | 0) : sum;
        return null;
      }
      case 'if':
        return this.list(of(s.condition).v ? s.then : s.else, scope);
      case 'loop':
        while (of(s.condition).v) {
          const jump = this.list(s.body, scope);
          if (jump === 'break') break;
          if (jump && jump !== 'continue') return jump;
          this.list(s.update, scope);
        }
        return null;
      case 'break':
      case 'continue':
        return s.kind;
      case 'return':
        return s.values.map(of);
      default:
        throw new Error(`${s.kind} is not in pair functors`);
    }
  }

  #call(helper: HelperIR, args: readonly Dual[]): readonly Dual[] {
    const scope: Scope = new Map(helper.params.map((variable, k) => [variable, args[k]!]));
    return this.list(helper.body, scope) as readonly Dual[];
  }

  #of(e: Expr, scope: Scope): Dual {
    const of = (inner: Expr) => this.#of(inner, scope);
    switch (e.kind) {
      case 'number':
        return still(e.value);
      case 'boolean':
        return bit(e.value);
      case 'variable':
        return scope.get(e.variable) as Dual;
      case 'element':
        return (scope.get(e.variable) as Dual[])[of(e.index).v]!;
      case 'field':
        return this.roles[e.role]![e.field] as Dual;
      case 'item':
        return still((this.roles[e.role]![e.field] as ArrayLike<number>)[of(e.index).v]!);
      case 'unary':
        return unary(e, of(e.operand));
      case 'binary':
        return e.type === 'real'
          ? arithmetic(e.op, of(e.left), of(e.right))
          : still(integer(e, of(e.left).v, of(e.right).v));
      case 'bits':
        return still(bits(e.op, of(e.left).v, of(e.right).v));
      case 'compare':
        return bit(compare(e.op, of(e.left).v, of(e.right).v));
      case 'test':
        return bit(Number[e.name](of(e.operand).v));
      case 'logic': {
        const left = of(e.left);
        return (e.op === '&&') === (left.v !== 0) ? of(e.right) : left;
      }
      case 'select':
        return of(of(e.condition).v ? e.then : e.else);
      case 'math':
        return e.type === 'real' ? real(e.name, e.args.map(of)) : still(whole(e, e.args.map(of)));
      case 'cast':
        return cast(e, of(e.operand));
      case 'call':
        return this.#called(e, e.args.map(of));
    }
  }

  #called(e: Extract<Expr, { kind: 'call' }>, args: readonly Dual[]): Dual {
    const { builtin, name } = e.helper;
    if (!builtin) return this.#call(e.helper, args)[0]!;
    const v = builtin.math
      ? (Math[builtin.math] as (...values: number[]) => number)(...args.map((a) => a.v))
      : this.#call(e.helper, args)[0]!.v;
    const slopes = library[builtin.math ?? name];
    if (!slopes) return still(v);
    const [x, y] = args.map((a) => a.v) as [number, number];
    return { v, t: slopes(x, y).reduce((sum, slope, k) => sum + times(slope, args[k]!.t), 0) };
  }
}

/** Where a slope is infinite this is no number, also for what does not change: nothing can be said there. */
const times = (slope: number, t: number): number => slope * t;

const gauss = (x: number) => (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x);
const library: Readonly<Record<string, (x: number, y: number) => readonly number[]>> = {
  atan: (x) => [1 / (1 + x * x)],
  atan2: (y, x) => [x / (x * x + y * y), -y / (x * x + y * y)],
  asin: (x) => [1 / Math.sqrt(1 - x * x)],
  acos: (x) => [-1 / Math.sqrt(1 - x * x)],
  sinh: (x) => [Math.cosh(x)],
  cosh: (x) => [Math.sinh(x)],
  erf: (x) => [gauss(x)],
  erfc: (x) => [-gauss(x)],
};

function unary(e: Extract<Expr, { kind: 'unary' }>, { v, t }: Dual): Dual {
  if (e.op === '!') return bit(v === 0);
  if (e.op === '~') return still(~v);
  if (e.type === 'real') return { v: -v, t: -t };
  return still(e.type === 'i32' ? -v | 0 : -v >>> 0);
}

function arithmetic(op: string, a: Dual, b: Dual): Dual {
  switch (op) {
    case '+':
      return { v: a.v + b.v, t: a.t + b.t };
    case '-':
      return { v: a.v - b.v, t: a.t - b.t };
    case '*':
      return { v: a.v * b.v, t: times(b.v, a.t) + times(a.v, b.t) };
    case '/':
      return { v: a.v / b.v, t: times(1 / b.v, a.t) - times(a.v / b.v / b.v, b.t) };
    default:
      return { v: a.v % b.v, t: a.t - times(Math.trunc(a.v / b.v), b.t) };
  }
}

function integer({ op, type }: Extract<Expr, { kind: 'binary' }>, a: number, b: number): number {
  const value =
    op === '*' ? Math.imul(a, b) : op === '+' ? a + b : op === '-' ? a - b : b === 0 ? 0 : a % b;
  return type === 'i32' ? value | 0 : value >>> 0;
}

function bits(op: string, a: number, b: number): number {
  switch (op) {
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '<<':
      return a << b;
    case '>>':
      return a >> b;
    default:
      return a >>> b;
  }
}

function compare(op: string, a: number, b: number): boolean {
  switch (op) {
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '<=':
      return a <= b;
    case '>=':
      return a >= b;
    case '==':
      return a === b;
    default:
      return a !== b;
  }
}

function real(name: Extract<Expr, { kind: 'math' }>['name'], args: readonly Dual[]): Dual {
  const [a, b] = args as [Dual, Dual];
  const v = (Math[name as 'hypot'] as (...values: number[]) => number)(...args.map((x) => x.v));
  const one = (slope: number): Dual => ({ v, t: times(slope, a.t) });
  switch (name) {
    case 'sqrt':
      return one(0.5 / v);
    case 'exp':
      return one(v);
    case 'log':
      return one(1 / a.v);
    case 'sin':
      return one(Math.cos(a.v));
    case 'cos':
      return one(-Math.sin(a.v));
    case 'tanh':
      return one(1 - v * v);
    case 'fround':
      return one(1);
    case 'abs':
      return one(a.v < 0 ? -1 : 1);
    case 'min':
      return { v, t: a.v <= b.v ? a.t : b.t };
    case 'max':
      return { v, t: b.v <= a.v ? a.t : b.t };
    case 'pow':
      return { v, t: times(b.v * a.v ** (b.v - 1), a.t) + (b.t && times(v * Math.log(a.v), b.t)) };
    case 'hypot':
      return { v, t: v === 0 ? 0 : args.reduce((sum, x) => sum + times(x.v / v, x.t), 0) };
    default:
      return still(v);
  }
}

function whole(e: Extract<Expr, { kind: 'math' }>, args: readonly Dual[]): number {
  const [a, b] = args.map((x) => x.v) as [number, number];
  if (e.name === 'mulHigh') return Number((BigInt(a) * BigInt(b)) >> 32n);
  const value = (Math[e.name as 'max'] as (...values: number[]) => number)(a, b);
  return e.type === 'i32' ? value | 0 : value >>> 0;
}

function cast(e: Extract<Expr, { kind: 'cast' }>, { v, t }: Dual): Dual {
  if (e.type === 'real') return { v, t: e.operand.type === 'real' ? t : 0 };
  if (Number.isNaN(v)) return still(0);
  const [least, most] = e.type === 'i32' ? [-2147483648, 2147483647] : [0, 4294967295];
  return still(Math.min(most, Math.max(least, Math.trunc(v))) + 0);
}
