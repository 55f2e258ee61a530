import { Domain, Grid, SharedHeap } from '@corpuscle/core';
import { computeCellParticles, createExecutionContext } from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import { formulaOf } from './formulaOf.js';

const heap = new SharedHeap();
function grid(): Grid {
  const made = new Grid(heap, Domain.orthorhombic([4, 4, 4]));
  made.resize(2);
  made.setValues('vx', [3, 5]);
  made.setValues('vy', [4, 12]);
  made.setValues('type', [0, 1]);
  return made;
}

it('takes a field, and computes formulas of fields, of types too', async () => {
  const particles = grid();
  expect(formulaOf(' vx ', particles)).toEqual({ field: 'vx' });
  await using context = await createExecutionContext({ backend: 'cpu', threads: 1, heap });
  particles.addBlock({ name: 'formula', type: 'f64', width: 1, members: ['formula'] });
  for (const [text, values] of [
    ['sqrt(vx ** 2 + vy ** 2)', [5, 13]],
    ['Math.max(vx, vy) + 2e1 * type', [4, 32]],
  ] as const) {
    computeCellParticles(particles, formulaOf(text, particles).functor!, context, {});
    expect([...particles.values('formula')]).toEqual(values);
  }
});

it('gives the same functor for the same formula, which is compiled once', () => {
  const particles = grid();
  const { functor } = formulaOf('vx + 1', particles);
  expect(formulaOf('vx + 1', particles).functor).toBe(functor);
  expect(formulaOf('vx + 2', particles).functor).not.toBe(functor);
});

it.each([
  ['vx + pressure', 'UNKNOWN_FIELD', /'pressure', which particles do not have: they have .*vx/],
  ['vx +', 'FUNCTOR_SYNTAX', /the color 'vx \+' is no formula/],
  ['', 'FUNCTOR_SYNTAX', /no formula/],
  ['0 }, () => { vx = 0', 'FUNCTOR_SYNTAX', /no formula/],
])('tells what is wrong with %j', (text, code, message) => {
  expect(() => formulaOf(text, grid())).toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(message) }),
  );
});
