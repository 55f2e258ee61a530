import { describe, expect, it } from 'vitest';
import type { FunctorFunction } from '../../../src/Functor.js';
import { pairFunctor } from '../../../src/pairFunctor.js';
import { parity } from '../../../src/passes/parity.js';
import { printIR } from '../../../src/passes/printIR.js';
import { withOutputs } from '../../../src/passes/withOutputs.js';
import { forceFields, gradient } from '../../support/gradientCheck.js';

const smooth = (x: number): number => {
  let s = 1 - x;
  if (x > 1) s = 0;
  return s * s * (1 + 2 * x);
};

function functorOf(body: string, spec: object = {}) {
  return pairFunctor(
    {
      name: 'demo',
      central: forceFields,
      gradient,
      read: { type: 'u32', charge: 'real' },
      neighbor: { type: 'u32', charge: 'real' },
      params: { a: 'real', reach: 'real', table: 'real[]' },
      helpers: { smooth },
      ...spec,
    },
    new Function(`return (i, j, d, p, h) => {\n${body}\n};`)() as FunctorFunction as never,
  );
}

const params = { a: 1.1, reach: 1.9, table: [0.3, 0.9, 0.9, 1.4] };
const names = [gradient.of, ...gradient.into, ...gradient.virial];

/** What a direct call adds to the particle. */
function callAt(functor: ReturnType<typeof functorOf>, d: readonly number[]) {
  const i = Object.fromEntries(names.map((name) => [name, 0]));
  const [x, y, z] = d as [number, number, number];
  const [own, other] = [
    { type: 1, charge: 0.4 },
    { type: 0, charge: -1.2 },
  ];
  const r2 = x * x + y * y + z * z;
  const central: Record<string, number> = { ...i, ...own };
  functor.invoke(central, other, { x, y, z, r2, weight: 1 }, params);
  return {
    energy: central.ep!,
    force: gradient.into.map((name) => central[name]!),
    virial: gradient.virial.map((name) => central[name]!),
  };
}

const bodies: Readonly<Record<string, string>> = {
  'a power': 'const s = p.a / Math.sqrt(d.r2); i.ep += 2 * (s ** 12 - s ** 6);',
  'a cutoff, which leaves early': `
    if (d.r2 >= p.reach * p.reach) return;
    const r = Math.sqrt(d.r2);
    i.ep += 0.5 * i.charge * j.charge * Math.exp(-r) / r;`,
  'branches, helpers and tables': `
    const r = Math.sqrt(d.r2);
    let u = p.table[i.type * 2 + j.type] * h.smooth(r / p.reach);
    if (r < 1) u += (1 - r) ** 2; else u -= 0.1 / r;
    i.ep += 0.5 * u;`,
  'two terms, one taken away': `
    const x = 1 / d.r2;
    i.ep += x * x;
    i.ep -= 0.5 * x;`,
  'the direction of the pair': `
    const r = Math.sqrt(d.r2);
    const c = (d.z + 0.3 * d.x) / r;
    i.ep += 0.5 * (1 - 3 * c * c) / (r * d.r2);`,
};

describe('forces of a functor of pairs that states its energy', () => {
  it.each(Object.entries(bodies))('are minus its gradient: %s', (_name, body) => {
    const functor = functorOf(body);
    for (const d of [
      [0.4, -0.5, 0.6],
      [-0.9, 0.7, 1.1],
      [1.5, 1.2, -0.4],
    ]) {
      const { force, virial } = callAt(functor, d);
      const scale = Math.max(1, ...force.map(Math.abs));
      force.forEach((f, k) => {
        const energy = (by: number) =>
          callAt(
            functor,
            d.map((x, axis) => (axis === k ? x + by : x)),
          ).energy;
        const slope = (h: number) => (energy(h) - energy(-h)) / (2 * h);
        const expected = -2 * ((4 * slope(5e-4) - slope(1e-3)) / 3);
        expect(Math.abs(f - expected) / scale).toBeLessThan(1e-8);
      });
      const [x, y, z] = d as [number, number, number];
      const [fx, fy, fz] = force as [number, number, number];
      [x * fx, y * fy, z * fz, x * fy, x * fz, y * fz].forEach((w, k) => {
        expect(virial[k]! - w / 2).toBeCloseTo(0, 12);
      });
    }
  });

  it('are one factor times the displacement, so that they are odd', () => {
    const functor = functorOf('const x = 1 / d.r2; i.ep += p.a * x;', {
      traits: { newton3: true },
    });
    const text = printIR(withOutputs(functor.ir!, new Set(gradient.into))).split('  body\n')[1];
    expect(text).toMatch(/i\.fx \+= \((\w+) \* d\.x\)\n\s+i\.fy \+= \(\1 \* d\.y\)/);
    expect(() => parity(functor.ir!, functor.source)).not.toThrow();
  });

  it('cost nothing if they are not asked for', () => {
    const body = 'const x = 1 / d.r2; i.ep += p.a * x;';
    const plain = functorOf(body, { gradient: undefined });
    const kept = (functor: typeof plain) => printIR(withOutputs(functor.ir!, new Set(['ep'])));
    const bare = (text: string) => text.split('  body\n')[1];
    expect(bare(kept(functorOf(body)))).toBe(bare(kept(plain)));
  });

  it('give virials that are derived from them, too', () => {
    const derived = { vxx: { of: 'fx', along: 'x', factor: 0.5 } };
    const central = { ep: 'real', fx: 'real', fy: 'real', fz: 'real' };
    const { virial: _, ...forces } = gradient;
    const functor = functorOf('i.ep += p.a * d.r2;', { central, gradient: forces, derived });
    expect(callAt(functor, [1, 2, 3]).virial[0]).toBeCloseTo(-2 * params.a, 14);
  });

  it.each([
    ['i.ep = d.r2;', {}, "the energy 'ep' is overwritten"],
    ['i.ep += d.r2; i.fx += 1;', {}, "'fx' follows from 'ep'"],
    ['const e = i.ep; i.ep += e * d.r2;', {}, "the energy 'ep' is read"],
    ['i.ep += p.a;', {}, "nothing that depends on the positions of neighbors is added to 'ep'"],
    ['i.ep += d.r2;', { context: { n: 'real' } }, 'its energy may depend on its context'],
    ['i.ep += d.r2;', { wgsl: 'x' }, 'it has a gradient and a body in WGSL'],
    [
      'i.ep += d.r2;',
      { central: { ep: 'real', fx: 'real' }, gradient: { of: 'ep', into: ['fx', 'fy', 'fz'] } },
      "its gradient needs 'fy', which is no real output",
    ],
  ])('are refused: %s %j', (body, spec, message) => {
    expect(() => functorOf(body, spec)).toThrow(message);
  });
});
