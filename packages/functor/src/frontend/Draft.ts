import type { Node } from 'acorn';
import type {
  ArithmeticOp,
  BitOp,
  CompareOp,
  MathName,
  RoleField,
  RoleName,
  ValueType,
  Variable,
  WriteOp,
} from '../ir.js';
import type { HelperTemplate } from './HelperTemplate.js';

/**
 * The draft is what the syntax tree is translated to before types are known: evaluation order is already explicit (side
 * effects are statements), names are resolved. Type inference then fills in the types of the locals, and emission turns
 * the draft into the final representation.
 *
 * `literal` is the type of a number that could be either an integer or a real: integer literals, and locals that only
 * ever receive such. It becomes i32 where an integer is demanded (an index, a bit operation, an integer field) and real
 * everywhere else, so an integer literal by itself never makes an int.
 */
export type DraftType = 'literal' | ValueType;

export interface Local {
  readonly name: string;
  readonly id: string;
  readonly node: Node;
  type: DraftType;
  /** 0 for a scalar, otherwise the length of a local array. */
  readonly size: number;
  readonly constant: boolean;
  /** The declaration's initial value is an int: storing a real is an error instead of making the local real. */
  declaredInt: boolean;
  /** An integer is needed here. */
  demanded: boolean;
  /** Assigned after its declaration. */
  reassigned: boolean;
  /** An array indexed by something else than a number; others are split into scalars. */
  dynamic: boolean;
  /** Everything ever assigned, for demands to reach. */
  readonly assigned: DraftExpr[];
  /** Filled in at emission. */
  variable?: Variable;
  elements?: readonly Variable[];
}

interface At {
  readonly node: Node;
}

/** What can be assigned, and read as an expression. */
export type Target =
  | { readonly kind: 'local'; readonly local: Local }
  | { readonly kind: 'element'; readonly local: Local; readonly index: DraftExpr }
  | {
      readonly kind: 'field';
      readonly role: RoleName;
      readonly field: string;
      readonly info: RoleField;
    }
  | {
      readonly kind: 'item';
      readonly role: RoleName;
      readonly field: string;
      readonly info: RoleField;
      readonly index: DraftExpr;
    };

export type DraftExpr = At &
  (
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'boolean'; readonly value: boolean }
    | Target
    | { readonly kind: 'unary'; readonly op: '-' | '!' | '~' | '+'; readonly operand: DraftExpr }
    | {
        readonly kind: 'binary';
        readonly op: ArithmeticOp;
        readonly left: DraftExpr;
        readonly right: DraftExpr;
      }
    | {
        readonly kind: 'bits';
        readonly op: BitOp;
        readonly left: DraftExpr;
        readonly right: DraftExpr;
      }
    /** The lower 32 bits of a product as an i32, or the upper ones as a u32. */
    | {
        readonly kind: 'imul';
        readonly half: 'low' | 'high';
        readonly left: DraftExpr;
        readonly right: DraftExpr;
      }
    | {
        readonly kind: 'test';
        readonly name: 'isNaN' | 'isFinite';
        readonly operand: DraftExpr;
      }
    | {
        readonly kind: 'compare';
        readonly op: CompareOp;
        /** Written with two characters: minifiers say `0 == condition` for `!condition`. */
        readonly loose: boolean;
        readonly left: DraftExpr;
        readonly right: DraftExpr;
      }
    | {
        readonly kind: 'logic';
        readonly op: '&&' | '||';
        readonly left: DraftExpr;
        readonly right: DraftExpr;
      }
    | {
        readonly kind: 'select';
        readonly condition: DraftExpr;
        readonly then: DraftExpr;
        readonly else: DraftExpr;
      }
    | { readonly kind: 'math'; readonly name: MathName; readonly args: readonly DraftExpr[] }
    | { readonly kind: 'cast'; readonly to: 'real' | 'i32' | 'u32'; readonly operand: DraftExpr }
    | {
        readonly kind: 'call';
        readonly helper: HelperTemplate;
        readonly args: readonly DraftExpr[];
      }
  );

export type DraftStmt = At &
  (
    | { readonly kind: 'declare'; readonly local: Local; readonly value: DraftExpr | null }
    | {
        readonly kind: 'declareArray';
        readonly local: Local;
        readonly elements: readonly DraftExpr[];
      }
    | { readonly kind: 'assign'; readonly local: Local; readonly value: DraftExpr }
    | {
        readonly kind: 'assignElement';
        readonly local: Local;
        readonly index: DraftExpr;
        readonly value: DraftExpr;
      }
    | {
        readonly kind: 'write';
        readonly role: RoleName;
        readonly field: string;
        readonly info: RoleField;
        readonly op: WriteOp;
        readonly value: DraftExpr;
      }
    | {
        readonly kind: 'writeItem';
        readonly role: RoleName;
        readonly field: string;
        readonly info: RoleField;
        readonly index: DraftExpr;
        readonly op: '=' | '+=' | '-=';
        readonly value: DraftExpr;
      }
    | {
        readonly kind: 'if';
        readonly condition: DraftExpr;
        readonly then: readonly DraftStmt[];
        readonly else: readonly DraftStmt[];
      }
    | {
        readonly kind: 'loop';
        readonly condition: DraftExpr;
        readonly update: readonly DraftStmt[];
        readonly body: readonly DraftStmt[];
      }
    | { readonly kind: 'break' }
    | { readonly kind: 'continue' }
    | { readonly kind: 'barrier' }
    | { readonly kind: 'return'; readonly values: readonly DraftExpr[] }
    | {
        readonly kind: 'callMany';
        readonly targets: readonly Local[];
        readonly helper: HelperTemplate;
        readonly args: readonly DraftExpr[];
      }
  );

/** The expressions directly inside an expression. */
export function operands(e: DraftExpr): readonly DraftExpr[] {
  switch (e.kind) {
    case 'number':
    case 'boolean':
    case 'local':
    case 'field':
      return [];
    case 'element':
    case 'item':
      return [e.index];
    case 'unary':
    case 'cast':
    case 'test':
      return [e.operand];
    case 'binary':
    case 'bits':
    case 'imul':
    case 'compare':
    case 'logic':
      return [e.left, e.right];
    case 'select':
      return [e.condition, e.then, e.else];
    case 'math':
    case 'call':
      return e.args;
  }
}
