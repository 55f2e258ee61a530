import { describe, expect, it } from 'vitest';
import type { FunctorFunction } from '../../../src/Functor.js';
import { neighborhoodFunctor } from '../../../src/neighborhoodFunctor.js';
import { forEachExpression, forEachStatement } from '../../../src/passes/walk.js';
import { withOutputs } from '../../../src/passes/withOutputs.js';
import { callAt, forceFields, gradient, numericForces } from '../../support/gradientCheck.js';
import { RandomSource } from '../../support/RandomSource.js';

const cubic = (b: number, v0: number, v1: number, s0: number, s1: number): number => {
  const rise = v1 - v0;
  return v0 + b * (s0 + b * (3 * rise - 2 * s0 - s1 + b * (s0 + s1 - 2 * rise)));
};
const polar = (x: number, y: number): number[] => {
  const r = Math.sqrt(x * x + y * y);
  return [r, x / (1 + r)];
};

const params = {
  a: 1.1,
  c: 0.7,
  reach: 1.9,
  angle: [-1 / 3, 0.2],
  table: [0.3, 0.9, 0.4, 1.2, 0.8, 0.1],
};

function functorOf(body: string, spec: object = {}) {
  return neighborhoodFunctor(
    {
      name: 'demo',
      central: forceFields,
      read: { type: 'u32' },
      neighbor: { type: 'u32' },
      work: { w: 'real', g: 'real' },
      scatter: { ep: 'real' },
      params: { a: 'real', c: 'real', reach: 'real', angle: 'real[]', table: 'real[]' },
      helpers: { cubic, polar },
      gradient,
      ...spec,
    },
    new Function(`return (i, b, p, h) => {\n${body}\n};`)() as FunctorFunction as never,
  );
}

const random = new RandomSource(5);
const neighbors = Array.from({ length: 6 }, (_, n) =>
  [0, 1, 2].map((k) => random.between(-1, 1) + (k === n % 3 ? 0.6 : 0)),
);

const bodies: Readonly<Record<string, string>> = {
  pairs: `for (let j = 0; j < b.count; j++) { const r = Math.sqrt(b.r2[j]); if (r < p.reach) i.ep += 0.5 * (p.a / r) ** 6; }`,
  'pairs along an axis': `for (let j = 0; j < b.count; j++) i.ep -= b.dz[j] * b.dz[j] / b.r2[j] + b.dx[j];`,
  'triplets, with shares for all three': `
    for (let j = 0; j < b.count; j++) {
      const r = Math.sqrt(b.r2[j]);
      b.w[j] = 1 / r;
      b.g[j] = 0;
      if (r < p.reach) b.g[j] = Math.exp(p.a / (r - p.reach));
    }
    for (let j = 0; j < b.count; j++) {
      if (b.g[j] === 0) continue;
      for (let k = j + 1; k < b.count; k++) {
        if (b.g[k] === 0) continue;
        const dot = b.dx[j] * b.dx[k] + b.dy[j] * b.dy[k] + b.dz[j] * b.dz[k];
        const bend = dot * b.w[j] * b.w[k] - p.angle[b.type[k]];
        const third = b.g[j] * b.g[k] * bend * bend / 3;
        i.ep += third; b.ep[j] += third; b.ep[k] += third;
      }
    }`,
  'an embedding': `
    let rho = 0;
    for (let j = 0; j < b.count; j++) { const s = p.a / Math.sqrt(b.r2[j]); rho += s ** 6; i.ep += 0.5 * s ** 9; }
    i.ep -= p.c * Math.sqrt(rho);`,
  'an embedding in tables': `
    let rho = 0;
    for (let j = 0; j < b.count; j++) {
      const at = Math.sqrt(b.r2[j]) * 1.3;
      const k = Math.min(h.u32(at), 4);
      rho += h.cubic(Math.min(at - k, 1), p.table[k], p.table[k + 1], 0.1, -0.2);
    }
    const k = Math.min(h.u32(rho), 4);
    i.ep += h.cubic(rho - k, p.table[k], p.table[k + 1], 0.3, p.a);`,
  'variables that change, and branches': `
    for (let j = 0; j < b.count; j++) {
      let w = Math.exp(-b.r2[j]);
      if (b.dx[j] > 0) w *= 1 + b.dx[j] * p.a;
      else { const q = w; w += q * q * b.dz[j]; if (q > 0.3) w -= q * b.dy[j]; }
      const before = w;
      w = w * before + b.dy[j];
      i.ep += w * before;
    }`,
  'sums in loops in loops': `
    let norm = 0, m = 0;
    for (let j = 0; j < b.count; j++) { b.w[j] = Math.exp(-b.r2[j]); norm += b.w[j]; m += b.w[j] * b.dx[j]; }
    const mean = m / (1 + norm);
    let sum = mean * mean;
    for (let j = 0; j < b.count; j++) {
      let inner = 0;
      for (let k = 0; k < j; k++) { const y = b.dy[j] * b.dy[k] - mean; inner += y * b.w[k] * y; }
      sum += inner * inner * b.w[j];
      if (inner > 0.1) sum -= b.dz[j] * norm;
    }
    i.ep += sum * Math.tanh(norm) + p.c * sum;`,
  'values that follow from those of other loops': `
    for (let j = 0; j < b.count; j++) b.w[j] = b.dx[j] * b.dy[j];
    for (let j = 0; j < b.count; j++) b.g[j] = b.w[j] * b.w[j] + b.r2[j];
    for (let j = 0; j < b.count; j++) for (let k = 0; k < b.count; k++) if (k !== j) i.ep += b.g[j] * b.w[k];`,
  'helpers with several results': `
    for (let j = 0; j < b.count; j++) {
      const [r, part] = h.polar(b.dx[j], b.dy[j] + b.dz[j]);
      i.ep += r * part + Math.max(r, p.a) * Math.min(part, 0.2, b.dx[j]);
    }`,
  'sums before and after a loop': `
    let s = 1;
    for (let j = 0; j < b.count; j++) s += b.r2[j];
    const first = s * s;
    for (let j = 0; j < b.count; j++) s -= 0.01 * b.dx[j] * first;
    if (s > 100) return;
    i.ep += Math.sin(s) * first + s;`,
  'functions of the library': `
    for (let j = 0; j < b.count; j++)
      i.ep += Math.atan2(b.dx[j], 2 + b.dy[j]) * h.erfc(b.dz[j]) + Math.cosh(b.dx[j]) * Math.acos(0.3 * b.dy[j]);`,
};

describe('forces and virials from the energy of a neighborhood', () => {
  it.each(Object.keys(bodies))('agree with differences: %s', (name) => {
    const functor = functorOf(bodies[name]!) as never;
    const { forces, own, virial, energy } = callAt(functor, neighbors, params);
    const expected = numericForces(functor, neighbors, params);
    expect(energy).not.toBe(0);
    forces.forEach((force, n) => {
      force.forEach((f, k) => {
        const exact = expected[n]![k]!;
        expect(Math.abs(f - exact) / Math.max(1, Math.abs(exact))).toBeLessThan(1e-8);
      });
    });
    // Nothing acts from outside: forces cancel, and the virial is that of the forces on the neighbors.
    own.forEach((f, k) => {
      expect(f + forces.reduce((sum, force) => sum + force[k]!, 0)).toBeCloseTo(0, 12);
    });
    const pairs = [
      [0, 0],
      [1, 1],
      [2, 2],
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const;
    pairs.forEach(([a, b], k) => {
      const exact = -forces.reduce((sum, force, n) => sum + neighbors[n]![a]! * force[b]!, 0);
      expect(virial[k]).toBeCloseTo(exact, 11);
    });
  });

  it('enter loops once that only look at the distance', () => {
    const { ir } = functorOf(bodies['an embedding']!);
    let loops = 0;
    let roots = 0;
    forEachStatement(ir!.body, (s) => {
      loops += Number(s.kind === 'loop');
    });
    forEachExpression(ir!.body, (e) => {
      roots += Number(e.kind === 'math' && e.name === 'sqrt');
    });
    // values with their derivatives, forces; √r² and √ρ
    expect([loops, roots]).toEqual([2, 2]);
  });

  it('divide once by a distance', () => {
    const { ir } = functorOf(
      'for (let j = 0; j < b.count; j++) { const r = Math.sqrt(b.r2[j]); i.ep += Math.exp(-r) / r; }',
    );
    let divisions = 0;
    forEachExpression(ir!.body, (e) => {
      divisions += Number(e.kind === 'binary' && e.op === '/');
    });
    expect(divisions).toBe(1);
  });

  it('without energies compute none', () => {
    const ir = withOutputs(functorOf(bodies.pairs!).ir!, new Set(['fx', 'fy', 'fz']));
    const written = new Set<string>();
    forEachStatement(ir.body, (s) => {
      if (s.kind === 'write' || s.kind === 'writeItem') written.add(s.field);
    });
    expect([...written].sort()).toEqual(['fx', 'fy', 'fz', 'r2_adj']);
  });
});

it('energies alone are computed without adjoints', () => {
  const ir = withOutputs(functorOf(bodies['an embedding']!).ir!, new Set(['ep']));
  const written = new Set<string>();
  forEachStatement(ir.body, (s) => {
    if (s.kind === 'write' || s.kind === 'writeItem') written.add(s.field);
  });
  expect([...written]).toEqual(['ep']);
});

describe('what cannot be differentiated is refused, with a caret', () => {
  it.each([
    ['no energy', 'i.fx += 0;', /'fx' follows from 'ep'[\s\S]*do not write it/],
    ['a force that is written', `${bodies.pairs} b.fx[0] += p.a;`, /'fx' follows from 'ep'/],
    ['an energy that is read', `${bodies.pairs} i.ep += i.ep;`, /the energy 'ep' is read/],
    [
      'an energy that is set',
      'for (let j = 0; j < b.count; j++) i.ep = b.r2[j];',
      /is overwritten/,
    ],
    [
      'an energy of whole numbers',
      'for (let j = 0; j < b.count; j++) i.ep += Math.floor(b.r2[j]);',
      /nothing that depends on the positions of neighbors is added to 'ep'[\s\S]*\^/,
    ],
    [
      'a loop that is left',
      'for (let j = 0; j < b.count; j++) { if (b.r2[j] > 4) break; i.ep += b.r2[j]; }',
      /a loop is left by break/,
    ],
    [
      'a loop without a counter',
      'let j = 0; let e = 0; while (e < p.a) { e += b.dx[j]; j++; } i.ep += e;',
      /the loop has no counter[\s\S]*e < p\.a/,
    ],
    [
      'a variable that is added to and read',
      'let s = 0; for (let j = 0; j < b.count; j++) { s += b.dx[j]; i.ep += s * b.dy[j]; }',
      /'s' is added to and read in one loop[\s\S]*\^/,
    ],
    [
      'a variable that a loop sets',
      'let s = 0; for (let j = 0; j < b.count; j++) { s = Math.max(s, b.dx[j]); } i.ep += s;',
      /'s' is declared outside of the loop and changed in it[\s\S]*\^{4}/,
    ],
  ])('%s', (_, body, message) => {
    expect(() => functorOf(body)).toThrow(
      expect.objectContaining({
        code: 'FUNCTOR_UNSUPPORTED',
        message: expect.stringMatching(message),
        location: expect.objectContaining({ frame: expect.stringMatching(/\^/) }),
      }),
    );
  });

  it.each([
    ['without an output', { central: { ep: 'real' } }, /its gradient needs 'fx'/],
    ['shared by lanes', { traits: { blockShared: true } }, /cannot derive its energy/],
  ])('%s', (_, spec, message) => {
    expect(() => functorOf(bodies.pairs!, spec)).toThrow(message);
  });
});
