import { describe, expect, it } from 'vitest';
import { blockFunctor } from '../src/functor/blockFunctor.js';
import { cellFunctor } from '../src/functor/cellFunctor.js';
import { i32, real, u32 } from '../src/functor/conversions.js';
import type { FunctorFunction } from '../src/functor/Functor.js';
import { pairFunctor } from '../src/functor/pairFunctor.js';
import { printIR } from '../src/functor/passes/printIR.js';
import { reduceFunctor } from '../src/functor/reduceFunctor.js';
import type { Helper } from '../src/functor/schema.js';

/** Compiles a body written as plain JavaScript and prints what was understood, without the declarations. */
function understood(
  body: string,
  helpers: Record<string, Helper> = {},
  parameters = 'i, j, d, p, h, c',
): string {
  return compiled(new Function(`return (${parameters}) => {\n${body}\n};`)(), helpers);
}

function compiled(fn: FunctorFunction, helpers: Record<string, Helper> = {}): string {
  const functor = pairFunctor(
    {
      name: 'demo',
      central: { fx: 'real', fy: 'real', n: 'i32', k: 'u32' },
      read: { q: 'real', type: 'u32' },
      neighbour: { q: 'real', type: 'u32' },
      params: { a: 'real', m: 'i32', count: 'u32', table: 'real[]' },
      helpers,
      constants: { three: 3, half: 0.5 },
    },
    fn as never,
  );
  const text = printIR(functor.ir!)
    .split('\n')
    .filter((line) => !line.startsWith('  role') && !line.startsWith('pair'));
  return text.map((line) => line.slice(2)).join('\n');
}

describe('types of numbers', () => {
  it('an integer literal never makes an int', () => {
    expect(understood('let sum = 0; sum += d.x; i.fx += sum / 2;')).toMatchInlineSnapshot(`
      "body
        let sum_0: real = 0
        sum_0 = (sum_0 + d.x)
        i.fx += (sum_0 / 2)"
    `);
  });

  it('a counter of literals is real, unless something needs an int', () => {
    expect(understood('for (let k = 0; k < 3; k++) i.fx += k;')).toContain('let k_0: real = 0');
    expect(understood('for (let k = 0; k < 3; k++) i.fx += p.table[k];')).toContain(
      'let k_0: i32 = 0i',
    );
    expect(understood('let k = 1; k += 2; i.n += k;')).toContain('let k_0: i32 = 1i');
    expect(understood('let k = 1; i.k = k + 2;')).toContain('let k_0: u32 = 1u');
    expect(understood('let k = 1; i.fx += k & 1 ? 1 : 2;')).toContain('let k_0: i32 = 1i');
  });

  it('a demand reaches through other locals', () => {
    const text = understood(
      'let a = 0; let b = a + 1; for (; b < 3; b++) a = b; i.fx += p.table[a];',
    );
    expect(text).toContain('let a_0: i32 = 0i');
    expect(text).toContain('let b_1: i32 = (a_0 +i 1i)');
  });

  it('division is real, also of ints', () => {
    expect(understood('i.fx += i.type / 2;')).toContain('i.fx += (real(i.type) / 2)');
  });

  it('ints meet reals as reals, and unsigned meets signed as signed', () => {
    expect(understood('i.fx += i.type * d.x;')).toContain('(real(i.type) * d.x)');
    expect(understood('i.n += i.type + p.m;')).toContain('(i32(i.type) +i p.m)');
    expect(understood('i.fx += i.type - j.type;')).toContain('real((i32(i.type) -i i32(j.type)))');
    expect(understood('if (i.type === -1) i.fx += 1;')).toContain('(i32(i.type) == -1i)');
  });

  it('bit operations give i32, and >>> gives u32', () => {
    expect(understood('i.n = i.type & 3; i.k = i.n >>> 1;')).toMatchInlineSnapshot(`
      "body
        i.n = (i.type &i 3i)
        i.k = (i.n >>>u 1u)"
    `);
  });

  it('Math.imul multiplies 32-bit integers', () => {
    expect(understood('i.n = Math.imul(i.type, 0x9e3779b9);')).toContain(
      '((i.type |i 0i) *i -1640531527i)',
    );
  });

  it('an int takes part in a condition as "not zero"', () => {
    expect(understood('if (i.type & 1) i.fx += 1;')).toContain('if ((i.type &i 1i) != 0i)');
  });

  it('conversions of numbers are made at once', () => {
    expect(
      understood('i.n = h.i32(2.7) + h.i32(-1e10) + h.u32(-3); i.fx += h.real(true);'),
    ).toMatchInlineSnapshot(`
      "body
        i.n = ((2i +i -2147483648i) +i i32(0u))
        i.fx += 1"
    `);
  });
});

describe('conversions', () => {
  it.each([
    [1.9, 1, 1],
    [-1.9, -1, 0],
    [3e9, 2147483647, 3000000000],
    [-3e9, -2147483648, 0],
    [5e9, 2147483647, 4294967295],
    [Number.NaN, 0, 0],
    [true, 1, 1],
  ])('of %s', (x, signed, unsigned) => {
    expect(i32(x)).toBe(signed);
    expect(u32(x)).toBe(unsigned);
    expect(real(x)).toBe(Number(x));
  });

  it('are known by their own names too', () => {
    expect(
      compiled(((i: { n: number }, _j: object, d: { x: number }) => {
        i.n += i32(d.x);
      }) as FunctorFunction),
    ).toContain('i.n += i32(d.x)');
  });
});

describe('statements', () => {
  it('assignments inside expressions become statements, in order', () => {
    expect(
      understood('let a = d.x, b; i.fx += a + (b = a * 2, a = b + 1) * a;'),
    ).toMatchInlineSnapshot(`
      "body
        let a_0: real = d.x
        let b_1: real = 0
        let t_2: real = a_0
        b_1 = (a_0 * 2)
        a_0 = (b_1 + 1)
        i.fx += (t_2 + (a_0 * a_0))"
    `);
  });

  it('k++ gives the old value and ++k the new one', () => {
    expect(understood('let k = h.i32(0); i.n = k++; i.n = ++k;')).toMatchInlineSnapshot(`
      "body
        let k_0: i32 = 0i
        let t_1: i32 = k_0
        k_0 = (k_0 +i 1i)
        i.n = t_1
        k_0 = (k_0 +i 1i)
        i.n = k_0"
    `);
  });

  it('do … while tests after the body, also after continue', () => {
    expect(
      understood('let s = 0; do { s += 1; if (s > 2) continue; i.fx += s; } while (s < 5);'),
    ).toMatchInlineSnapshot(`
      "body
        let s_0: real = 0
        let again_1: bool = true
        loop again_1
          s_0 = (s_0 + 1)
          if (s_0 > 2)
            continue
          i.fx += s_0
        update
          again_1 = (s_0 < 5)"
    `);
  });

  it('a condition with effects is tested at the head of the loop', () => {
    expect(understood('let k = h.i32(0); while (k++ < 3) i.fx += k;')).toMatchInlineSnapshot(`
      "body
        let k_0: i32 = 0i
        loop true
          let t_1: i32 = k_0
          k_0 = (k_0 +i 1i)
          if !(t_1 < 3i)
            break
          i.fx += real(k_0)"
    `);
  });

  it("minifiers' forms are statements again", () => {
    const text = understood(
      'return d.r2 > 4 ? void 0 : void (d.x > 0 && (i.fx += 1), d.y > 0 || (i.fy -= 2, i.fy += 3))',
    );
    expect(text).toMatchInlineSnapshot(`
      "body
        if (d.r2 > 4)
        else
          if (d.x > 0)
            i.fx += 1
          if !(d.y > 0)
            i.fy -= 2
            i.fy += 3
        return"
    `);
  });

  it('i.fx = i.fx + e is a sum', () => {
    expect(
      understood('i.fx = i.fx + d.x; i.fy = d.y + i.fy; i.fx = i.fx - 1;'),
    ).toMatchInlineSnapshot(`
      "body
        i.fx += d.x
        i.fy += d.y
        i.fx -= 1"
    `);
  });

  it('var is visible in the whole function', () => {
    expect(
      understood('if (d.x > 0) { var s = d.x; } else { var s = d.y; } i.fx += s;'),
    ).toMatchInlineSnapshot(`
      "body
        let s_0: real = 0
        if (d.x > 0)
          s_0 = d.x
        else
          s_0 = d.y
        i.fx += s_0"
    `);
  });

  it('what follows a jump is left out, and constant conditions are decided', () => {
    expect(
      understood('if (c.three > 2) { i.fx += 1; return; i.fx += 2; } else i.fx += 3;'),
    ).toMatchInlineSnapshot(`
      "body
        i.fx += 1
        return"
    `);
  });

  it('parameters may be taken apart', () => {
    expect(
      understood(
        'const { a, table } = p; i.fx += a * x * table[type] + half + sq(x);',
        { sq: (x: number) => x * x },
        'i, { type }, { x }, p, { sq }, { half }',
      ),
    ).toMatchInlineSnapshot(`
      "helper sq(x_0: real): real
        return (x_0 * x_0)
      body
        let a_0: real = p.a
        i.fx += ((((a_0 * d.x) * p.table[j.type]) + 0.5) + sq(d.x))"
    `);
  });
});

describe('local arrays', () => {
  it('are split into scalars where every index is known', () => {
    expect(
      understood('const a = [d.x, d.y]; a[1] += 2; i.fx += a[0] * a[1] + a.length;'),
    ).toMatchInlineSnapshot(`
      "body
        let a_0_0: real = d.x
        let a_0_1: real = d.y
        a_0_1 = (a_0_1 + 2)
        i.fx += ((a_0_0 * a_0_1) + 2)"
    `);
  });

  it('stay arrays where an index varies', () => {
    expect(
      understood(
        'const a = new Array(c.three).fill(0); for (let k = 0; k < 3; k++) a[k] += d.x; i.fx += a[1];',
      ),
    ).toMatchInlineSnapshot(`
      "body
        let a_0: real[3] = [0, 0, 0]
        let k_1: i32 = 0i
        loop (k_1 < 3i)
          a_0[k_1] = (a_0[k_1] + d.x)
        update
          k_1 = (k_1 +i 1i)
        i.fx += a_0[1u]"
    `);
  });

  it('may hold ints, and come from typed arrays', () => {
    expect(understood('const a = new Int32Array(2); a[0] = p.m; i.n = a[0] + a[1];')).toContain(
      'let a_0_0: i32 = 0i',
    );
  });

  it('exchange elements by destructuring', () => {
    expect(
      understood('let a = d.x, b = d.y; [a, b] = [b, a]; i.fx += a - b;'),
    ).toMatchInlineSnapshot(`
      "body
        let a_0: real = d.x
        let b_1: real = d.y
        let t_2: real = b_1
        let t_3: real = a_0
        a_0 = t_2
        b_1 = t_3
        i.fx += (a_0 - b_1)"
    `);
  });
});

describe('helpers', () => {
  const sort = (a: number, b: number): number[] => (a < b ? [a, b] : [b, a]);
  const split = (x: number) => {
    const whole = Math.floor(x);
    return { whole, rest: x - whole };
  };

  it('return several values as arrays or objects', () => {
    const text = understood(
      'const [lo, hi] = h.sort(d.x, d.y); const { rest } = h.split(lo); const r = h.split(hi); i.fx += rest * r.whole * h.sort(1, d.z)[1];',
      { sort, split },
    );
    expect(text).toMatchInlineSnapshot(`
      "helper sort(a_0: real, b_1: real): real, real
        if (a_0 < b_1)
          return a_0, b_1
        else
          return b_1, a_0
      helper split(x_0: real): real, real
        let whole_1: real = floor(x_0)
        return whole_1, (x_0 - whole_1)
      body
        let lo_0: real, hi_1: real = sort(d.x, d.y)
        let whole_2: real, rest_3: real = split(lo_0)
        let whole_4: real, rest_5: real = split(hi_1)
        let t_6: real, t_7: real = sort(1, d.z)
        i.fx += ((rest_3 * whole_4) * t_7)"
    `);
  });

  it('are compiled once for each combination of argument types', () => {
    const twice = (x: number) => x + x;
    const text = understood(
      'i.fx += h.twice(d.x) + h.twice(2); i.n += h.twice(p.m); i.k += h.twice(i.type);',
      { twice },
    );
    expect(text).toContain('helper twice(x_0: real): real');
    expect(text).toContain('helper twice2(x_0: i32): i32');
    expect(text).toContain('helper twice3(x_0: u32): u32');
    expect(text).not.toContain('twice4');
  });

  it('call further helpers through h, handed on', () => {
    const inner = (x: number) => x + 1;
    const outer = (x: number, h: { inner(x: number): number }, c: { half: number }) =>
      h.inner(x) * c.half;
    expect(understood('i.fx += h.outer(d.x, h, c);', { outer, inner })).toMatchInlineSnapshot(`
      "helper inner(x_0: real): real
        return (x_0 + 1)
      helper outer(x_0: real): real
        return (inner(x_0) * 0.5)
      body
        i.fx += outer(d.x)"
    `);
  });

  it('decide themselves what a literal argument is', () => {
    const at = (k: number) => (k & 1 ? 2 : 3);
    const text = understood('for (let k = 0; k < 4; k++) i.fx += h.at(k) + h.at(7);', { at });
    expect(text).toContain('let k_0: i32 = 0i');
    expect(text).toContain('helper at(k_0: i32): real');
    expect(text).not.toContain('at2');
  });

  it('assign their own parameters', () => {
    const wrap = (x: number) => {
      let y = x;
      while (y > 1) y -= 1;
      return y;
    };
    expect(understood('i.fx += h.wrap(d.x);', { wrap })).toContain('let y_1: real = x_0');
  });
});

describe('the other kinds', () => {
  it('cell functors read and write one particle', () => {
    const drift = cellFunctor(
      { name: 'drift', fields: { rx: 'real' }, read: { vx: 'real' }, params: { dt: 'real' } },
      (i, p) => {
        i.rx += p.dt * i.vx;
      },
    );
    expect(printIR(drift.ir!)).toMatchInlineSnapshot(`
      "cell drift
        role i { *rx: real, vx: real }
        role p { dt: real }
        body
          i.rx += (p.dt * i.vx)"
    `);
  });

  it('reductions know sum, max and min in any argument order', () => {
    const extremes = reduceFunctor(
      { name: 'extremes', result: { s: 'sum', hi: 'max', lo: 'min' }, read: { vx: 'real' } },
      (acc, i) => {
        acc.s -= i.vx;
        acc.hi = Math.max(i.vx, acc.hi, 2);
        acc.lo = Math.min(acc.lo, i.vx);
      },
    );
    expect(printIR(extremes.ir!)).toMatchInlineSnapshot(`
      "reduce extremes
        role acc { *s: real, *hi: real, *lo: real }
        role i { vx: real }
        role p { }
        body
          acc.s -= i.vx
          acc.hi max max(i.vx, 2)
          acc.lo min i.vx"
    `);
  });

  it('block functors share a loop between lanes', () => {
    const add = blockFunctor(
      {
        name: 'add',
        arrays: { values: 'real' },
        read: { weight: 'real' },
        params: { columns: 'u32', x: 'real' },
      },
      (b, a, p) => {
        for (let k = b.lane; k < p.columns; k += b.size)
          a.values[b.index * p.columns + k]! += p.x * a.weight[k]!;
      },
    );
    expect(printIR(add.ir!)).toMatchInlineSnapshot(`
      "block add
        role b { index: u32, x: u32, y: u32, z: u32, lane: u32, size: u32 }
        role a { *values: real[], weight: real[] }
        role p { columns: u32, x: real }
        body
          let k_0: u32 = b.lane
          loop (k_0 < p.columns)
            a.values[((b.index *u p.columns) +u k_0)] += (p.x * a.weight[k_0])
          update
            k_0 = (k_0 +u b.size)"
    `);
  });

  it('are called directly through invoke, helpers and constants included', () => {
    const functor = cellFunctor(
      {
        name: 'demo',
        fields: { x: 'real' },
        params: { k: 'real' },
        helpers: { sq: (x: number) => x * x },
        constants: { one: 1 },
      },
      (i, p, h, c) => {
        i.x = h.sq(i.x) * p.k + c.one + h.i32(2.5);
      },
    );
    const i = { x: 3 };
    functor.invoke(i, { k: 2 });
    expect(i.x).toBe(21);
  });

  it('know where they were defined', () => {
    const functor = cellFunctor({ name: 'demo', fields: { x: 'real' } }, (i) => {
      i.x += 1;
    });
    expect(functor.source.file).toMatch(/functor\.test\.ts$/);
    expect(functor.source.line).toBeGreaterThan(300);
  });

  it('have default traits', () => {
    const functor = cellFunctor({ name: 'demo', fields: {}, traits: { gpu: false } }, () => {});
    expect(functor.traits).toMatchObject({
      gpu: false,
      buffered: true,
      bufferless: true,
      newton3: false,
    });
    expect(functor.ir).not.toBeNull();
  });
});
