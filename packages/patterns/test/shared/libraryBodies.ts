import { Domain, Grid } from '@corpuscle/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Big, ulpError } from '../../../functor/test/support/highPrecision.js';
import { libraryFunctors } from '../../../functor/test/support/libraryFunctors.js';
import { type LibraryCase, libraryCases } from '../../../functor/test/support/librarySamples.js';
import {
  knownAnswers,
  normals,
  randomWords,
  uniforms,
} from '../../../functor/test/support/randomWords.js';
import { toDouble } from '../../../functor/test/support/toDouble.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';

/** A backend and the arithmetic it computes in: `ds` are pairs of floats. */
export interface LibraryBackend {
  readonly name: string;
  open(): Promise<ExecutionContext>;
  readonly real: 'f64' | 'f32' | 'ds';
  /** Largest errors, in units in the last place, or of 2⁻⁴⁸ of the result for pairs of floats. */
  readonly bounds: Readonly<Record<LibraryCase['name'], (x: number) => number>>;
}

const precisions = {
  f64: { round: (x: number) => x, exponent: 709, tail: 26.5 },
  f32: { round: Math.fround, exponent: 88, tail: 9.1 },
  // Results below 2⁻⁷⁸ lose digits one by one.
  ds: { round: toDouble, exponent: 54, tail: 7.2 },
} as const;

function errorOf(value: number, exact: Big, real: LibraryBackend['real']): number {
  if (real !== 'ds') return ulpError(value, exact, real);
  const size = Math.abs(Number(exact.mantissa >> 100n)) * 2 ** (exact.exponent - 120);
  return (ulpError(value, exact) * 2 ** (Math.floor(Math.log2(size)) - 52)) / (size * 2 ** -48);
}

/** Functions of the library and random numbers, as particles see them. */
export function describeLibrary({ name, open, real, bounds }: LibraryBackend): void {
  describe(`the library on ${name}`, () => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      ctx = await open();
    });
    afterAll(() => ctx.close());

    function gridWith(count: number, fields: Readonly<Record<string, readonly number[]>>): Grid {
      const grid = new Grid(ctx.heap, Domain.orthorhombic([10, 10, 10]));
      for (const member of ['x', 'y', 'u', 'ua', 'ub', 'uc', 'ud'])
        grid.addBlock({ name: member, type: 'f64', width: 1, members: [member] });
      grid.addBlock({ name: 'words', type: 'u32', width: 4, members: ['wa', 'wb', 'wc', 'wd'] });
      grid.addBlock({ name: 'counter', type: 'u32', width: 4, members: ['c0', 'c1', 'c2', 'c3'] });
      grid.addBlock({ name: 'key', type: 'u32', width: 4, members: ['k0', 'k1', null, null] });
      grid.resize(count);
      for (const [field, values] of Object.entries(fields)) grid.setValues(field, values);
      return grid;
    }

    const { round, exponent, tail } = precisions[real];
    it.each(libraryCases({ count: 500, round, exponent, tail }))(
      '$name keeps its bound, against BigInt series',
      async ({ name: of, exact, x, y }) => {
        const grid = gridWith(x.length, { x, y });
        await computeCellParticles(grid, libraryFunctors[of], ctx);
        await newestOnHost(grid, ctx);
        let worst = { share: 0, error: 0, x: 0, y: 0, value: 0 };
        grid.values('u').forEach((value, k) => {
          const reference = exact(x[k]!, y[k]!);
          const error =
            value === 0 && reference.mantissa === 0n ? 0 : errorOf(value, reference, real);
          const share = error / bounds[of](x[k]!);
          if (!(share <= worst.share)) worst = { share, error, x: x[k]!, y: y[k]!, value };
        });
        if (process.env.LIBRARY_REPORT) console.log(name, of, JSON.stringify(worst));
        expect(worst.share, JSON.stringify(worst)).toBeLessThanOrEqual(1);
      },
    );

    it('isNaN and isFinite tell NaN and infinities from numbers', async () => {
      const x = [Number.NaN, 0, Infinity, -Infinity, 1e30, -1e-30, 3];
      for (const of of ['isNaN', 'isFinite'] as const) {
        const grid = gridWith(x.length, { x });
        await computeCellParticles(grid, libraryFunctors[of], ctx);
        await newestOnHost(grid, ctx);
        expect([...grid.values('u')], of).toEqual(x.map((value) => Number(Number[of](value))));
      }
    });

    it('Philox gives the known answers', async () => {
      const at = (part: 0 | 1, k: number) => knownAnswers.map((each) => each[part][k]!);
      const counters = Object.fromEntries([0, 1, 2, 3].map((k) => [`c${k}`, at(0, k)]));
      const grid = gridWith(3, { ...counters, k0: at(1, 0), k1: at(1, 1) });
      await computeCellParticles(grid, randomWords, ctx);
      await newestOnHost(grid, ctx);
      const words = ['wa', 'wb', 'wc', 'wd'].map((field) => grid.values(field));
      expect([0, 1, 2].map((k) => words.map((w) => w[k]))).toEqual(
        knownAnswers.map(([, , wanted]) => [...wanted]),
      );
    });

    it.each([
      ['uniform', uniforms],
      ['normal', normals],
    ] as const)(
      '%s numbers are those of the direct call, but for rounding',
      async (of, functor) => {
        const count = 500;
        const c0 = Array.from({ length: count }, (_, k) => 7919 * k);
        const grid = gridWith(count, { c0, c1: c0.map(() => 5), k0: c0.map(() => 99) });
        await computeCellParticles(grid, functor, ctx);
        await newestOnHost(grid, ctx);
        const tolerance = { f64: 1e-14, f32: 4e-6, ds: 1e-12 }[real];
        const fields = ['ua', 'ub', 'uc', 'ud'];
        const particle = { ua: 0, ub: 0, uc: 0, ud: 0, c0: 0, c1: 5, c2: 0, c3: 0, k0: 99, k1: 0 };
        for (let k = 0; k < count; k++) {
          functor.invoke(Object.assign(particle, { c0: c0[k]! }), {});
          for (const field of fields) {
            const value = grid.values(field)[k]!;
            if (of === 'uniform') expect(value > 0 && value < 1).toBe(true);
            const wanted = particle[field as 'ua'];
            expect(Math.abs(value - wanted), `${field} of ${k}`).toBeLessThan(tolerance);
          }
        }
      },
    );
  });
}

/** The same bound wherever the argument lies. */
export const everywhere = (bound: number) => () => bound;
