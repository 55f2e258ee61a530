import { cellFunctor } from '../../src/cellFunctor.js';
import type { Functor } from '../../src/Functor.js';
import { pairFunctor } from '../../src/pairFunctor.js';
import type { Helper } from '../../src/schema.js';
import type { Surroundings } from './ExpressionWriter.js';
import { FunctionWriter } from './FunctionWriter.js';
import { RandomSource } from './RandomSource.js';

/** Values of the fields a random functor sees at one call; written fields hold what they hold before the call. */
export interface Sample {
  readonly i: Record<'u' | 'v' | 'w' | 'n' | 'q' | 'type', number>;
  readonly j: Record<'q' | 'vx' | 'type', number>;
  readonly d: Record<'x' | 'y' | 'z' | 'r2', number>;
}

export const randomParams = {
  a: 0.7,
  b: -1.3,
  m: 5,
  table: Float64Array.of(0.25, -1.5, 2, 0.125),
  marks: Int32Array.of(3, -1, 4, 1),
} as const;

/** Fields that random functors write: three reals and an i32. */
export const outputs = ['u', 'v', 'w', 'n'] as const;

export interface RandomFunctor {
  readonly seed: number;
  readonly kind: 'pair' | 'cell';
  /** The function as JavaScript, its own helper first. */
  readonly text: string;
  readonly functor: Functor;
}

export interface RandomOptions {
  readonly kind?: 'pair' | 'cell';
  /** Outputs are only added to and never read: lanes may run across neighbors. */
  readonly sums?: boolean;
  /** What a tool makes of the text of a function expression. */
  readonly rewrite?: (text: string) => string;
}

const params = { a: 'real', b: 'real', m: 'i32', table: 'real[]', marks: 'i32[]' } as const;
const constants = { half: 0.5, three: 3 } as const;

const clampq = (x: number, low: number, high: number): number => {
  if (x < low) return low;
  if (x > high) return high;
  return x;
};
/** Takes an int and counts with it. */
function steps(x: number, n: number): number {
  let sum = 0;
  for (let k = 0; k < (n & 3); k++) {
    if (sum > 4) break;
    sum += x * 0.5 + k;
  }
  return sum;
}
const polar = (x: number, y: number): number[] => {
  const r = Math.sqrt(x * x + y * y);
  if (r === 0) return [0, 1];
  return [r, x / (1 + r)];
};
function split(x: number): { whole: number; part: number } {
  const whole = Math.trunc(x);
  return { part: x - whole, whole };
}
interface Nested {
  clampq: typeof clampq;
  split: typeof split;
}
const nested = (x: number, h: Nested): number => h.clampq(x * 0.5, -1, 1) + h.split(x).part;

/** The same seed gives the same functor. All constructs of the functor language occur. */
export function randomFunctor(seed: number, options: RandomOptions = {}): RandomFunctor {
  const random = new RandomSource(seed);
  const kind = options.kind ?? (random.chance(0.7) ? 'pair' : 'cell');
  const sums = options.sums ?? random.chance(0.3);
  const rewrite = options.rewrite ?? ((text: string) => text);
  const own = randomHelper(random, rewrite);
  const helpers: Record<string, Helper> = { clampq, steps, polar, split, nested, own };
  const writer = new FunctionWriter(random, surroundings(kind, sums));
  const parameters = kind === 'pair' ? '(i, j, d, p, h, c)' : '(i, p, h, c)';
  const text = rewrite(`${parameters} => {\n${writer.block(3, 4 + random.below(6))}\n}`);
  const fn = new Function(`return ${text};`)();
  const central = { u: 'real', v: 'real', w: 'real', n: 'i32' } as const;
  const read = { q: 'real', type: 'u32' } as const;
  const neighbor = { q: 'real', vx: 'real', type: 'u32' } as const;
  const name = `random_${seed}`;
  const functor: Functor =
    kind === 'pair'
      ? pairFunctor({ name, central, read, neighbor, params, constants, helpers }, fn)
      : cellFunctor({ name, fields: central, read, params, constants, helpers }, fn);
  return { seed, kind, text: `${own}\n${text}`, functor };
}

function surroundings(kind: 'pair' | 'cell', sums: boolean): Surroundings {
  const pair = kind === 'pair';
  const reals = ['i.q', 'p.a', 'p.b', 'c.half', 'c.three', 'p.table[i.type & 3]', 'p.table[2]'];
  if (pair) reals.push('d.x', 'd.y', 'd.z', 'd.r2', 'j.q', 'j.vx');
  if (!sums) reals.push('i.u', 'i.w');
  const ints = ['p.m', '(i.type | 0)', 'p.marks[i.type & 3]'];
  if (pair) ints.push('(j.type | 0)', 'p.marks[(i.type + j.type) & 3]');
  if (!sums) ints.push('i.n');
  const writes = [
    (real: string) => `i.u += ${real};`,
    (real: string) => `i.v -= ${real};`,
    (real: string) => `i.w = i.w + ${real};`,
    (_: string, int: string) => `i.n += (${int}) & 255;`,
  ];
  if (!sums) {
    writes.push(
      (real) => `i.w = ${real};`,
      (real) => `i.v *= ${real};`,
      (_, int) => `i.n = ${int};`,
      (real) => `i.u = i.v + (i.w = ${real});`,
    );
  }
  return { reals, ints, writes, calls: helperCalls, manyCalls: manyHelperCalls, canReturn: true };
}

const helperCalls: Surroundings['calls'] = [
  (x) => `h.clampq(${x()}, -0.5, ${x()})`,
  (x, k) => `h.steps(${x()}, ${k()})`,
  (x) => `h.nested(${x()}, h)`,
  (x, k) => `h.own(${x()}, ${k()}, h)`,
  (x) => `h.own(${x()}, 2, h)`,
];

const manyHelperCalls: Surroundings['manyCalls'] = [
  { call: (x) => `h.polar(${x()}, ${x()})`, names: null },
  { call: (x) => `h.split(${x()})`, names: ['whole', 'part'] },
];

/** A helper for one functor: parameters x (real) and k (int), one real result. */
function randomHelper(random: RandomSource, rewrite: (text: string) => string): Helper {
  const writer = new FunctionWriter(random, {
    reals: ['x', 'x'],
    ints: ['(k | 0)'],
    writes: [],
    calls: [(x) => `h.clampq(${x()}, -1, 1)`],
    manyCalls: manyHelperCalls,
    canReturn: false,
  });
  const body = `${writer.lines(2, 1 + random.below(4))}\nreturn ${writer.real(2)};`;
  return new Function(`return ${rewrite(`function own(x, k, h) {\n${body}\n}`)};`)() as Helper;
}

/** Inputs for a random functor. */
export function randomSample(random: RandomSource): Sample {
  const real = () => random.between(-2, 2);
  const d = { x: real(), y: real(), z: random.chance(0.1) ? 0 : real() };
  return {
    i: {
      u: real(),
      v: real(),
      w: real(),
      n: random.below(20) - 10,
      q: real(),
      type: random.below(4),
    },
    j: { q: real(), vx: real(), type: random.below(4) },
    d: { ...d, r2: d.x * d.x + d.y * d.y + d.z * d.z },
  };
}

/** Calls the user's function on copies and returns what it wrote, in the order of `outputs`. */
export function callDirectly({ functor, kind }: RandomFunctor, sample: Sample): number[] {
  const i = { ...sample.i };
  if (kind === 'pair') functor.invoke(i, { ...sample.j }, { ...sample.d }, randomParams);
  else functor.invoke(i, randomParams);
  return outputs.map((field) => (field === 'n' ? i[field] | 0 : i[field]));
}
