import { describe, expect, it } from 'vitest';
import { blockFunctor } from '../../src/blockFunctor.js';

const define = (body: string) => () =>
  blockFunctor(
    {
      name: 'f',
      arrays: { out: 'real' },
      read: { table: 'u32' },
      params: { n: 'u32' },
      blockShared: { tile: 'real[8]' },
    },
    new Function(`return (b, a, p, h) => {\n${body}\n};`)(),
  );

describe('a barrier', () => {
  it.each([
    [
      'depends on an array that is written at the place of a lane',
      'const t = [0, 0]; t[b.lane & 1] = 1; if (t[0] > 0) b.barrier();',
    ],
    [
      'depends on an array that gets the number of a lane',
      'const t = [0, 0]; t[p.n & 1] = b.lane; if (t[0] > 0) b.barrier();',
    ],
    [
      'comes after a turn that some lanes skip',
      'for (let k = 0; k < p.n; k++) { if (b.lane > k) continue; b.barrier(); }',
    ],
    [
      'comes after a turn that some lanes skip in the other branch',
      'for (let k = 0; k < p.n; k++) { if (b.lane > k) b.tile[0] = 1; else continue; b.barrier(); }',
    ],
    [
      'comes in the update of a loop that some lanes leave',
      'let k = 0; do { if (b.lane > k) break; k += 1; b.barrier(); } while (k < p.n);',
    ],
  ])('is refused where it %s', (_, body) => {
    expect(define(body)).toThrow(expect.objectContaining({ code: 'FUNCTOR_UNSUPPORTED' }));
  });

  it.each([
    [
      'depends on an array that is written at the same place by all lanes',
      'const t = [0, 0]; t[p.n & 1] = 1; if (t[0] > 0) b.barrier();',
    ],
    [
      'comes after a turn that all lanes skip',
      'for (let k = 0; k < p.n; k++) { if (b.index > k) continue; b.barrier(); }',
    ],
    [
      'comes in a loop around one that lanes leave one by one',
      'for (let k = 0; k < p.n; k++) { for (let m = 0; m < 3; m++) { if (b.lane > m) break; } b.barrier(); }',
    ],
  ])('is accepted where it %s', (_, body) => {
    expect(define(body)).not.toThrow();
  });
});
