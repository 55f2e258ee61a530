import { describe, expect, it } from 'vitest';
import { checkSwitch } from './checkSwitch.js';
import { evaluateSwitching, switchingFunction } from './Switching.js';
import type { SwitchOptions } from './SwitchOptions.js';

describe('lengths of a switching function', () => {
  const rational = { type: 'rational', r0: 1 } as const;
  const cases: [SwitchOptions, keyof SwitchOptions | null][] = [
    [{ ...rational, d0: 0 }, null],
    [{ ...rational, d0: 0.1 }, null],
    [{ ...rational, d0: -0.1 }, 'd0'],
    [{ ...rational, d0: Number.NaN }, 'd0'],
    [{ ...rational, d0: Number.POSITIVE_INFINITY }, 'd0'],
    [{ ...rational, r0: 0 }, 'r0'],
    [{ ...rational, r0: -1 }, 'r0'],
    [{ ...rational, r0: Number.POSITIVE_INFINITY }, 'r0'],
    [{ ...rational, d0: 1, dMax: 1 }, 'dMax'],
    [{ ...rational, d0: 1, dMax: 1.1 }, null],
    [{ type: 'q', r0: 1, ref: 0 }, 'ref'],
    [{ type: 'q', r0: 1, ref: 1 }, null],
  ];
  it.each(cases)('%o: the mistake is in %s', (options, option) => {
    expect(checkSwitch(options, false)?.option ?? null).toBe(option);
  });
});

it('the default switch is 1/(1 + x⁶), and finite and tiny wherever that would leave the range of numbers', () => {
  const s = switchingFunction({ type: 'rational', r0: 1 });
  for (const x of [0, 1e-3, 0.7, 1, 10, 1e4]) {
    const { value, slope } = evaluateSwitching(s, x);
    expect(value * (1 + x ** 6)).toBeCloseTo(1, 13);
    if (x > 0) expect((slope * (1 + x ** 6) ** 2) / (-6 * x ** 5)).toBeCloseTo(1, 13);
  }
  for (const x of [1e5, 1e10, 1e30, 1e60, 1e100, 1e150]) {
    const { value, slope } = evaluateSwitching(s, x);
    expect(value).toBeGreaterThanOrEqual(0);
    expect(value).toBeLessThan(1.1e-24);
    expect(Number.isFinite(slope)).toBe(true);
  }
});
