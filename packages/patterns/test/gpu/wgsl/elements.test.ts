import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ElementAccess, renamed, withElements } from '../../../src/gpu/wgsl/elements.js';

const shared: ElementAccess = {
  at: (row) => `load(${row})`,
  store: (row, value) => `save(${row}, ${value});`,
};
const moved: ElementAccess = { at: (row) => `c[before + ${row}]` };

const rewritten = (text: string) =>
  withElements(
    text,
    new Map([
      ['a', shared],
      ['c', moved],
    ]),
  );

describe('elements of buffers in other words', () => {
  it.each([
    ['loads', 'let x = a[i + 1].xyz;', 'let x = load(i + 1).xyz;'],
    [
      'loads within an index',
      'let x = a[c[a[k]] % 2u];',
      'let x = load(c[before + load(k)] % 2u);',
    ],
    ['stores, with loads in the value', 'a[i] = a[j] + c[k];', 'save(i, load(j) + c[before + k]);'],
    ['stores by their place', 'c[i].x += a[j].x;', 'c[before + i].x += load(j).x;'],
    ['atomics by their place', 'atomicAdd(&c[i], 1u);', 'atomicAdd(&c[before + i], 1u);'],
    ['comparisons, which store nothing', 'if (a[i] == b) { }', 'if (load(i) == b) { }'],
    ['no members and no longer names', 's.a[0] + ba[1] + a_[2]', 's.a[0] + ba[1] + a_[2]'],
  ])('%s', (_, text, expected) => {
    expect(rewritten(text)).toBe(expected);
  });

  it('leaves a text alone where there are no buffers', () => {
    expect(withElements('x[[1]]', new Map())).toBe('x[[1]]');
  });

  it('says where a bracket is missing', () => {
    expect(() => rewritten('let x = a[i;')).toThrow(/no \] in '\[i;'/);
  });

  it('gives the text back where places stay the same', () => {
    const same = new Map(
      ['a', 'c'].map((name) => [name, { at: (row: string) => `${name}[${row}]` }]),
    );
    const { tree } = fc.letrec<{ tree: string }>((get) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('i', '2u', 's.a'),
        fc
          .tuple(fc.constantFrom('a', 'b', 'c'), get('tree'))
          .map(([name, row]) => `${name}[${row}]`),
        fc.tuple(get('tree'), get('tree')).map(([left, right]) => `(${left} + ${right})`),
      ),
    }));
    fc.assert(fc.property(tree, (text) => withElements(text, same) === text));
  });
});

describe('other names', () => {
  it('are those of variables, functions and types, not of members and in comments', () => {
    const names = new Map([
      ['P', 'P1'],
      ['sum', 'sum_1'],
    ]);
    expect(renamed('let x = sum(P.sum, s.P); // sum of P', names)).toBe(
      'let x = sum_1(P1.sum, s.P); // sum of P',
    );
  });
});
