import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/support/runs.js';
import { addedTerms, borderFields, borderTexts, provenFunctor } from '../support/borderFunctor.js';
import { RandomSource } from '../support/RandomSource.js';

// Half lists rest on the proof of parity. Here its oracle is the direct call, with i and j in their places and exchanged.

const long = runs(1, 10);

const random = new RandomSource(11);
// Numbers of few bits, so that equal and opposite ones occur.
const eighths = (range: number) => Math.round(8 * random.between(-range, range)) / 8;
const particle = () => ({ q: eighths(2), vx: eighths(2), type: random.below(2) });
const pairs = Array.from({ length: 24 }, () => ({
  i: particle(),
  j: particle(),
  d: [eighths(2), eighths(2), eighths(1)],
}));

describe('the proof of parity', () => {
  it(
    'accepts nothing that does not change sign as it says when i and j change places',
    () => {
      const property = fc.property(borderTexts(10), (text) => {
        const accepted = provenFunctor(text);
        fc.pre(accepted !== null);
        const { functor, proven } = accepted;
        for (const { i, j, d } of pairs) {
          const there = addedTerms(functor, i, j, d);
          const back = addedTerms(
            functor,
            j,
            i,
            d.map((x) => -x),
          );
          borderFields.forEach((field, k) => {
            const sign = proven.get(field) === 'odd' ? -1 : 1;
            const [found, wanted] = [back[k]!, sign * there[k]!];
            if (found === wanted || (Number.isNaN(found) && Number.isNaN(wanted))) return;
            expect.fail(`${field} is ${found} where ${wanted} is proven`);
          });
        }
      });
      fc.assert(property, { numRuns: 150 * long });
    },
    60_000 * long,
  );

  it('holds for some of these functors, and fails for others', () => {
    const refused = fc
      .sample(borderTexts(10), 100)
      .filter((text) => provenFunctor(text) === null).length;
    expect(refused).toBeGreaterThan(5);
    expect(refused).toBeLessThan(95);
  });
});
