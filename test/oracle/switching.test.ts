import { evaluateSwitching, switchingFunction } from '@corpuscle/operators';
import { describe, expect, it } from 'vitest';
import {
  caseNames,
  coordinationCase,
  scanCase,
  scanNames,
  switchOf,
} from '../support/coordinationCase.js';
import { largest } from '../support/particlesOf.js';

describe('switching functions against PLUMED', () => {
  it.each(scanNames)('%s: value and slope at every distance', (name) => {
    const scan = scanCase(name);
    const { options, keywordForm } = switchOf(scan.switch);
    const s = switchingFunction(options, keywordForm);
    const slopes = largest(scan.refDsdr);
    scan.r.forEach((r, k) => {
      const { value, slope } = evaluateSwitching(s, r);
      expect(Math.abs(value - scan.refValue[k]!), `value at ${r}`).toBeLessThan(1e-14);
      expect(Math.abs(slope - scan.refDsdr[k]!), `slope at ${r}`).toBeLessThan(1e-13 * slopes);
    });
  });

  it.each([...scanNames, ...caseNames])('%s: end, stretch and shift', (name) => {
    const { switch: given, effectiveSwitch: expected } = coordinationCase(name);
    const { options, keywordForm } = switchOf(given);
    const s = switchingFunction(options, keywordForm);
    if (expected.dmax === null) expect(s.dMax).toBe(Number.POSITIVE_INFINITY);
    else expect(Math.abs(s.dMax / expected.dmax - 1)).toBeLessThan(1e-15);
    expect(Math.abs(s.stretch / expected.stretch - 1)).toBeLessThan(1e-14);
    expect(Math.abs(s.shift - expected.shift)).toBeLessThan(1e-14);
  });
});
