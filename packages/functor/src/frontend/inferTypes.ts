import { type DraftExpr, type DraftStmt, type DraftType, type Local, operands } from './Draft.js';
import type { HelperLibrary } from './HelperLibrary.js';
import type { SourceText } from './SourceText.js';
import { integerMath, isInt, joinTypes, typeOf } from './typeOf.js';

/**
 * Finds the types of all locals, as a least fixed point over the order literal < i32, u32 < real:
 *
 *   1. values flow into locals until nothing changes;
 *   2. places that need an integer demand it of the locals that are still literals;
 *   3. what is a literal even then becomes real.
 *
 * Parameters of helpers come with their types in `preset`.
 */
export function inferTypes(
  body: readonly DraftStmt[],
  locals: readonly Local[],
  preset: ReadonlySet<Local>,
  library: HelperLibrary,
  source: SourceText,
): void {
  const inference = new Inference(preset, library, source);
  inference.settle(body, false);
  inference.settle(body, true);
  const open = locals.filter((local) => local.type === 'literal');
  for (const local of open) local.type = 'real';
  inference.settle(body, true);
}

class Inference {
  readonly #seen: Set<Local>;
  #changed = false;
  #demanding = false;

  constructor(
    preset: ReadonlySet<Local>,
    readonly library: HelperLibrary,
    readonly source: SourceText,
  ) {
    this.#seen = new Set(preset);
  }

  settle(body: readonly DraftStmt[], demanding: boolean): void {
    this.#demanding = demanding;
    do {
      this.#changed = false;
      this.#visit(body);
    } while (this.#changed);
  }

  #visit(statements: readonly DraftStmt[]): void {
    for (const s of statements) this.#statement(s);
  }

  #statement(s: DraftStmt): void {
    switch (s.kind) {
      case 'declare':
        if (!s.value) return;
        s.local.declaredInt = isInt(typeOf(s.value, this.library));
        this.#flow(s.local, s.value);
        return;
      case 'declareArray':
        s.local.declaredInt = s.elements.some((e) => isInt(typeOf(e, this.library)));
        for (const element of s.elements) this.#flow(s.local, element);
        return;
      case 'assign':
        this.#flow(s.local, s.value);
        return;
      case 'assignElement':
        this.#index(s.index);
        this.#flow(s.local, s.value);
        return;
      case 'write':
        this.#expression(s.value);
        if (isInt(s.info.type)) this.#demand(s.value, s.info.type);
        return;
      case 'writeItem':
        this.#index(s.index);
        this.#expression(s.value);
        if (isInt(s.info.type)) this.#demand(s.value, s.info.type);
        return;
      case 'if':
        this.#expression(s.condition);
        this.#visit(s.then);
        this.#visit(s.else);
        return;
      case 'loop':
        this.#expression(s.condition);
        this.#visit(s.body);
        this.#visit(s.update);
        return;
      case 'return':
        for (const value of s.values) this.#expression(value);
        return;
      case 'callMany': {
        const { params, results } = this.library.instance(
          s.helper,
          s.args.map((e) => typeOf(e, this.library)),
        );
        this.#arguments(s.args, params);
        s.targets.forEach((local, k) => {
          this.#raise(local, results[k]!);
        });
        return;
      }
      default:
        return;
    }
  }

  #flow(local: Local, value: DraftExpr): void {
    this.#expression(value);
    const type = typeOf(value, this.library);
    const bool = (t: DraftType) => t === 'bool';
    if (this.#seen.has(local) && bool(local.type) !== bool(type)) {
      this.source.fail(
        'FUNCTOR_TYPE',
        value.node,
        `'${local.name}' is used both as a number and as a truth value`,
        'use two variables, or convert: condition ? 1 : 0',
      );
    }
    // An int stays an int: storing a real in it is reported at emission.
    if (!(local.declaredInt && type === 'real' && isInt(local.type))) this.#raise(local, type);
    if (isInt(local.type)) this.#demand(value, local.type);
  }

  #raise(local: Local, type: DraftType): void {
    const joined = this.#seen.has(local)
      ? joinTypes(local.type, type)
      : type === 'bool'
        ? type
        : joinTypes(local.type, type);
    this.#seen.add(local);
    if (joined === local.type) return;
    local.type = joined;
    this.#changed = true;
  }

  #index(index: DraftExpr): void {
    this.#expression(index);
    this.#demand(index, 'i32');
  }

  #arguments(args: readonly DraftExpr[], params: readonly DraftType[]): void {
    args.forEach((arg, k) => {
      this.#expression(arg);
      const type = params[k]!;
      if (isInt(type)) this.#demand(arg, type);
    });
  }

  /** Finds the places inside an expression that need an integer. */
  #expression(e: DraftExpr): void {
    if (e.kind === 'element' || e.kind === 'item') {
      this.#index(e.index);
      return;
    }
    for (const operand of operands(e)) this.#expression(operand);
    if (e.kind === 'bits' || e.kind === 'imul') {
      this.#demand(e.left, 'i32');
      this.#demand(e.right, 'i32');
    } else if (e.kind === 'unary' && e.op === '~') {
      this.#demand(e.operand, 'i32');
    } else if (e.kind === 'call') {
      const types = e.args.map((arg) => typeOf(arg, this.library));
      this.#arguments(e.args, this.library.instance(e.helper, types).params);
    }
  }

  /** Makes ints of the literals that the value of an expression is made of. */
  #demand(e: DraftExpr, type: 'i32' | 'u32'): void {
    if (!this.#demanding) return;
    switch (e.kind) {
      case 'local':
      case 'element':
        if (e.local.type === 'literal') this.#raise(e.local, type);
        if (e.local.demanded) return;
        e.local.demanded = true;
        for (const value of e.local.assigned) this.#demand(value, type);
        return;
      case 'unary':
        this.#demand(e.operand, type);
        return;
      case 'binary':
        if (e.op === '/') return;
        this.#demand(e.left, type);
        this.#demand(e.right, type);
        return;
      case 'select':
        this.#demand(e.then, type);
        this.#demand(e.else, type);
        return;
      case 'math':
        if (integerMath.has(e.name)) for (const arg of e.args) this.#demand(arg, type);
        return;
      default:
        return;
    }
  }
}
