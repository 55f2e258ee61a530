import { Domain, type Grid } from '@corpuscle/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/support/runs.js';
import {
  addedTerms,
  type BorderFunctor,
  borderFields,
  borderFunctor,
  borderParams,
  borderTexts,
  provenFunctor,
} from '../../../../functor/test/support/borderFunctor.js';
import { RandomSource } from '../../../../functor/test/support/RandomSource.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { bruteForcePairs } from '../../shared/bruteForce.js';
import { gridOf } from '../../shared/grids.js';

// Half lists give what full lists and the direct call give, for functors near the border of what newton3 accepts.

const long = runs(1, 20);

describe.each(['simd', 'scalar', 'javascript'] as const)('half lists, %s', (lowering) => {
  let ctx: ExecutionContext;
  let grid: Grid;
  beforeAll(async () => {
    ctx = await createExecutionContext({ backend: 'cpu', threads: 1, lowering });
    const random = new RandomSource(5);
    const place = () => random.below(256) / 64;
    const eighths = () => random.below(33) / 8 - 2;
    // Numbers of few bits, so that the distance seen from either side is the same to the bit.
    const positions = Array.from({ length: 9 }, () => [place(), place(), place()] as const);
    grid = gridOf(
      ctx.heap,
      Domain.orthorhombic([4, 4, 4]),
      positions,
      positions.map((_, k) => k % 2),
    );
    for (const name of ['q', 'u', 'v', 'w'])
      grid.addBlock({ name, type: 'f64', width: 1, members: [name] });
    grid.addBlock({ name: 'n', type: 'i32', width: 1, members: ['n'] });
    for (const name of ['q', 'vx'])
      grid.setValues(
        name,
        positions.map(() => eighths()),
      );
    await updateNeighbors(grid, ctx, { rcut: 1.75, skin: 0.25 });
  });
  afterAll(() => ctx.close());

  async function compute(functor: BorderFunctor) {
    for (const field of borderFields) grid.setValues(field, new Float64Array(grid.count));
    const outputs = { u: 'both', v: 'both', w: 'both', n: 'both' } as const;
    const totals = await computeCellParticlePairs(grid, functor, ctx, {
      rcut: 1.75,
      params: borderParams,
      outputs,
    });
    return borderFields.map((field) => [totals[field] as number, ...grid.values(field)]);
  }

  /** Sums of the direct call, and the largest term of each. */
  function direct(functor: BorderFunctor) {
    const particles = Array.from({ length: grid.count }, (_, row) => ({
      q: grid.values('q')[row]!,
      vx: grid.values('vx')[row]!,
      type: grid.values('type')[row]!,
    }));
    const sums = borderFields.map(() => new Float64Array(1 + grid.count));
    const largest = borderFields.map(() => 1);
    for (const { i, j, d } of bruteForcePairs(grid, 1.75)) {
      addedTerms(functor, particles[i]!, particles[j]!, d).forEach((value, k) => {
        sums[k]![0]! += value;
        sums[k]![1 + i]! += value;
        largest[k] = Math.max(largest[k]!, Math.abs(value));
      });
    }
    return { sums, largest };
  }

  it('give what full lists and the direct call give', { timeout: 60_000 * long }, async () => {
    const property = fc.asyncProperty(borderTexts(200), async (text) => {
      const accepted = provenFunctor(text);
      fc.pre(accepted !== null);
      const { sums, largest } = direct(accepted.functor);
      fc.pre(largest.every((value) => value < 1e6));
      const half = await compute(accepted.functor);
      const full = await compute(borderFunctor(text, false));
      borderFields.forEach((field, k) => {
        // Rounding of some thirty terms, and of the exponentials in them.
        const tolerance = 1e-12 * largest[k]!;
        sums[k]!.forEach((wanted, row) => {
          for (const found of [half[k]![row]!, full[k]![row]!])
            if (!(Math.abs(found - wanted) <= tolerance))
              expect({ field, row, value: found }).toEqual({ field, row, value: wanted });
        });
      });
    });
    await fc.assert(property, { numRuns: 15 * long });
  });
});
