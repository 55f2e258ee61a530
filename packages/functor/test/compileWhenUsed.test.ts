import { cellFunctor, compileWhenUsed, neighborhoodFunctor } from '@corpuscle/functor';
import { expect, it } from 'vitest';

const wrong = () =>
  cellFunctor({ name: 'wrong', fields: { x: 'real' } }, (i) => {
    i.x = String(i.x) as unknown as number;
  });

it('functors of modules that are loaded so are compiled when they are first used', async () => {
  const functor = await compileWhenUsed(async () => wrong());
  expect(() => functor.ir).toThrow(/functor 'wrong' \(defined at .*compileWhenUsed\.test\.ts:/);
  expect(() => functor.ir).toThrow(/String/);
  expect(wrong).toThrow(/String/);
});

it('mistakes are told at once after a load that failed', async () => {
  await expect(compileWhenUsed(() => Promise.reject(new Error('no such module')))).rejects.toThrow(
    'no such module',
  );
  expect(wrong).toThrow(/String/);
});

it('what is compiled later is the same', async () => {
  const define = () => {
    const forces = { fx: 'real', fy: 'real', fz: 'real' } as const;
    return neighborhoodFunctor(
      {
        name: 'own',
        central: { ep: 'real', ...forces },
        gradient: { of: 'ep', into: ['fx', 'fy', 'fz'] },
        work: { w: 'real' },
      },
      (i, n) => {
        for (let k = 0; k < n.count; k++) n.w[k] = n.r2[k]! * n.r2[k]!;
        for (let k = 0; k < n.count; k++) i.ep += n.w[k]!;
      },
    );
  };
  const [now, later] = [define(), await compileWhenUsed(async () => define())];
  expect(later.ir).toEqual(now.ir);
  expect(later.spec).toEqual({ ...now.spec });
});
