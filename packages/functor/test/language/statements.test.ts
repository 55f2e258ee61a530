import { describe, expect, it } from 'vitest';
import { understood } from './understood.js';

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

  it('are arrays after effects too, as minifiers write', () => {
    expect(
      understood('let s = 1; const a = (s += d.x, [,,,].fill(2)); a[0] += s; i.fx += a[0] + a[2];'),
    ).toBe(
      understood(
        'let s = 1; s += d.x; const a = new Array(3).fill(2); a[0] += s; i.fx += a[0] + a[2];',
      ),
    );
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
