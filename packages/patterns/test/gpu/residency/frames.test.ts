import { Domain } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { isBeyond, squaredLimits } from '../../../src/gpu/neighbors/fastLimits.js';
import { reachOf, widestIn } from '../../../src/gpu/neighbors/ListBuilder.js';
import { makeFrame, type PositionFrame } from '../../../src/gpu/residency/PositionFrame.js';

// Limits of single precision: what is within rounding of a limit must come out on the careful side.

const whole = { lower: [0, 0, 0], upper: [1, 1, 1] } as const;
const frameOf = (side: number, cells: number): PositionFrame =>
  makeFrame(Domain.orthorhombic([side, side, side]), whole, side / (cells + 0.5), 2 ** 20);

describe('a frame', () => {
  it.each([
    Domain.orthorhombic([21, 33.6, 14.003]),
    Domain.triclinic([21, 0, 0, 3, 33.6, 0, -2, 4, 14.1]),
    Domain.orthorhombic([21, 30, 14], { periodic: [false, true, false] }),
  ])('made for a radius has cells that one of, to each side, spans it (%#)', (domain) => {
    for (const radius of [1.4, 2.1, 2.8, 1.4003]) {
      const frame = makeFrame(domain, whole, radius, 2 ** 20);
      expect(reachOf(frame, radius)).toEqual([1, 1, 1]);
      expect(widestIn(frame, [1, 1, 1])).toBeGreaterThanOrEqual(radius);
    }
  });

  it('spans a radius by a cell more where the radius is within rounding of whole cells', () => {
    const frame = frameOf(12, 6);
    expect(frame.dims).toEqual([6, 6, 6]);
    for (const [radius, reach] of [
      [2, 2],
      [2 * (1 - 5e-5), 2],
      [2 * (1 - 2e-4), 1],
      [4 * (1 - 5e-5), 3],
      [4 * (1 - 2e-4), 2],
    ] as const)
      expect(reachOf(frame, radius)).toEqual([reach, reach, reach]);
    expect(widestIn(frame, [1, 1, 1])).toBeLessThan(2 * (1 - 5e-5));
    expect(reachOf(frame, widestIn(frame, [2, 2, 2]) * (1 - 1e-12))).toEqual([2, 2, 2]);
  });
});

describe('fast particles', () => {
  it('count as beyond a limit within rounding of it', () => {
    for (const limit of [0.05, 0.15, 3]) {
      expect(isBeyond(limit, limit)).toBe(true);
      expect(isBeyond(limit * (1 - 1e-6), limit)).toBe(true);
      expect(isBeyond(limit * (1 - 1e-4), limit)).toBe(false);
      expect(isBeyond(Number.NaN, limit)).toBe(true);
    }
  });

  it('are compared with limits on the careful side, by more than positions in single precision are off', () => {
    const [rcut, radius, tau] = [2.5, 2.8, 0.12];
    const frame = frameOf(20, 7);
    const limits = { skin: 0.3, tau, mostFast: 256, rcut, radius, frame };
    const found = squaredLimits(limits);
    // Six coordinates of two particles, each off by half a unit of 2^-24 of a cell's edge.
    const off = 6 * 2 ** -25 * (20 / 7);
    expect(Math.sqrt(found.near2)).toBeGreaterThan(rcut + off);
    expect(Math.sqrt(found.listed2)).toBeLessThan(radius - off);
    expect(Math.sqrt(found.tau2)).toBeLessThan(tau - off);
    // And no farther than a thousandth.
    expect(Math.sqrt(found.near2)).toBeLessThan(rcut * 1.001);
    expect(Math.sqrt(found.listed2)).toBeGreaterThan(radius * 0.999);
    expect(Math.sqrt(found.tau2)).toBeGreaterThan(tau * 0.999);
  });
});
