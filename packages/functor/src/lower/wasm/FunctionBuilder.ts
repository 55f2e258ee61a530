import { resultType } from './opcodes.js';
import type { Label, WasmNode, WasmType } from './WasmNode.js';

/**
 * Collects the body of one WebAssembly function. Statements are emitted in order; `block`, `loop` and `if` take callbacks that
 * emit their contents.
 *
 * @example sum of n numbers
 * const f = new FunctionBuilder('sum', ['i32', 'i32'], ['f64']);
 * const total = f.local('f64');
 * f.range(i32.const(0), f.param(1), (k) => {
 *   f.set(total, f64.add(f.get(total), f64.load(i32.add(f.param(0), i32.shl(k, i32.const(3))))));
 * });
 * f.emit(f.get(total));
 */
export class FunctionBuilder {
  readonly name: string;
  readonly params: readonly WasmType[];
  readonly results: readonly WasmType[];
  readonly locals: WasmType[] = [];
  /** Functions that this one calls and that travel with it into the module, by name. */
  readonly uses = new Map<string, FunctionBuilder>();
  /** Constants it reads from memory at fixed addresses; the module writes them when it is instantiated. */
  readonly data = new Map<number, Uint8Array>();
  /** Names of arguments and locals, for readers of the text form. */
  readonly names = new Map<number, string>();
  /** Finished statements; the open one while contents of a block are being emitted. */
  body: WasmNode[] = [];
  #prelude: WasmNode[] = [];
  #constants = new Map<string, WasmNode>();
  #labels = 0;

  constructor(name: string, params: readonly WasmType[], results: readonly WasmType[] = []) {
    this.name = name;
    this.params = params;
    this.results = results;
  }

  /** All statements, those of {@link atEntry} first. */
  get code(): readonly WasmNode[] {
    return [...this.#prelude, ...this.body];
  }

  /** Reads an argument of the function, from 0. */
  param(index: number): WasmNode {
    return ['local.get', index];
  }

  /** Declares a local and returns its index. Locals start as zero once per call of the function. */
  local(type: WasmType): number {
    this.locals.push(type);
    return this.params.length + this.locals.length - 1;
  }

  /** The type of an argument or a local. @throws Error for an index that was not declared. */
  typeOfLocal(index: number): WasmType {
    const type = this.params[index] ?? this.locals[index - this.params.length];
    if (!type) throw new Error(`function ${this.name} has no local ${index}`);
    return type;
  }

  /** Names an argument, a local, or the local that a value is read from, for readers of the text form. */
  called<T extends number | WasmNode>(what: T, name: string): T {
    const local = typeof what === 'number' ? what : what[0] === 'local.get' ? what[1] : null;
    if (typeof local === 'number') this.names.set(local, name);
    return what;
  }

  /** A line for readers of the text form. */
  comment(text: string): void {
    this.emit(['comment', text]);
  }

  /** Appends statements to the block that is open. */
  emit(...nodes: readonly WasmNode[]): void {
    for (const node of nodes) this.body.push(node);
  }

  /** Reads a local. */
  get(local: number): WasmNode {
    return ['local.get', local];
  }

  /** Appends a statement that sets a local. */
  set(local: number, value: WasmNode): void {
    this.emit(['local.set', local, value]);
  }

  /** Sets a local and has its value. */
  tee(local: number, value: WasmNode): WasmNode {
    return ['local.tee', local, value];
  }

  /** Stores a value in a fresh local and returns its read; reads of never-changing things are returned as they are. */
  keep(value: WasmNode, type: WasmType = this.typeOf(value)): WasmNode {
    if (value[0].endsWith('.const')) return value;
    const local = this.local(type);
    this.set(local, value);
    return this.get(local);
  }

  /** The same with a name for readers of the text form. */
  named(name: string, value: WasmNode): WasmNode {
    return this.called(this.keep(value), name);
  }

  /** A local variable with an initial value. */
  variable(initial: WasmNode, type: WasmType = this.typeOf(initial)): number {
    const local = this.local(type);
    this.set(local, initial);
    return local;
  }

  /** Adds `by` to an i32 local. */
  increment(local: number, by: WasmNode | number = 1): void {
    const step: WasmNode = typeof by === 'number' ? ['i32.const', by] : by;
    this.set(local, ['i32.add', this.get(local), step]);
  }

  /** Emits statements that run once at the start of the function, wherever they are asked for. */
  atEntry(statement: WasmNode): void {
    this.#prelude.push(statement);
  }

  /** A 16-byte constant kept in a local that is set once at the start of the function (equal bytes share one). */
  constant(value: WasmNode): WasmNode {
    const key = JSON.stringify(value, (_, v) => (v instanceof Uint8Array ? [...v] : v));
    let read = this.#constants.get(key);
    if (!read) {
      const local = this.called(this.local('v128'), 'constant');
      this.atEntry(['local.set', local, value]);
      read = this.get(local);
      this.#constants.set(key, read);
    }
    return read;
  }

  /** The type of a value; calls of functions other than `math.*` and {@link uses} cannot be typed. */
  typeOf(node: WasmNode): WasmType {
    const [op, first] = node;
    if (op === 'local.get' || op === 'local.tee') return this.typeOfLocal(first as number);
    if (op === 'address') return 'i32';
    if (op === 'select') return this.typeOf(first as WasmNode);
    if (op === 'call') {
      const name = first as string;
      if (name.startsWith('math.')) return 'f64';
      const result = this.uses.get(name)?.results[0];
      if (result) return result;
    }
    const type = op === 'memory.size' || op === 'memory.grow' ? 'i32' : resultType(op);
    if (!type) throw new Error(`instruction ${op} has no result of a known type`);
    return type;
  }

  /** A new jump target. */
  label(): Label {
    return this.#labels++;
  }

  /** Collects what `emitBody` emits without emitting it here. */
  collect(emitBody: () => void): WasmNode[] {
    const outer = this.body;
    const inner: WasmNode[] = [];
    this.body = inner;
    try {
      emitBody();
    } finally {
      this.body = outer;
    }
    return inner;
  }

  /** A block; `br` to its label leaves it. */
  block(emitBody: (exit: Label) => void): void {
    const label = this.label();
    this.emit(['block', label, this.collect(() => emitBody(label))]);
  }

  /** A loop; `br` to its label repeats it, falling off its end leaves it. */
  loop(emitBody: (again: Label) => void): void {
    const label = this.label();
    this.emit(['loop', label, this.collect(() => emitBody(label))]);
  }

  /** A branch: `condition` is an i32, and true where it is not 0. */
  if(condition: WasmNode, emitThen: () => void, emitElse: () => void = () => {}): void {
    this.emit(['if', condition, this.collect(emitThen), this.collect(emitElse)]);
  }

  /** Jumps to a label of an enclosing block or loop. */
  br(label: Label): void {
    this.emit(['br', label]);
  }

  /** Jumps where the condition, an i32, is not 0. */
  brIf(label: Label, condition: WasmNode): void {
    this.emit(['br_if', label, condition]);
  }

  /** Repeats while the condition (evaluated before each turn) holds. */
  while(condition: WasmNode, emitBody: (exit: Label, again: Label) => void): void {
    this.block((exit) => {
      this.loop((again) => {
        this.brIf(exit, ['i32.eqz', condition]);
        emitBody(exit, again);
        this.br(again);
      });
    });
  }

  /** Counts an i32 from `from` while it is below `to` (signed; `to` is evaluated before each turn). `name` is for readers of the text form. */
  range(
    from: WasmNode,
    to: WasmNode,
    emitBody: (index: WasmNode, local: number) => void,
    step = 1,
    name = 'k',
  ): void {
    const k = this.called(this.variable(from, 'i32'), name);
    this.while(['i32.lt_s', this.get(k), to], () => {
      emitBody(this.get(k), k);
      this.increment(k, step);
    });
  }

  /** Leaves the function. */
  return(...values: readonly WasmNode[]): void {
    this.emit(['return', ...values]);
  }
}
