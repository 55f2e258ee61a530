import { ExpressionWriter, type Kind } from './ExpressionWriter.js';

/**
 * Writes random function bodies that use every construct of the functor language. Integer arithmetic is kept in 32 bits
 * (`| 0`, Math.imul), where JavaScript and the lowerings are defined to agree.
 */
export class FunctionWriter extends ExpressionWriter {
  #loops = 0;

  /** Statements, one a line, in a scope of their own. */
  block(depth: number, count: number): string {
    const [locals, arrays] = [this.locals.length, this.arrays.length];
    const text = this.lines(depth, count);
    this.locals.length = locals;
    this.arrays.length = arrays;
    return text;
  }

  /** Statements whose variables stay visible. */
  lines(depth: number, count: number): string {
    return Array.from({ length: count }, () => this.#statement(depth)).join('\n');
  }

  #statement(depth: number): string {
    const { random: r } = this;
    const forms: (() => string)[] = [
      () => this.#declare('real'),
      () => this.#declare('real'),
      () => this.#declare('int'),
      () => this.#declare('bool'),
      () => this.#assignReal(),
      () => this.#assignReal(),
      () => this.#assignInt(),
      () => this.#write(),
      () => this.#write(),
      () => this.#if(depth),
      () => this.#if(depth),
      () => this.#loop(depth),
      () => this.#array(),
      () => this.#arrayWrite(),
      () => this.#many(),
      () => (this.around.canReturn && r.chance(0.3) ? `if (${this.bool(1)}) return;` : ''),
    ];
    return r.pick(forms)();
  }

  #declare(kind: Kind): string {
    const { random: r } = this;
    let value = this.bool(2);
    if (kind === 'real')
      value = r.chance(0.2) ? `${this.real(1)} + 0.5` : `h.real(${this.real(3)})`;
    if (kind === 'int') value = `h.i32(${this.int(2)})`;
    const name = this.name();
    const constant = r.chance(0.3);
    this.locals.push({ name, kind, constant });
    if (constant) return `const ${name} = ${value};`;
    return r.chance(0.15) ? `let ${name}; ${name} = ${value};` : `let ${name} = ${value};`;
  }

  #assignReal(): string {
    const { random: r } = this;
    const v = this.local('real', true);
    if (!v) return '';
    if (r.chance(0.1)) return `${v.name}${r.pick(['++', '--'])};`;
    if (r.chance(0.1))
      return `${v.name} = ${this.real(1)} + (${v.name} ${r.pick(['=', '+='])} ${this.real(1)});`;
    return `${v.name} ${r.pick(['=', '+=', '-=', '*='])} ${this.real(2)};`;
  }

  #assignInt(): string {
    const { random: r } = this;
    const v = this.local('int', true);
    if (!v) return '';
    if (r.chance(0.3)) return `${v.name} ${r.pick(['&=', '|=', '^='])} ${this.int(1)};`;
    return `${v.name} = (${v.name} + ${this.int(2)}) | 0;`;
  }

  #write(): string {
    const { writes } = this.around;
    if (writes.length === 0) return this.#assignReal();
    return this.random.pick(writes)(this.real(2), this.int(2));
  }

  #if(depth: number): string {
    const { random: r } = this;
    if (depth <= 0) return '';
    const then = `if (${this.bool(2)}) {\n${this.block(depth - 1, 1 + r.below(3))}\n}`;
    return r.chance(0.5) ? `${then} else {\n${this.block(depth - 1, 1 + r.below(2))}\n}` : then;
  }

  #loop(depth: number): string {
    const { random: r } = this;
    if (depth <= 0 || this.#loops > 1) return '';
    this.#loops++;
    const k = this.name();
    const limit = r.chance(0.5) ? String(1 + r.below(4)) : `(${this.int(1)} & 3)`;
    const jump = r.chance(0.5) ? `if (${this.bool(1)}) ${r.pick(['break', 'continue'])};\n` : '';
    const locals = this.locals.length;
    // A counter that starts from an int may be used as one.
    const typed = r.chance(0.6);
    if (typed) this.locals.push({ name: k, kind: 'int', constant: true });
    const start = typed ? 'h.i32(0)' : '0';
    const body = this.block(depth - 1, 1 + r.below(3));
    this.locals.length = locals;
    this.#loops--;
    const form = r.below(4);
    if (form < 2) return `for (let ${k} = ${start}; ${k} < ${limit}; ${k}++) {\n${jump}${body}\n}`;
    if (form === 2)
      return `{ let ${k} = ${start};\nwhile (${k}++ < ${limit}) {\n${jump}${body}\n} }`;
    return `{ let ${k} = ${start};\ndo {\n${jump}${body}\n} while (${k}++ < ${limit}); }`;
  }

  #array(): string {
    const { random: r } = this;
    const kind = r.chance(0.75) ? 'real' : 'int';
    const size = r.pick([2, 4]);
    const elements = Array.from({ length: size }, () =>
      kind === 'real' ? `h.real(${this.real(1)})` : `h.i32(${this.int(1)})`,
    );
    const name = this.name();
    this.arrays.push({ name, kind, size });
    if (kind === 'real' && r.chance(0.2))
      return `const ${name} = new Array(${size}).fill(${r.below(3)}.5);`;
    return `const ${name} = [${elements.join(', ')}];`;
  }

  #arrayWrite(): string {
    const { random: r } = this;
    if (this.arrays.length === 0) return this.#array();
    const a = r.pick(this.arrays);
    const index = r.chance(0.5) ? String(r.below(a.size)) : `${this.int(1)} & ${a.size - 1}`;
    if (a.kind === 'real')
      return `${a.name}[${index}] ${r.pick(['=', '+=', '*='])} ${this.real(1)};`;
    return `${a.name}[${index}] = ${this.int(1)};`;
  }

  #many(): string {
    const { random: r, around } = this;
    if (around.manyCalls.length === 0) return '';
    const { call, names: keys } = r.pick(around.manyCalls);
    const text = call(
      () => this.real(1),
      () => this.int(1),
    );
    const [a, b] = [this.name(), this.name()];
    const add = (...added: string[]) => {
      for (const name of added) this.locals.push({ name, kind: 'real', constant: true });
    };
    const form = r.below(3);
    if (form === 0) {
      const result = this.name();
      add(a, b);
      const parts = keys ? keys.map((key) => `${result}.${key}`) : [`${result}[0]`, `${result}[1]`];
      return `const ${result} = ${text}; const ${a} = ${parts[0]}, ${b} = ${parts[1]};`;
    }
    if (form === 1) {
      add(a);
      return `const ${a} = ${text}${keys ? `.${keys[1]}` : '[1]'};`;
    }
    add(a, b);
    if (keys) return `const { ${keys[0]}: ${a}, ${keys[1]}: ${b} } = ${text};`;
    return `const [${a}, ${b}] = ${text};`;
  }
}
