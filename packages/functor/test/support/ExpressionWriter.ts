import type { RandomSource } from './RandomSource.js';

export type Kind = 'real' | 'int' | 'bool';

export interface Local {
  readonly name: string;
  readonly kind: Kind;
  readonly constant: boolean;
}

export interface LocalArray {
  readonly name: string;
  readonly kind: 'real' | 'int';
  readonly size: number;
}

type Make = () => string;

/** What a generated function may use besides its own variables, as text. */
export interface Surroundings {
  readonly reals: readonly string[];
  readonly ints: readonly string[];
  /** Statements that write a result, given a real and an int expression. */
  readonly writes: readonly ((real: string, int: string) => string)[];
  /** Calls of helpers with one real result. */
  readonly calls: readonly ((real: Make, int: Make) => string)[];
  /** Calls of helpers with two results; the names of an object result (null: an array). */
  readonly manyCalls: readonly {
    readonly call: (real: Make, int: Make) => string;
    readonly names: readonly [string, string] | null;
  }[];
  readonly canReturn: boolean;
}

/** Plain names and names that are words of WGSL or look like the compiler's own. */
const names = [
  'x',
  'acc',
  'fn',
  'f32',
  'loop',
  'target',
  'mod',
  '$s',
  'u0_',
  't',
  'array',
  'été',
  'value_',
  'at_',
];

/** Writes random expressions; arguments are kept in ranges where nothing overflows quickly. */
export class ExpressionWriter {
  readonly locals: Local[] = [];
  readonly arrays: LocalArray[] = [];
  #count = 0;

  constructor(
    readonly random: RandomSource,
    readonly around: Surroundings,
  ) {}

  real(depth: number): string {
    const { random: r } = this;
    if (depth <= 0 || r.chance(0.2)) return this.realLeaf();
    const x = () => this.real(depth - 1);
    const forms: Make[] = [
      () => `(${x()} ${r.pick(['+', '-', '*'])} ${x()})`,
      () => `(${x()} ${r.pick(['+', '-', '*'])} ${x()})`,
      () => `(${x()} / (1.5 + Math.abs(${x()})))`,
      () => `(${x()} / ${r.pick(['3', '0.25', '(-7)'])})`,
      () => `(${x()} % ${r.pick(['2.5', '3', `(0.5 + Math.abs(${this.realLeaf()}))`])})`,
      () => `Math.${r.pick(['abs', 'floor', 'ceil', 'trunc', 'round', 'sign', 'fround'])}(${x()})`,
      () => `Math.${r.pick(['sin', 'cos', 'tanh'])}(${x()})`,
      () => this.#library(depth),
      () => `Math.sqrt(Math.abs(${x()}))`,
      () => `Math.exp(-Math.abs(${x()}))`,
      () => `Math.log(1.25 + Math.abs(${x()}))`,
      () => `Math.pow(0.1 + Math.abs(${x()}), ${r.pick(['0.5', '1.5', '-0.75', '2'])})`,
      () => `(${x()} ** ${r.pick(['2', '3', '4', '-1', '-2'])})`,
      () => `Math.hypot(${[x(), x(), x()].slice(0, 1 + r.below(3)).join(', ')})`,
      () =>
        `Math.${r.pick(['min', 'max'])}(${[x(), x(), x()].slice(0, 1 + r.below(3)).join(', ')})`,
      () => `(${this.bool(depth - 1)} ? ${x()} : ${x()})`,
      () => `(-${x()})`,
      () => `h.real(${r.chance(0.5) ? this.int(depth - 1) : this.bool(depth - 1)})`,
      () => `(h.real(${x()}) ${r.pick(['+', '-', '*'])} ${this.int(depth - 1)})`,
      () => `(Math.${r.pick(['PI', 'SQRT2', 'LN2'])} * ${x()})`,
      () => this.#call(depth),
    ];
    return r.pick(forms)();
  }

  int(depth: number): string {
    const { random: r } = this;
    if (depth <= 0 || r.chance(0.25)) return this.intLeaf();
    const k = () => this.int(depth - 1);
    const forms: Make[] = [
      () => `(${k()} ${r.pick(['+', '-'])} ${k()} | 0)`,
      () => `(${k()} ${r.pick(['&', '|', '^'])} ${k()})`,
      () => `Math.imul(${k()}, ${k()})`,
      () =>
        r.chance(0.8)
          ? `(h.mulHigh(${k()}, ${k()}) | 0)`
          : `(h.random(${this.#counter(depth)})[${r.below(4)}] | 0)`,
      () => `h.i32(${this.real(depth - 1)})`,
      () => `(${k()} << ${r.below(5)})`,
      () => `(${k()} >> (${k()} & 7))`,
      () => `((${k()} >>> ${1 + r.below(8)}) | 0)`,
      () => `(~${k()})`,
      () => `(${k()} % (1 + (${k()} & 7)) | 0)`,
      () => `(-${k()} | 0)`,
      () => `(${this.bool(depth - 1)} ? ${k()} : ${k()})`,
      () => `(Math.${r.pick(['min', 'max'])}(${k()}, ${k()}) | 0)`,
      () => `h.i32(h.u32(${this.real(depth - 1)}))`,
      () => `h.i32(${this.bool(depth - 1)})`,
    ];
    return r.pick(forms)();
  }

  bool(depth: number): string {
    const { random: r } = this;
    const compare = () => r.pick(['<', '>', '<=', '>=']);
    if (depth <= 0) return `(${this.realLeaf()} ${compare()} ${this.realLeaf()})`;
    const b = () => this.bool(depth - 1);
    const forms: Make[] = [
      () => `(${this.real(depth - 1)} ${compare()} ${this.real(depth - 1)})`,
      () => `(${this.int(depth - 1)} ${r.pick(['<', '>=', '===', '!=='])} ${this.int(depth - 1)})`,
      () => `(${b()} ${r.pick(['&&', '||'])} ${b()})`,
      () => `!${b()}`,
      () => `(${b()} ${r.pick(['===', '!=='])} ${b()})`,
      () => this.local('bool')?.name ?? b(),
      () => `Number.${r.pick(['isNaN', 'isFinite'])}(${this.real(depth - 1)})`,
    ];
    return r.pick(forms)();
  }

  realLeaf(): string {
    const { random: r } = this;
    const arrays = this.arrays.filter((a) => a.kind === 'real');
    const locals = this.locals.filter((v) => v.kind === 'real').map((v) => v.name);
    const leaf = r.pick([
      ...this.around.reals,
      ...locals,
      ...locals,
      r.between(-2, 2).toFixed(2),
      String(r.below(4)),
      ...arrays.map((a) => `${a.name}[${r.below(a.size)}]`),
      ...arrays.map((a) => `${a.name}[${this.intLeaf()} & ${a.size - 1}]`),
    ]);
    return leaf.startsWith('-') ? `(${leaf})` : leaf;
  }

  intLeaf(): string {
    const { random: r } = this;
    const arrays = this.arrays.filter((a) => a.kind === 'int');
    return r.pick([
      ...this.around.ints,
      ...this.locals.filter((v) => v.kind === 'int').map((v) => v.name),
      ...arrays.map((a) => `${a.name}[${r.below(a.size)}]`),
      `h.i32(${r.below(9) - 4})`,
    ]);
  }

  local(kind: Kind, assignable = false): Local | undefined {
    const found = this.locals.filter((v) => v.kind === kind && !(assignable && v.constant));
    return found.length > 0 ? this.random.pick(found) : undefined;
  }

  name(): string {
    return `${this.random.pick(names)}${this.#count++}`;
  }

  /** Functions of the library; random numbers, whose text is long, less often. */
  #library(depth: number): string {
    const { random: r } = this;
    const x = () => this.real(depth - 1);
    if (r.chance(0.1))
      return `h.${r.pick(['uniform', 'normal'])}(${this.#counter(depth)})[${r.below(4)}]`;
    const forms: Make[] = [
      () => `Math.atan(${x()})`,
      () => `Math.atan2(${x()}, ${r.pick(['1.5', '(-0.75)', `(2.5 + Math.abs(${x()}))`])})`,
      // Near ±1, and where they grow fast, rounding of the argument would be seen.
      () => `Math.${r.pick(['asin', 'acos'])}(0.9 * Math.sin(${x()}))`,
      () => `Math.${r.pick(['sinh', 'cosh'])}(2 * Math.cos(${x()}))`,
      () => `h.${r.pick(['erf', 'erfc'])}(${x()})`,
    ];
    return r.pick(forms)();
  }

  /** Three to six integers. */
  #counter(depth: number): string {
    const { random: r } = this;
    const count = 3 + r.below(4);
    return Array.from({ length: count }, () =>
      r.chance(0.5) ? String(r.below(9)) : this.int(depth - 2),
    ).join(', ');
  }

  #call(depth: number): string {
    const { calls } = this.around;
    if (calls.length === 0) return this.realLeaf();
    return this.random.pick(calls)(
      () => this.real(depth - 1),
      () => this.int(depth - 1),
    );
  }
}
