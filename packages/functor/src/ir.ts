/**
 * The typed intermediate representation every functor is lowered from. It is a tree, free of closures, with every
 * conversion explicit: both operands of an operator have the same type, conditions are `bool`.
 */

/** `real` has no width yet: f64, f32 or double-single is chosen when a functor is lowered. */
export type ValueType = 'real' | 'i32' | 'u32' | 'bool';

/**
 * What a functor's arguments stand for.
 * - `i` the particle at hand (central particle of a pair) · `j` its neighbor · `d` = r_i − r_j (x, y, z, r2)
 * - `p` parameters (scalars, or tables indexed by an integer) · `acc` results of a reduction
 * - `b` the block (index, x, y, z, lane, size) · `a` the arrays of a block functor
 * - `n` the buffer of a particle's neighbors (count, dx, dy, dz, r2, packed fields; outputs for the neighbors)
 * - `x` the private context of a particle, between its start and its stop
 */
export type RoleName = 'i' | 'j' | 'd' | 'p' | 'acc' | 'b' | 'a' | 'n' | 'x';

/** A field of an argument: what it holds, and what a functor may do with it. */
export interface RoleField {
  readonly type: ValueType;
  /** Indexed by an integer: `p.table[k]`, `a.values[k]`. */
  readonly array: boolean;
  readonly writable: boolean;
  /** Elements of an array that belongs to the block. */
  readonly size?: number;
  /** Can only be added to: others add to it too. */
  readonly collects?: boolean;
  /** A parameter that a call takes from a value of its context, which may live on a device. */
  readonly fromValue?: boolean;
}

/** A local variable. `id` is unique in the functor and valid in JavaScript and WGSL. */
export interface Variable {
  readonly id: string;
  readonly name: string;
  type: ValueType;
  /** 0 for a scalar, otherwise the fixed length of a local array. */
  readonly size: number;
}

/** Functions of one to three reals that every back end has. */
export type MathName =
  | 'sqrt'
  | 'abs'
  | 'floor'
  | 'ceil'
  | 'trunc'
  | 'round'
  | 'min'
  | 'max'
  | 'pow'
  | 'exp'
  | 'log'
  | 'sin'
  | 'cos'
  | 'tanh'
  | 'sign'
  | 'hypot'
  | 'fround'
  /** The upper 32 bits of the product of two u32. */
  | 'mulHigh';

/** Functions of Math that JavaScript has and other lowerings compute by text of the library (`HelperIR.builtin`). */
export type MathBuiltin = 'atan' | 'atan2' | 'asin' | 'acos' | 'sinh' | 'cosh';

/** Comparisons of two values of one type; the result is a bool. */
export type CompareOp = '<' | '>' | '<=' | '>=' | '==' | '!=';
/** Arithmetic of two values of one type, which the result has too. `/` is real. */
export type ArithmeticOp = '+' | '-' | '*' | '/' | '%';
/** Operations on two 32-bit integers. */
export type BitOp = '&' | '|' | '^' | '<<' | '>>' | '>>>';

/** A value. `type` is what it is computed as; no conversion is implied. */
export type Expr =
  | { readonly kind: 'number'; readonly type: 'real' | 'i32' | 'u32'; readonly value: number }
  | { readonly kind: 'boolean'; readonly type: 'bool'; readonly value: boolean }
  | { readonly kind: 'variable'; readonly type: ValueType; readonly variable: Variable }
  /** An element of a local array; the index is i32 or u32. */
  | {
      readonly kind: 'element';
      readonly type: ValueType;
      readonly variable: Variable;
      readonly index: Expr;
    }
  | {
      readonly kind: 'field';
      readonly type: ValueType;
      readonly role: RoleName;
      readonly field: string;
    }
  /** An element of a table or array argument. */
  | {
      readonly kind: 'item';
      readonly type: ValueType;
      readonly role: RoleName;
      readonly field: string;
      readonly index: Expr;
    }
  | {
      readonly kind: 'unary';
      readonly type: ValueType;
      readonly op: '-' | '!' | '~';
      readonly operand: Expr;
    }
  /** real: all five, `/` only on real; ints: + − * % and truncated to 32 bits, with x % 0 = 0. */
  | {
      readonly kind: 'binary';
      readonly type: 'real' | 'i32' | 'u32';
      readonly op: ArithmeticOp;
      readonly left: Expr;
      readonly right: Expr;
    }
  /**
   * ints only, on their 32 bits, as in JavaScript: `>>>` gives u32, everything else i32. An operand may be i32 or u32
   * whatever the result is: its bits count, nothing is converted. The right operand of a shift is u32, modulo 32.
   */
  | {
      readonly kind: 'bits';
      readonly type: 'i32' | 'u32';
      readonly op: BitOp;
      readonly left: Expr;
      readonly right: Expr;
    }
  | {
      readonly kind: 'compare';
      readonly type: 'bool';
      readonly op: CompareOp;
      readonly left: Expr;
      readonly right: Expr;
    }
  /** Of a real. A test of its own, since compilers of shaders take NaN and infinities to be absent. */
  | {
      readonly kind: 'test';
      readonly type: 'bool';
      readonly name: 'isNaN' | 'isFinite';
      readonly operand: Expr;
    }
  | {
      readonly kind: 'logic';
      readonly type: 'bool';
      readonly op: '&&' | '||';
      readonly left: Expr;
      readonly right: Expr;
    }
  | {
      readonly kind: 'select';
      readonly type: ValueType;
      readonly condition: Expr;
      readonly then: Expr;
      readonly else: Expr;
    }
  /** On ints only abs, min, max, sign, mulHigh. `min` and `max` have two arguments, `hypot` one or more. */
  | {
      readonly kind: 'math';
      readonly type: 'real' | 'i32' | 'u32';
      readonly name: MathName;
      readonly args: readonly Expr[];
    }
  /** Between real, i32, u32 (truncating, saturating) and from bool (0 or 1). */
  | { readonly kind: 'cast'; readonly type: 'real' | 'i32' | 'u32'; readonly operand: Expr }
  /** A helper with one result. Helpers are pure. */
  | {
      readonly kind: 'call';
      readonly type: ValueType;
      readonly helper: HelperIR;
      readonly args: readonly Expr[];
    };

/** `max`/`min` stand for `acc.m = Math.max(acc.m, value)` and occur on role `acc` only. */
export type WriteOp = '=' | '+=' | '-=' | 'max' | 'min';

/** A statement. Variables are declared before they are used. */
export type Stmt =
  | { readonly kind: 'declare'; readonly variable: Variable; readonly value: Expr }
  | {
      readonly kind: 'declareArray';
      readonly variable: Variable;
      readonly elements: readonly Expr[];
    }
  | { readonly kind: 'assign'; readonly variable: Variable; readonly value: Expr }
  | {
      readonly kind: 'assignElement';
      readonly variable: Variable;
      readonly index: Expr;
      readonly value: Expr;
    }
  /** A write to a field of a writable role (`i.fx += …`). */
  | {
      readonly kind: 'write';
      readonly role: RoleName;
      readonly field: string;
      readonly op: WriteOp;
      readonly value: Expr;
    }
  /** A write to an array argument (`a.values[k] += …`). */
  | {
      readonly kind: 'writeItem';
      readonly role: RoleName;
      readonly field: string;
      readonly index: Expr;
      readonly op: '=' | '+=' | '-=';
      readonly value: Expr;
    }
  | {
      readonly kind: 'if';
      readonly condition: Expr;
      readonly then: readonly Stmt[];
      readonly else: readonly Stmt[];
    }
  /** while (condition) { body; update }; `continue` goes to update. */
  | {
      readonly kind: 'loop';
      readonly condition: Expr;
      readonly update: readonly Stmt[];
      readonly body: readonly Stmt[];
    }
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }
  /** Lanes of a block wait for each other, and see what the others have written. Control flow is uniform here. */
  | { readonly kind: 'barrier' }
  /** No values in a functor, one or more in a helper. */
  | { readonly kind: 'return'; readonly values: readonly Expr[] }
  /** A helper with several results: fresh variables receive them. */
  | {
      readonly kind: 'callMany';
      readonly targets: readonly Variable[];
      readonly helper: HelperIR;
      readonly args: readonly Expr[];
    };

/** A pure helper function: reads its parameters only. Every path ends in a return of `results.length` values. */
export interface HelperIR {
  readonly name: string;
  readonly params: readonly Variable[];
  readonly results: readonly ValueType[];
  readonly body: readonly Stmt[];
  /** Of the library, not the user's: it always ends. `math`: JavaScript has it under this name. */
  readonly builtin?: { readonly math: MathBuiltin | null };
}

/** What a functor is called for, see the maker of each kind. */
export type FunctorKind = 'block' | 'cell' | 'reduce' | 'pair' | 'neighborhood';

/** A functor as back ends see it. */
export interface FunctorIR {
  readonly name: string;
  readonly kind: FunctorKind;
  readonly roles: { readonly [R in RoleName]?: Readonly<Record<string, RoleField>> };
  readonly body: readonly Stmt[];
  /**
   * Neighborhoods: decides which neighbors are packed, and how. A functor of pairs that sets `i.opt_keep` to 1 for those
   * that are, and `i.opt_dx` … `i.opt_weight` where they differ from d.
   */
  readonly pack?: FunctorIR;
  /** Pairs with a private context (role x): what is done before and after a particle's neighbors. */
  readonly start?: FunctorIR;
  readonly stop?: FunctorIR;
  /** Helpers in use, callees before callers. */
  readonly helpers: readonly HelperIR[];
}
