import type { Tape } from './Tape.js';

type Kind = 'odd' | 'even';

/**
 * Writes bodies of pair functors near the border of what the proof of parity accepts: values that are odd or even under
 * i ↔ j by construction, and now and then a slip that mixes them. Attributes enter symmetrically, as an author promises.
 */
export class BorderWriter {
  readonly #locals: Record<Kind, string[]> = { odd: [], even: [] };
  readonly #arrays: Record<Kind, string[]> = { odd: [], even: [] };
  #names = 0;
  #depth = 0;

  constructor(
    readonly tape: Tape,
    /** One choice in so many is a slip. */
    readonly slips: number,
  ) {}

  functor(): string {
    const w = this.tape.pick<Kind>(['odd', 'even']);
    const writes = [
      () => `i.u += ${this.#value('odd')};`,
      () => `i.v -= ${this.#value('even')};`,
      () => `i.w = i.w + ${this.#value(w)};`,
      () => `i.n += h.i32(${this.#value('even')});`,
    ];
    const lines = Array.from({ length: 2 + this.tape.below(5) }, () => this.#statement(writes));
    return `${lines.join('\n')}\n${this.tape.pick(writes)()}`;
  }

  #statement(writes: readonly (() => string)[]): string {
    const { tape } = this;
    const kind = tape.pick<Kind>(['odd', 'even']);
    const forms: (() => string)[] = [
      () => tape.pick(writes)(),
      () => tape.pick(writes)(),
      () => this.#declare(kind),
      () => this.#assign(kind),
      () => `if (${this.#condition()}) {\n${this.#block(writes)}\n}`,
      () =>
        `if (${this.#condition()}) {\n${this.#block(writes)}\n} else {\n${this.#block(writes)}\n}`,
      () => this.#loop(writes),
      () => this.#array(kind),
      () => this.#several(kind),
      () => `if (${this.#condition()}) return;`,
    ];
    return tape.pick(forms)();
  }

  /** Statements whose variables end with them. */
  #block(writes: readonly (() => string)[]): string {
    if (this.#depth > 1) return this.tape.pick(writes)();
    this.#depth++;
    const known = [this.#locals.odd, this.#locals.even, this.#arrays.odd, this.#arrays.even];
    const lengths = known.map((names) => names.length);
    const lines = Array.from({ length: 1 + this.tape.below(2) }, () => this.#statement(writes));
    known.forEach((names, k) => {
      names.length = lengths[k]!;
    });
    this.#depth--;
    return lines.join('\n');
  }

  #declare(kind: Kind): string {
    const value = this.#value(kind);
    const name = `${kind}${this.#names++}`;
    this.#locals[kind].push(name);
    return `let ${name} = h.real(${value});`;
  }

  #assign(kind: Kind): string {
    const { tape } = this;
    const names = this.#locals[kind];
    if (names.length === 0) return this.#declare(kind);
    const name = tape.pick(names);
    if (tape.once(3)) return `${name} *= ${this.#value('even')};`;
    return `${name} ${tape.pick(['=', '+=', '-='])} ${this.#value(kind)};`;
  }

  #loop(writes: readonly (() => string)[]): string {
    const { tape } = this;
    const k = `k${this.#names++}`;
    const jump = tape.once(2)
      ? `if (${this.#condition()}) ${tape.pick(['break', 'continue'])};`
      : '';
    const body = this.#block(writes);
    if (tape.once(2)) {
      const leave = jump.replace('continue', 'break');
      return `let ${k} = 0;\nfor (;;) {\n${body}\n${k} += 1; if (${k} > 2) break;\n${leave}\n}`;
    }
    const lines = tape.once(2) ? [jump, body] : [body, jump];
    return `for (let ${k} = 0; ${k} < 3; ${k}++) {\n${lines.join('\n')}\n}`;
  }

  #array(kind: Kind): string {
    const names = this.#arrays[kind];
    if (names.length > 0 && this.tape.once(2))
      return `${this.tape.pick(names)}[${this.#index()}] = ${this.#value(kind)};`;
    const name = `a${this.#names++}`;
    const text = `const ${name} = [h.real(${this.#value(kind)}), h.real(${this.#value(kind)})];`;
    names.push(name);
    return text;
  }

  #several(kind: Kind): string {
    const [a, b] = [`s${this.#names++}`, `s${this.#names++}`];
    const text = `let [${a}, ${b}] = h.two(${this.#value(kind)}, ${this.#value('even')});`;
    this.#locals[kind].push(a);
    this.#locals.even.push(b);
    return text;
  }

  #value(kind: Kind, depth = 2): string {
    const { tape } = this;
    const slips = tape.once(this.slips);
    if (slips) return this.#slip(depth);
    if (depth === 0 || tape.once(4)) return this.#leaf(kind);
    const odd = () => this.#value('odd', depth - 1);
    const even = () => this.#value('even', depth - 1);
    const same = () => this.#value(kind, depth - 1);
    const both = [
      () => `(${same()} ${tape.pick(['+', '-'])} ${same()})`,
      () => `(${same()} * ${even()})`,
      () => `(${same()} / (1.5 + Math.abs(${even()})))`,
      () => `(${same()} % (0.5 + Math.abs(${even()})))`,
      () => `(${this.#condition(depth - 1)} ? ${same()} : ${same()})`,
      () => `(-${same()})`,
      () => `h.real(h.i32(${same()}))`,
      () => `h.minus(${same()}, ${same()})`,
      () => `h.scaled(${same()}, ${even()})`,
      () => `h.early(${same()}, ${even()})`,
    ];
    const own =
      kind === 'odd'
        ? [
            () => `Math.${tape.pick(['sin', 'tanh', 'trunc', 'sign', 'fround'])}(${odd()})`,
            () => `(${odd()} ** 3)`,
          ]
        : [
            () => `(${odd()} * ${odd()})`,
            () => `Math.${tape.pick(['abs', 'cos'])}(${odd()})`,
            () => `Math.hypot(${odd()}, ${odd()})`,
            () => `(${odd()} ** 2)`,
            () => `(${odd()} === ${odd()} ? 1 : 2)`,
            () => `Math.${tape.pick(['floor', 'ceil', 'round', 'sign'])}(${even()})`,
            () => `Math.${tape.pick(['min', 'max'])}(${even()}, ${even()})`,
            () => `Math.exp(-Math.abs(${even()}))`,
            () => `h.real(h.i32(${even()}) & 3)`,
            () => `p.table[${this.#index()}]`,
          ];
    return tape.pick([...both, ...own])();
  }

  /** Neither odd nor even, or the other of the two. */
  #slip(depth: number): string {
    const { tape } = this;
    const odd = () => this.#value('odd', depth - 1);
    const even = () => this.#value('even', depth - 1);
    if (depth === 0) return this.#leaf(tape.pick<Kind>(['odd', 'even']));
    return tape.pick([
      () => this.#leaf('odd'),
      () => this.#leaf('even'),
      () => `(${odd()} + ${even()})`,
      () => `Math.${tape.pick(['round', 'floor', 'ceil', 'exp'])}(${odd()})`,
      () => `Math.max(${odd()}, ${odd()})`,
      () => `(${even()} % (${odd()} + 2))`,
      () => `(${odd()} === ${even()} ? 1 : 2)`,
      () => `h.real(h.u32(${odd()}))`,
      () => `h.real(h.i32(${odd()}) & 1)`,
      () => `h.early(${even()}, ${odd()})`,
      () => `p.table[${odd()} > 0 ? 1 : 0]`,
    ])();
  }

  #condition(depth = 1): string {
    const { tape } = this;
    if (tape.once(this.slips)) return `${this.#value('odd', depth)} > ${this.#value('even', 0)}`;
    if (tape.once(5)) return `${this.#value('odd', depth)} !== ${this.#value('odd', depth)}`;
    return `${this.#value('even', depth)} ${tape.pick(['<', '>', '<=', '==='])} ${this.#value('even', 0)}`;
  }

  /** 0 or 1. */
  #index(): string {
    if (this.tape.once(this.slips)) return `${this.#leaf('odd')} > 0 ? 1 : 0`;
    return `(${this.#value('even', 0)} > 1 ? 1 : 0)`;
  }

  #leaf(kind: Kind): string {
    const { tape } = this;
    const elements = this.#arrays[kind].map((name) => `${name}[${this.tape.below(2)}]`);
    const [f, g] = [this.#oneSided(), this.#twoSided()];
    const known = [...this.#locals[kind], ...elements];
    if (known.length > 0 && tape.once(2)) return tape.pick(known);
    if (kind === 'odd')
      return tape.pick([
        'd.x',
        'd.y',
        'd.z',
        '0',
        `(${f('i')} - ${f('j')})`,
        `(${g('i', 'j')} - ${g('j', 'i')})`,
        `h.minus(${f('i')}, ${f('j')})`,
        '(h.i32(i.type) - h.i32(j.type))',
      ]);
    return tape.pick([
      'd.r2',
      '1',
      '0.5',
      'p.a',
      'p.pairs[2 * i.type + j.type]',
      `(${f('i')} * ${f('j')})`,
      `(${f('j')} + ${f('i')})`,
      `(${f('i')} * ${f('j')} - (${f('j')} + ${f('i')}))`,
      `(${g('i', 'j')} + ${g('j', 'i')})`,
      '(p.table[i.type + j.type] - p.other[j.type + i.type])',
      '(i.type === j.type ? 1 : 2)',
    ]);
  }

  /** A value of one of the two particles. */
  #oneSided(): (side: string) => string {
    const form = this.tape.pick([
      '@.q',
      '@.vx',
      '(@.q * p.a)',
      'Math.sqrt(Math.abs(@.q))',
      'p.table[@.type]',
      '(-@.vx)',
    ]);
    return (side) => form.replaceAll('@', side);
  }

  /** A value of both particles that is not symmetric. */
  #twoSided(): (first: string, second: string) => string {
    const form = this.tape.pick([
      '(@.q * $.vx)',
      '(@.q - 2 * $.vx)',
      'p.table[@.type * 2 + $.type]',
      'Math.max(@.q, $.vx)',
    ]);
    return (first, second) => form.replaceAll('@', first).replaceAll('$', second);
  }
}
