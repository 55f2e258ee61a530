import { expect, it } from 'vitest';
import type { Expr, FunctorIR } from '../../src/ir.js';
import { pairFunctor } from '../../src/pairFunctor.js';
import { flattenBranches } from '../../src/passes/flattenBranches.js';
import { forEachStatement } from '../../src/passes/walk.js';

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
