import { describe, expect, it } from 'vitest';
import type { FunctorFunction } from '../../src/Functor.js';
import { pairFunctor } from '../../src/pairFunctor.js';
import { parity } from '../../src/passes/parity.js';
import { printIR } from '../../src/passes/printIR.js';
import { withOutputs } from '../../src/passes/withOutputs.js';

const forces = { fx: 'real', fy: 'real', ep: 'real' } as const;
const virials = {
  vxx: { of: 'fx', along: 'x', factor: 0.5 },
  vxy: { of: 'fy', along: 'x', factor: 0.5 },
} as const;

function functorOf(body: string, spec: object = {}) {
  return pairFunctor(
    {
      name: 'demo',
      central: forces,
      derived: virials,
      read: { vx: 'real', type: 'u32' },
      neighbor: { vx: 'real', type: 'u32' },
      params: { k: 'real', rcut2: 'real' },
      ...spec,
    },
    new Function(`return (i, j, d, p) => {\n${body}\n};`)() as FunctorFunction as never,
  );
}
const statements = (body: string, keep?: readonly string[]) => {
  const ir = functorOf(body).ir!;
  return printIR(keep ? withOutputs(ir, new Set(keep)) : ir).split('  body\n')[1]!;
};

describe('derived outputs', () => {
  it('of a central force share one product, and leave the force as it was', () => {
    const text = statements('const f = p.k * d.r2; i.fx += f * d.x; i.fy += d.y * f; i.ep += f;');
    expect(text).toBe(
      [
        '    let f_0: real = (p.k * d.r2)',
        '    i.fx += (f_0 * d.x)',
        '    i.fy += (d.y * f_0)',
        '    let derived_0: real = (0.5 * f_0)',
        '    i.vxx += ((derived_0 * d.x) * d.x)',
        '    i.vxy += ((derived_0 * d.x) * d.y)',
        '    i.ep += f_0',
      ].join('\n'),
    );
  });

  it('of any other force follow from its value, computed once', () => {
    const text = statements('i.fx -= p.k * (i.vx - j.vx);');
    expect(text).toBe(
      [
        '    let derived_0: real = (p.k * (i.vx - j.vx))',
        '    i.fx -= derived_0',
        '    let derived_1: real = (0.5 * derived_0)',
        '    i.vxx -= (derived_1 * d.x)',
      ].join('\n'),
    );
  });

  it('stand where the force is written, in branches too', () => {
    const text = statements('if (d.r2 < p.rcut2) { i.fy += p.k; } else i.fx += d.r2;');
    expect(text).toMatch(/^ +if .*[\s\S]*i\.vxy \+= [\s\S]*else[\s\S]*i\.vxx \+= /);
  });

  it('are dead code when they are not wanted', () => {
    const body = 'const f = p.k * d.r2; i.fx += f * d.x; i.fy += f * d.y; i.ep += f;';
    const plain = functorOf(body, { derived: {} }).ir!;
    expect(statements(body, ['fx', 'fy', 'ep'])).toBe(printIR(plain).split('  body\n')[1]);
    expect(statements(body, ['vxy'])).toBe(
      [
        '    let f_0: real = (p.k * d.r2)',
        '    let derived_0: real = (0.5 * f_0)',
        '    i.vxy += ((derived_0 * d.x) * d.y)',
      ].join('\n'),
    );
  });

  it('of odd forces are even', () => {
    const proven = parity(
      functorOf('i.fx += p.k * d.x; i.fy -= (i.vx - j.vx) * d.r2;', { traits: { newton3: true } })
        .ir!,
    );
    expect(Object.fromEntries(proven)).toEqual({ fx: 'odd', fy: 'odd', vxx: 'even', vxy: 'even' });
  });

  it('have names that the function does not use', () => {
    const text = statements('const derived = p.k; i.fx += derived * d.x + d.r2;');
    expect(text.match(/derived_0: real/g)).toHaveLength(1);
    expect(text).toContain('derived_1: real = ((derived_0 * d.x) + d.r2)');
  });

  it('are computed by a direct call too, whatever the outputs held before', () => {
    const functor = functorOf('i.fx += p.k * d.x; i.fx -= d.r2; i.fy += 3; i.ep += 1;');
    const i = { fx: 10, fy: 20, ep: 30, vxx: 40, vxy: 50 };
    functor.invoke(i, {}, { x: 2, y: -1, z: 0, r2: 5 }, { k: 4 });
    // forces 4·2 − 5 = 3 and 3; virials ½·2·3 each
    expect(i).toEqual({ fx: 13, fy: 23, ep: 31, vxx: 43, vxy: 53 });
    expect(functor.outputs).toEqual({ ...forces, vxx: 'real', vxy: 'real' });
    expect(functor.spec).toMatchObject({ central: functor.outputs });
  });
});

describe('derived outputs are refused', () => {
  const context = {
    context: { n: 'real' },
    contextStop: new Function('return (x, i) => { i.fx += x.n; };')(),
  };
  it.each([
    ['of a force that is overwritten', 'i.fx = 2;', {}, /derived from 'fx', but it is read or/],
    ['of a force that is read', 'i.fx += 1; i.ep += i.fx;', {}, /only add to it/],
    ['of a force that a hook adds to', 'i.fx += d.x;', context, /not in hooks/],
    ['that the function writes too', 'i.vxx += 1;', {}, /'vxx'/],
  ])('%s', (_, body, spec, message) => {
    expect(() => functorOf(body, spec)).toThrow(message);
  });

  const derivedOf = (from: object) => ({
    derived: { w: { of: 'fx', along: 'x', factor: 1, ...from } },
  });
  it.each([
    ['of what is no output', derivedOf({ of: 'vx' }), /'w' is derived from 'vx', which is no real/],
    ['along no axis', derivedOf({ along: 'r2' }), /along 'r2'/],
    ['by no number', derivedOf({ factor: Number.NaN }), /by NaN/],
    ['with a name that is taken', { derived: { ep: virials.vxx } }, /'ep' is declared twice/],
    ['with a name that is none', { derived: { 'v x': virials.vxx } }, /'v x' is no identifier/],
    ['beside a body in WGSL', { wgsl: '(*i).fx_ += 1.0;' }, /a body in WGSL/],
  ])('%s', (_, spec, message) => {
    expect(() => functorOf('i.ep += 1;', spec)).toThrow(message);
  });
});
