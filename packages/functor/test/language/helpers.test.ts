import { describe, expect, it } from 'vitest';
import { understood } from './understood.js';

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
