import { Domain } from '@corpuscle/core';
import { coordination, createGrid } from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContext, type Precision } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  caseNames,
  coordinationCase,
  frameOfCase,
  scanCase,
  scanNames,
  switchOf,
} from './coordinationCase.js';
import { largest, largestDifference } from './particlesOf.js';

/** Cases in which PLUMED's own digits are short of 1e-10: a pair sits close to R_0 with MM ≠ 2 NN (crossCheck in the file). */
const short: Readonly<Record<string, number>> = { sw_rational_nn6_mm10_ortho: 2e-10 };

interface Machine {
  readonly backend: 'cpu' | 'webgpu';
  readonly precision: Precision;
  readonly threads: number;
  /** Relative error of values, and error of slopes as part of the largest. */
  readonly value: number;
  readonly slope: number;
  readonly cases?: readonly string[];
  readonly scans?: readonly string[];
  /** Every path that suits a case, or one of them: cases that suit both take them in turn; or the other one. Default all. */
  readonly paths?: 'all' | 'one' | 'other';
}

/** Values, derivatives and box derivatives of PLUMED's cases, by every path that suits them. */
export function describePlumed(machine: Machine): void {
  const {
    value: valueTolerance,
    slope,
    cases = caseNames,
    scans = scanNames,
    paths = 'all',
    ...options
  } = machine;
  describe(`PLUMED on ${options.backend} ${options.precision}`, () => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      process.env.CORPUSCLE_SOFTWARE_GPU = '1';
      ctx = await createExecutionContext(options);
    });
    afterAll(() => ctx?.close());

    it.each(
      cases.flatMap((name) => {
        const suiting = canUseLists(name)
          ? (['all_pairs', 'neighbor_lists'] as const)
          : (['all_pairs'] as const);
        const one = caseNames.indexOf(name) % suiting.length;
        return suiting
          .filter((_, n) => paths === 'all' || (n === one) === (paths === 'one'))
          .map((path) => [name, path] as const);
      }),
    )('%s by %s', async (name, path) => {
      const reference = coordinationCase(name);
      const { options: s, keywordForm } = switchOf(reference.switch);
      const grid = createGrid(frameOfCase(reference), [{ name: 'A', mass: 1 }], ctx.heap);
      const result = await coordination(grid, ctx, {
        groupA: reference.groupA,
        ...(reference.mode === 'self' ? {} : { groupB: reference.groupB }),
        pair: reference.mode === 'pair',
        pbc: reference.pbc,
        switch: s,
        keywordForm,
        path,
      });
      const { expected } = reference;
      expect(result.path).toBe(path);
      expect(Math.abs(result.value / expected.value - 1)).toBeLessThan(valueTolerance);
      const derivatives = expected.derivatives.flat();
      expect(
        largestDifference(result.derivatives, derivatives) / largest(derivatives),
      ).toBeLessThan(Math.max(slope, short[name] ?? 0));
      const box = expected.boxDerivatives.flat();
      expect(largestDifference(result.boxDerivatives.flat(), box) / largest(box)).toBeLessThan(
        Math.max(slope, short[name] ?? 0),
      );
      const shares = result.perParticle.reduce((sum, share) => sum + share, 0);
      expect(Math.abs(shares / (2 * expected.value) - 1)).toBeLessThan(valueTolerance);
      grid.free();
    });

    it.each(scans)('%s: two particles', async (name) => {
      const scan = scanCase(name);
      const { options: s, keywordForm } = switchOf(scan.switch);
      const steepest = largest(scan.refDsdr);
      const { dmax } = scan.effectiveSwitch;
      for (let k = 0; k < scan.r.length; k += options.backend === 'cpu' ? 1 : 20) {
        // The slope jumps at d_max, which single precision cannot tell from its nearest neighbors.
        const jumps = dmax !== null && Math.abs(scan.r[k]! / dmax - 1) < 5e-7;
        if (jumps && options.precision !== 'f64') continue;
        const pair = coordinationCase('edge_coincident_rational_default');
        const frame = frameOfCase({
          ...pair,
          positions: [
            [0, 0, 0],
            [scan.r[k]!, 0, 0],
          ],
        });
        const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
        const two = { groupA: [0], groupB: [1], switch: s, keywordForm };
        const { value, derivatives } = await coordination(grid, ctx, two);
        const at = `at ${scan.r[k]}`;
        expect(Math.abs(value - scan.refValue[k]!), at).toBeLessThan(valueTolerance);
        expect(Math.abs(derivatives[3]! - scan.refDsdr[k]!) / steepest, at).toBeLessThan(slope);
        expect(derivatives[0]! + derivatives[3]!).toBe(0);
        grid.free();
      }
    });
  });
}

function canUseLists(name: string): boolean {
  const { box, mode, pbc, effectiveSwitch, switch: s } = coordinationCase(name);
  const range = effectiveSwitch.dmax ?? (s.type === 'COSINUS' ? s.d0! + s.r0! : Infinity);
  if (mode === 'pair' || !Number.isFinite(range)) return false;
  if (!box) return true;
  const { heights } = Domain.triclinic(box.flat());
  return pbc && heights.every((height) => range < height / 2);
}
