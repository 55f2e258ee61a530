import { expect, it } from 'vitest';
import type { Expr, FunctorIR } from '../../src/ir.js';
import { pairFunctor } from '../../src/pairFunctor.js';
import { flattenBranches } from '../../src/passes/flattenBranches.js';
import { forEachStatement } from '../../src/passes/walk.js';
import { wasmRunner } from '../support/wasmRunner.js';

const within: Expr = {
  kind: 'compare',
  type: 'bool',
  op: '<',
  left: { kind: 'field', type: 'real', role: 'd', field: 'r2' },
  right: { kind: 'number', type: 'real', value: 4 },
};

const kindsOf = (ir: FunctorIR): Set<string> => {
  const kinds = new Set<string>();
  forEachStatement(ir.body, (s) => kinds.add(s.kind));
  return kinds;
};

it('branches that declare, assign and add become choices', () => {
  const { ir } = pairFunctor({ name: 'a', central: { fx: 'real' } }, (i, _j, d) => {
    let f = 1;
    if (d.r2 < 1) {
      const inverse = 1 / d.r2;
      f = 2 * inverse;
    } else {
      i.fx += d.y;
    }
    i.fx += f * d.x;
  });
  const flat = flattenBranches(ir!, within, 64)!;
  expect([...kindsOf(flat)].sort()).toEqual(['assign', 'declare', 'write']);
});

it('helpers with several results are called without a branch, and what they do counts', () => {
  const both = (x: number): readonly [number, number] => [1 / x, x * x];
  const { ir } = pairFunctor(
    { name: 'f', central: { fx: 'real' }, neighbor: { q: 'real' }, helpers: { both } },
    (i, j, d, _p, h) => {
      if (d.r2 < 1 && j.q > 0) {
        const [inverse, square] = h.both(d.r2);
        i.fx += j.q * inverse + square;
      }
    },
  );
  const flat = flattenBranches(ir!, within, 64)!;
  expect([...kindsOf(flat)].sort()).toEqual(['callMany', 'declare', 'write']);
  expect(flattenBranches(ir!, within, 9)).toBeNull();
  const branched = wasmRunner(ir!, { lanes: 1, real: 'f64' });
  const same = wasmRunner(flat, { lanes: 1, real: 'f64' });
  for (const [r2, q] of [
    [0.5, 2],
    [0, 2],
    [0.5, 0],
    [1.5, 2],
    [5, 2],
  ] as const) {
    const sample = () => ({ i: { fx: 3 }, j: { q }, d: { x: 1, y: 0, z: 0, r2 }, p: {} });
    const [a, b] = [sample(), sample()];
    branched.run([a], {});
    same.run([b], {});
    expect(b.i.fx).toBe(a.i.fx);
  }
});

it('loops, dear functions and long bodies keep their branches', () => {
  const loop = pairFunctor({ name: 'b', central: { fx: 'real' } }, (i, _j, d) => {
    for (let k = 0; k < 3; k++) i.fx += d.x;
  });
  const dear = pairFunctor({ name: 'c', central: { fx: 'real' } }, (i, _j, d) => {
    if (d.r2 < 1) i.fx += Math.exp(-d.r2);
  });
  const cheap = pairFunctor({ name: 'd', central: { fx: 'real' } }, (i, _j, d) => {
    if (d.r2 < 1) i.fx += Math.sqrt(d.r2) * d.x;
  });
  expect(flattenBranches(loop.ir!, within, 64)).toBeNull();
  expect(flattenBranches(dear.ir!, within, 64)).toBeNull();
  expect(flattenBranches(cheap.ir!, within, 64)).not.toBeNull();
  expect(flattenBranches(cheap.ir!, within, 2)).toBeNull();
});

it('a branch that is not taken adds nothing, also where a parameter or a field is infinite', () => {
  const functor = pairFunctor(
    { name: 'e', central: { fx: 'real' }, read: { q: 'real' }, params: { a: 'real' } },
    (i, _j, d, p) => {
      if (d.r2 < 1) i.fx += d.r2 * p.a;
      if (d.r2 < 2) i.fx += (1 / d.r2) * p.a;
      if (d.r2 < 3) i.fx -= i.q * d.x * (d.r2 + 1);
      i.fx += d.y;
    },
  );
  const flat = wasmRunner(flattenBranches(functor.ir!, within, 64)!, { lanes: 1, real: 'f64' });
  const d = { x: 1, y: 0.5, z: 1.5, r2: 3.5 };
  const sample = {
    i: { fx: 0, q: Number.POSITIVE_INFINITY },
    d,
    p: { a: Number.POSITIVE_INFINITY },
  };
  flat.run([sample], {});
  expect(sample.i.fx).toBe(0.5);
});
