import { expect, it } from 'vitest';
import type { FunctorFunction } from '../../src/Functor.js';
import { pairFunctor } from '../../src/pairFunctor.js';
import { wasmRunner } from '../support/wasmRunner.js';

// Parts of an expression are evaluated from left to right, as in the direct call, also where a later part has effects.

it.each([
  ['a choice changes a local in its first branch', 'i.u = a + (d.x > 0 ? ((a = 5), 2) : 1);'],
  ['a choice changes a local in its second branch', 'i.u = a + (d.x > 0 ? 1 : ((a = 5), 2));'],
  ['a choice writes a field in its first branch', 'i.u = i.v + (d.x > 0 ? (i.v = 7) : 1);'],
  ['a choice writes a field in its second branch', 'i.u = i.v + (d.x > 0 ? 1 : (i.v = 7));'],
  ['a condition changes a local', 'i.u = a + (d.x > 0 && (a = 5) > 4 ? a : 1);'],
  ['an element changes', 'i.u = t[i.k & 1] + (d.x > 0 ? 1 : (t[i.k & 1] = 7));'],
])('%s', (_, statement) => {
  const functor = pairFunctor(
    { name: 'order', central: { u: 'real', v: 'real' }, read: { k: 'u32' } },
    new Function(
      `return (i, j, d) => { let a = d.y; const t = [d.y, 2]; ${statement} i.v += a + t[0]; };`,
    )() as FunctorFunction as never,
  );
  const runner = wasmRunner(functor.ir!, { lanes: 1, real: 'f64' });
  for (const x of [-1, 1]) {
    const sample = () => ({ i: { u: 1, v: 3, k: 0 }, j: {}, d: { x, y: 11, z: 0, r2: 122 } });
    const [direct, lowered] = [sample(), sample()];
    functor.invoke(direct.i, direct.j as never, direct.d, {} as never);
    runner.run([lowered], {});
    expect(lowered.i).toEqual(direct.i);
  }
});
