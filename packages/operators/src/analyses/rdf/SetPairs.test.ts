import { describe, expect, it } from 'vitest';
import { SetPairs } from './SetPairs.js';

describe('pairs of sets', () => {
  // Labels are bit masks: bit k says that a particle is in set k.
  const sets = {
    names: ['a', 'b'],
    count: 4,
    fields: [],
    of: () => [],
    has: (set: number, label: number) => ((label >> set) & 1) === 1,
  };
  const particles = [0, 1, 1, 2, 3, 3, 3, 2, 1];

  it('count as many ordered pairs as the particles one by one', () => {
    const pairs = new SetPairs({ types: [], sets });
    const numbers = [0, 1, 2, 3].map((label) => particles.filter((one) => one === label).length);
    expect(pairs.names).toEqual([
      ['a', 'a'],
      ['a', 'b'],
      ['b', 'b'],
    ]);
    pairs.names.forEach(([one, two], n) => {
      const isIn = (name: string, label: number) => sets.has(sets.names.indexOf(name), label);
      let [ordered, weighted] = [0, 0];
      particles.forEach((p, i) => {
        particles.forEach((q, j) => {
          if (i !== j && isIn(one, p) && isIn(two, q)) ordered++;
          if (i < j) weighted += pairs.weight(n, p, q);
        });
      });
      const { first, second, both } = pairs.sizes(n, numbers);
      expect(weighted).toBe(ordered);
      expect(first * second - both).toBe(ordered);
    });
  });

  it('have kinds for both orders of the labels that count, and −1 for others', () => {
    const { kinds } = new SetPairs({
      types: ['A', 'B', 'C'],
      pairs: [
        ['A', 'B'],
        ['C', 'C'],
      ],
    });
    expect(kinds).toEqual([-1, 0, -1, 0, -1, -1, -1, -1, 1]);
  });

  it('name a type that is not there', () => {
    const make = () => new SetPairs({ types: ['A'], pairs: [['A', 'B']] });
    expect(make).toThrow(expect.objectContaining({ code: 'UNKNOWN_TYPE' }));
  });
});
