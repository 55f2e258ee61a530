import { describe, expect, it } from 'vitest';
import type { FunctorFunction } from '../../src/Functor.js';
import type { FunctorIR } from '../../src/ir.js';
import { pairFunctor } from '../../src/pairFunctor.js';
import { fieldUse } from '../../src/passes/fieldUse.js';
import { hoistUniform } from '../../src/passes/hoistUniform.js';
import { parity } from '../../src/passes/parity.js';
import { printIR } from '../../src/passes/printIR.js';
import { sumOutputs } from '../../src/passes/sumOutputs.js';
import { withOutputs } from '../../src/passes/withOutputs.js';
import type { Helper } from '../../src/schema.js';

function pair(body: string, helpers: Record<string, Helper> = {}): FunctorIR {
  return pairFunctor(
    {
      name: 'demo',
      central: { fx: 'real', fy: 'real', ep: 'real', n: 'i32' },
      read: { q: 'real', type: 'u32', vx: 'real' },
      neighbor: { q: 'real', type: 'u32', vx: 'real' },
      params: { eps: 'real', sigma: 'real', rc2: 'real', count: 'u32', table: 'real[]' },
      helpers,
    },
    new Function(`return (i, j, d, p, h) => {\n${body}\n};`)() as FunctorFunction as never,
  ).ir!;
}

const bodyOf = (ir: FunctorIR): string => printIR(ir).split('  body\n')[1]!;

describe('sumOutputs', () => {
  it("says 'sum' of fields that are only added to, and 'general' of all others", () => {
    const ir = pair('i.fx += d.x; i.fy -= d.y; i.ep = d.z; if (i.n > 2) i.n += 1;');
    expect([...sumOutputs(ir)]).toEqual([
      ['fx', 'sum'],
      ['fy', 'sum'],
      ['ep', 'general'],
      ['n', 'general'],
    ]);
  });

  it('leaves out what is never written', () => {
    expect([...sumOutputs(pair('i.fx += d.x;')).keys()]).toEqual(['fx']);
  });
});

describe('parity', () => {
  const of = (body: string, helpers: Record<string, Helper> = {}) =>
    Object.fromEntries(parity(pair(body, helpers)));

  it('finds forces odd and energies even', () => {
    expect(
      of(
        'if (d.r2 >= p.rc2) return; const s = h.cube(p.sigma / d.r2); const f = p.eps * s; i.fx += f * d.x; i.fy -= d.y * f; i.ep += s; i.n += 1;',
        { cube: (x: number) => x * x * x },
      ),
    ).toEqual({ fx: 'odd', fy: 'odd', ep: 'even', n: 'even' });
  });

  it.each([
    ['d.x * d.y', 'even'],
    ['d.x * d.y * d.z', 'odd'],
    ['d.x / d.r2', 'odd'],
    ['Math.abs(d.x)', 'even'],
    ['Math.sin(d.x)', 'odd'],
    ['Math.cos(d.x)', 'even'],
    ['d.x ** 3', 'odd'],
    ['d.x ** 2', 'even'],
    ['-d.x', 'odd'],
    ['d.r2 > 1 ? d.x : 0', 'odd'],
    ['(i.vx - j.vx) * d.r2', 'odd'],
    ['(i.vx - j.vx) * d.x', 'even'],
    ['i.q * j.q', 'even'],
    ['p.table[i.type * p.count + j.type] * d.x', 'odd'],
    ['(d.x === 0 ? 1 : 2) * d.y', 'odd'],
  ])('%s is %s', (expression, expected) => {
    expect(of(`i.fx += ${expression};`)).toEqual({ fx: expected });
  });

  it.each([
    'i.fx += d.x + d.r2;',
    'i.fx += d.x > 0 ? 1 : 2;',
    'if (d.x > 0) i.fx += 1;',
    'if (d.x > 0) return; i.fx += d.x;',
    'i.fx += Math.floor(d.x);',
    'i.fx += Math.exp(d.x);',
    'i.fx += Math.max(d.x, 0);',
    'i.fx = d.x;',
    'let s = 0; for (let k = 0; k < 3; k++) { if (d.x > k) break; s += 1; } i.fx += s;',
    'let s = d.x; s += 1; i.fx += s;',
  ])('refuses %s', (body) => {
    expect(() => of(body)).toThrow(/'fx' to be odd or even/);
  });

  it('looks through locals, loops, arrays and helpers with several results', () => {
    const polar = (x: number, y: number): number[] => [x * x + y * y, x * y * y];
    expect(
      of(
        'const [even, odd] = h.polar(d.x, d.y); let s = 0; const a = [0, 0]; for (let k = 0; k < 2; k++) { s += odd * even; a[k] = s; } i.fx += s + a[1]; i.ep += even;',
        { polar },
      ),
    ).toEqual({ fx: 'odd', ep: 'even' });
  });

  it('looks through locals for differences of attributes', () => {
    expect(of('const a = i.vx * 2, b = j.vx * 2; const v = a - b; i.fx += v;')).toEqual({
      fx: 'odd',
    });
  });
});

describe('withOutputs', () => {
  it('drops what only the dropped outputs needed', () => {
    const ir = pair(
      'if (d.r2 > p.rc2) return; const s = h.cube(d.r2); const f = h.twice(s) / d.r2; i.fx += f * d.x; const [a, b] = h.pair(s); i.ep += a + b;',
      {
        cube: (x: number) => x * x * x,
        twice: (x: number) => 2 * x,
        pair: (x: number): number[] => [x, x + 1],
      },
    );
    const force = withOutputs(ir, new Set(['fx']));
    expect(bodyOf(force)).toMatchInlineSnapshot(`
      "    if (d.r2 > p.rc2)
            return
          let s_0: real = cube(d.r2)
          let f_1: real = (twice(s_0) / d.r2)
          i.fx += (f_1 * d.x)"
    `);
    expect(force.helpers.map(({ name }) => name)).toEqual(['cube', 'twice']);
    const energy = withOutputs(ir, new Set(['ep']));
    expect(energy.helpers.map(({ name }) => name)).toEqual(['cube', 'pair']);
    expect(bodyOf(energy)).not.toContain('twice');
  });

  it('drops branches and loops that are left without effect', () => {
    const ir = pair(
      'let s = 0; for (let k = 0; k < 4; k++) { const t = d.x * k; if (t > 2) break; s += t; } if (s > 1) i.ep += s; i.fx += d.x;',
    );
    expect(bodyOf(withOutputs(ir, new Set(['fx'])))).toBe('    i.fx += d.x');
    expect(bodyOf(withOutputs(ir, new Set(['fx', 'ep'])))).toBe(bodyOf(ir));
  });

  it('keeps a loop that decides what is computed later', () => {
    const ir = pair('let s = 0; while (s < d.r2) s += 1; i.fx += s; i.ep += 1;');
    expect(bodyOf(withOutputs(ir, new Set(['fx'])))).toContain('loop');
  });

  it('keeps an unwanted output that a wanted one is computed from', () => {
    const ir = pair('i.ep = d.r2; i.fy += d.y; i.fx += i.ep * d.x;');
    expect(bodyOf(withOutputs(ir, new Set(['fx'])))).toBe(
      '    i.ep = d.r2\n    i.fx += (i.ep * d.x)',
    );
  });

  it('leaves nothing when nothing is wanted', () => {
    expect(withOutputs(pair('i.fx += d.x;'), new Set()).body).toEqual([]);
  });
});

describe('hoistUniform', () => {
  it('computes what depends on parameters only once', () => {
    const { prologue, ir } = hoistUniform(
      pair('i.fx += 24 * p.eps * d.x; i.ep += 24 * p.eps + Math.sqrt(p.rc2) + p.sigma;'),
    );
    const printed = printIR({
      ...ir,
      body: prologue.map(({ variable, value }) => ({ kind: 'declare', variable, value })),
    });
    expect(printed.split('  body\n')[1]).toMatchInlineSnapshot(`
      "    let u0_: real = (24 * p.eps)
          let u1_: real = (((24 * p.eps) + sqrt(p.rc2)) + p.sigma)"
    `);
    expect(bodyOf(ir)).toMatchInlineSnapshot(`
      "    i.fx += (u0_ * d.x)
          i.ep += u1_"
    `);
  });

  it('distinguishes 0 and −0', () => {
    const { prologue } = hoistUniform(pair('i.fx += p.eps * 0; i.fy += p.eps * -0;'));
    expect(prologue).toHaveLength(2);
  });

  it('leaves tables and plain parameters where they are', () => {
    expect(hoistUniform(pair('i.fx += p.eps * d.x + p.table[0];')).prologue).toEqual([]);
  });
});

describe('fieldUse', () => {
  it('lists what is read, written and computed with, helpers included', () => {
    const ir = pair('if (i.n > 1) i.fx += Math.sqrt(p.table[j.type]) * h.f(d.x);', {
      f: (x: number) => Math.exp(x),
    });
    const { reads, writes, mathNames } = fieldUse(ir);
    const plain = (map: ReadonlyMap<string, ReadonlySet<string>>) =>
      Object.fromEntries([...map].map(([k, v]) => [k, [...v]]));
    expect(plain(reads)).toEqual({ i: ['n'], p: ['table'], j: ['type'], d: ['x'] });
    expect(plain(writes)).toEqual({ i: ['fx'] });
    expect([...mathNames]).toEqual(['sqrt', 'exp']);
  });
});
