import { describe, expect, it } from 'vitest';
import { cellFunctor } from '../../src/cellFunctor.js';
import { intrinsics } from '../../src/library/builtins.js';
import { philox4x32 } from '../../src/library/philox4x32.js';
import type { HelperView } from '../../src/schema.js';
import { RandomSource } from '../support/RandomSource.js';
import { knownAnswers, normals, randomWords, uniforms } from '../support/randomWords.js';
import { runJavaScript } from '../support/runJavaScript.js';
import { type RunnerOptions, wasmRunner } from '../support/wasmRunner.js';

type Fields = Record<string, number>;

/** What runs a functor on particles, as many at a time as there are lanes. */
interface Form {
  readonly name: string;
  run(functor: typeof randomWords, particles: readonly Fields[]): void;
}

const onLanes =
  (options: RunnerOptions): Form['run'] =>
  (functor, particles) => {
    const runner = wasmRunner(functor.ir!, options);
    for (let first = 0; first < particles.length; first += options.lanes)
      runner.run(
        particles.slice(first, first + options.lanes).map((i) => ({ i })),
        {},
      );
  };

const forms: readonly Form[] = [
  {
    name: 'the direct call',
    run: (f, particles) => particles.forEach((i) => void f.invoke(i, {})),
  },
  {
    name: 'JavaScript',
    run: (f, particles) => {
      const call = runJavaScript(f.ir!);
      for (const i of particles) call({ i, p: {} });
    },
  },
  { name: 'one lane of wasm', run: onLanes({ lanes: 1, real: 'f64' }) },
  { name: 'two lanes of wasm', run: onLanes({ lanes: 2, real: 'f64' }) },
  { name: 'four lanes of wasm', run: onLanes({ lanes: 4, real: 'f32' }) },
];

const particle = ([c0, c1, c2, c3]: readonly number[], [k0, k1]: readonly number[]): Fields => ({
  ...({ c0, c1, c2, c3, k0, k1 } as Fields),
  ...{ wa: 0, wb: 0, wc: 0, wd: 0, ua: 0, ub: 0, uc: 0, ud: 0 },
});

const source = new RandomSource(23);
const word = () => source.below(2 ** 16) * 2 ** 16 + source.below(2 ** 16);

describe.each(forms)('Philox4x32-10 in $name', ({ run }) => {
  it('gives the known answers', () => {
    const particles = knownAnswers.map(([counter, key]) => particle(counter, key));
    run(randomWords, particles);
    expect(particles.map(({ wa, wb, wc, wd }) => [wa, wb, wc, wd])).toEqual(
      knownAnswers.map(([, , words]) => [...words]),
    );
  });

  it('gives the words of the host for any counter and key', () => {
    const given = Array.from({ length: 200 }, () => [
      word(),
      word(),
      word(),
      word(),
      word(),
      word(),
    ]);
    const particles = given.map((w) => particle(w.slice(0, 4), w.slice(4)));
    run(randomWords, particles);
    expect(particles.map(({ wa, wb, wc, wd }) => [wa, wb, wc, wd])).toEqual(
      given.map(([a, b, c, d, k, l]) => [...philox4x32([a!, b!, c!, d!], [k!, l!])]),
    );
  });

  it('gives uniform and normal numbers as the direct call does, but for rounding', () => {
    const particles = Array.from({ length: 64 }, (_, k) => particle([k, 7, 1, 0], [5, 0]));
    for (const [functor, draw] of [
      [uniforms, intrinsics.uniform],
      [normals, intrinsics.normal],
    ] as const) {
      run(functor as never, particles);
      particles.forEach(({ ua, ub, uc, ud }, k) => {
        const wanted = draw(k, 7, 1, 5);
        [ua!, ub!, uc!, ud!].forEach((value, n) => {
          expect(Math.abs(value - wanted[n]!)).toBeLessThan(2e-6);
        });
      });
    }
  });
});

it('two lanes of wasm give normal numbers to 1e-14, JavaScript to the bit', () => {
  const exact = Array.from({ length: 4000 }, (_, k) => particle([k, 1, 2, 0], [3, 0]));
  const [lanes, text] = [structuredClone(exact), structuredClone(exact)];
  forms[0]!.run(normals as never, exact);
  forms[1]!.run(normals as never, text);
  forms[3]!.run(normals as never, lanes);
  expect(text).toEqual(exact);
  const worst = Math.max(
    ...exact.flatMap((i, k) =>
      (['ua', 'ub', 'uc', 'ud'] as const).map((name) => Math.abs(lanes[k]![name]! - i[name]!)),
    ),
  );
  expect(worst).toBeLessThan(1e-14);
});

it('a helper draws the same numbers as the functor that calls it, in every form', () => {
  const read = { c0: 'u32', c1: 'u32', k0: 'u32' } as const;
  const helpers = {
    width: (id: number, step: number, seed: number, h: HelperView<object>): number => {
      const [a, b] = h.uniform(id, step, 1, seed);
      return a - b;
    },
  };
  const drawn = cellFunctor(
    { name: 'drawn', fields: { ua: 'real', ub: 'real' }, read, helpers },
    (i, _p, h) => {
      const [a, b] = h.uniform(i.c0, i.c1, 1, i.k0);
      i.ua = a - b;
      i.ub = h.width(i.c0, i.c1, i.k0, h);
    },
  );
  for (const { run } of forms) {
    const particles = Array.from({ length: 64 }, (_, k) =>
      particle([k, word(), 0, 0], [word(), 0]),
    );
    run(drawn as never, particles);
    for (const { ua, ub } of particles) expect(ub).toBe(ua);
    expect(new Set(particles.map(({ ub }) => ub)).size).toBe(64);
  }
});

it('h.mulHigh is the upper half of a 64-bit product, in every form', () => {
  const product = cellFunctor(
    { name: 'product', fields: { wa: 'u32' }, read: { c0: 'u32', c1: 'u32' } },
    (i, _p, h) => {
      i.wa = h.mulHigh(i.c0, i.c1);
    },
  );
  const edges = [0, 1, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, word(), word()];
  for (const { run } of forms) {
    const particles = edges.flatMap((a) => edges.map((b) => particle([a, b, 0, 0], [0, 0])));
    run(product as never, particles);
    for (const { c0, c1, wa } of particles)
      expect(wa).toBe(Number((BigInt(c0!) * BigInt(c1!)) >> 32n));
  }
});

/** Mean, variance and the like of numbers drawn along one of id, step and stream. */
describe.each([
  ['ids', (k: number) => [k, 3, 4] as const],
  ['steps', (k: number) => [3, k, 4] as const],
  ['streams', (k: number) => [3, 4, k] as const],
])('numbers along %s', (_, at) => {
  const N = 50_000;

  it('are uniform: moments, ten equal bins, no correlation with the next draw or between words', () => {
    let [within, sum, square, next, across, previous] = [0, 0, 0, 0, 0, 0];
    const bins = new Array<number>(10).fill(0);
    for (let k = 0; k < N; k++) {
      const [u, v] = intrinsics.uniform(...at(k), 11);
      if (u > 0 && u < 1) within++;
      sum += u - 0.5;
      square += (u - 0.5) ** 2 - 1 / 12;
      next += (u - 0.5) * previous;
      across += (u - 0.5) * (v - 0.5);
      previous = u - 0.5;
      bins[Math.floor(10 * u)]!++;
    }
    expect(within).toBe(N);
    // Five standard errors each.
    expect(Math.abs(sum)).toBeLessThan(5 * Math.sqrt(N / 12));
    expect(Math.abs(square)).toBeLessThan(5 * Math.sqrt(N / 180));
    expect(Math.abs(next)).toBeLessThan((5 / 12) * Math.sqrt(N));
    expect(Math.abs(across)).toBeLessThan((5 / 12) * Math.sqrt(N));
    const chi2 = bins.reduce((total, n) => total + (n - N / 10) ** 2 / (N / 10), 0);
    expect(chi2).toBeLessThan(34); // 9 degrees of freedom, p = 1e-4
  });

  it('are normal: moments 0, 1, 0, 3; the four are uncorrelated, and so is the next draw', () => {
    const m = [0, 0, 0, 0, 0];
    const cross = new Map<string, number>();
    let previous: readonly number[] = [0, 0, 0, 0];
    for (let k = 0; k < N; k++) {
      const g = intrinsics.normal(...at(k), 12);
      for (const x of g) for (let power = 1; power <= 4; power++) m[power]! += x ** power;
      g.forEach((x, a) => {
        for (let b = a + 1; b < 4; b++)
          cross.set(`${a}${b}`, (cross.get(`${a}${b}`) ?? 0) + x * g[b]!);
        cross.set(`${a}'`, (cross.get(`${a}'`) ?? 0) + x * previous[a]!);
      });
      previous = g;
    }
    expect(Math.abs(m[1]!)).toBeLessThan(5 * Math.sqrt(4 * N));
    expect(Math.abs(m[2]! - 4 * N)).toBeLessThan(5 * Math.sqrt(2 * 4 * N));
    expect(Math.abs(m[3]!)).toBeLessThan(5 * Math.sqrt(15 * 4 * N));
    expect(Math.abs(m[4]! - 12 * N)).toBeLessThan(5 * Math.sqrt(96 * 4 * N));
    for (const value of cross.values()) expect(Math.abs(value)).toBeLessThan(5 * Math.sqrt(N));
  });
});

it('other seeds, steps, streams and draws give other numbers; what is left out is 0', () => {
  const { random } = intrinsics;
  const base = random(1, 2, 3);
  expect(random(1, 2, 3, 0, 0, 0)).toEqual(base);
  for (const changed of [
    random(2, 2, 3),
    random(1, 3, 3),
    random(1, 2, 4),
    random(1, 2, 3, 1),
    random(1, 2, 3, 0, 1),
    random(1, 2, 3, 0, 0, 1),
  ])
    expect(changed).not.toEqual(base);
});

it('a real among the integers is an error with a remedy, at the place where it stands', () => {
  const make = () =>
    cellFunctor({ name: 'f', fields: { x: 'real' } }, (i, _p, h) => {
      const [a] = h.normal(i.x, 1, 2);
      i.x = a;
    });
  expect(make).toThrow(/'i\.x' is a real.*h\.i32\(\) or h\.u32\(\)/s);
});

it("a user's own helper named normal is taken instead", () => {
  const own = cellFunctor(
    { name: 'own', fields: { x: 'real' }, helpers: { normal: (x: number) => 2 * x } },
    (i, _p, h) => {
      i.x = h.normal(i.x);
    },
  );
  const i = { x: 3 };
  own.invoke(i, {});
  expect(i.x).toBe(6);
  runJavaScript(own.ir!)({ i, p: {} });
  expect(i.x).toBe(12);
});
