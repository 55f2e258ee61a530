import { describe, expect, it } from 'vitest';
import { cellFunctor } from '../../src/index.js';
import { lowerToWgsl } from '../../src/lower/wgsl/lowerToWgsl.js';

const spec = { name: 'count', fields: { a: 'real' }, params: { n: 'i32' } } as const;

/** WGSL of a functor. */
const textOf = (functor: ReturnType<typeof cellFunctor>): string =>
  lowerToWgsl(functor.ir!, {
    env: {
      param: (field) => `P.${field}`,
      item: () => '',
      writeItem: () => '',
    },
  }).functions;

describe('loops whose turns are known', () => {
  it('count down if nothing reads their counter', () => {
    const text = textOf(
      cellFunctor(spec, (i) => {
        for (let k = 2; k < 12; k++) {
          if (i.a > 100) continue;
          i.a = i.a * 2;
        }
      }),
    );
    expect(text).toMatch(/for \(var (k_\d+) = 10u; \1 > 0u; \1--\) \{/);
    expect(text).not.toContain('loop');
  });

  it.each([
    [
      'their body looks at it',
      cellFunctor(spec, (i) => {
        for (let k = 0; k < 10; k++) i.a = i.a + k;
      }),
    ],
    [
      'they end where a parameter says',
      cellFunctor(spec, (i, p) => {
        for (let k = 0; k < p.n; k++) i.a = i.a * 2;
      }),
    ],
    [
      'it goes up by two',
      cellFunctor(spec, (i) => {
        for (let k = 0; k < 10; k += 2) i.a = i.a * 2;
      }),
    ],
    [
      'it is looked at after them',
      cellFunctor(spec, (i) => {
        let k = 0;
        for (; k < 10; k++) i.a = i.a * 2;
        i.a = k;
      }),
    ],
    [
      'there is no turn',
      cellFunctor(spec, (i) => {
        for (let k = 10; k < 10; k++) i.a = i.a * 2;
      }),
    ],
  ])('are as they are written where %s', (_, functor) => {
    expect(textOf(functor as ReturnType<typeof cellFunctor>)).toContain('loop {');
  });
});
