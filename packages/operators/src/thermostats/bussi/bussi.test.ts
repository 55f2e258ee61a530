import { createExecutionContext, prepareValues, valueFunctor } from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import { referencesOf } from '../../run/contextValues.js';
import { control, draw } from './bussi.js';

const KT = 1.3;
const KEPT = 0.6;
const STEPS = 40_000;

/** Scales a kinetic energy, and adds up powers of how far twice that over kT is from its mean. */
const gather = valueFunctor(
  {
    name: 'gather',
    values: { twice: 'real', scale: 'real', sum: 'real', squares: 'real', cubes: 'real' },
    params: { kT: 'real', degrees: 'real' },
  },
  (v, p) => {
    v.twice *= v.scale * v.scale;
    const off = v.twice / p.kT - p.degrees;
    v.sum += off;
    v.squares += off * off;
    v.cubes += off * off * off;
  },
);

// With fewer than three degrees of freedom the sum of squares of the others is drawn in another way.
it.each([
  [1, 1, 2],
  [1, 2, 1],
  [20, 3, 57],
])(
  '%i atoms that lack %i degrees of freedom: the kinetic energy has the moments of a chi-squared distribution of %i',
  async (count, removed, degrees) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const clock = { low: 0, high: 0, kT: KT };
    const drawn = { first: 0, second: 0, chance: 0 };
    const state = { twice: degrees * KT, count, scale: 1, bath: 0 };
    const values = ctx.value({ ...clock, ...drawn, ...state, sum: 0, squares: 0, cubes: 0 });
    const key = { stream: 7, seed: 5, seedHigh: 0 };
    const ramp = { kT0: KT, kT1: KT, firstLow: 0, firstHigh: 0, steps: STEPS };
    const references = referencesOf(values);
    const given = { values: references as never };
    const calls = [
      prepareValues(draw, ctx, { ...given, params: { ...ramp, ...key, by: 1 } }),
      prepareValues(control, ctx, { ...given, params: { ...key, kept: KEPT, removed } }),
      prepareValues(gather, ctx, { ...given, params: { kT: KT, degrees } }),
    ] as const;
    for (let k = 0; k < STEPS; k++) for (const call of calls) call.run();
    const { sum, squares, cubes } = await values.read();
    const [mean, second, third] = [sum / STEPS, squares / STEPS, cubes / STEPS];
    // Energies are correlated over (1 + kept) / (1 - kept) steps.
    const error = Math.sqrt((2 * degrees * 4) / STEPS);
    expect(Math.abs(mean)).toBeLessThan(4 * error);
    expect(second / (2 * degrees)).toBeCloseTo(1, 1);
    expect(Math.abs(third / (8 * degrees) - 1)).toBeLessThan(0.3);
  },
);
