import { i32, real, u32 } from '../conversions.js';
import type { FunctorFunction } from '../Functor.js';
import type { MathBuiltin } from '../ir.js';
import { erf, erfc, errorTail } from './errorFunction.js';
import { cosh, sinh } from './hyperbolic.js';
import { acos, arcsineSeries, arctangent, asin, atan, atan2 } from './inverseTrigonometry.js';
import type { Library } from './Library.js';
import { mulHigh } from './mulHigh.js';
import { normal, philox, random, uniform } from './random.js';

/** A function that is written in the functor language and known to every functor. */
export interface Builtin {
  readonly fn: FunctorFunction;
  /** Fewest and most arguments; those left out are 0. The library comes last where the function takes it. */
  readonly arguments: readonly [number, number];
  readonly takesLibrary: boolean;
  /** What arguments are converted to; `any` for functions that only the library itself calls. */
  readonly takes: 'real' | 'bits' | 'any';
  /** Returns several values. */
  readonly many: boolean;
  /** `Math.<name>`: JavaScript has it, all other lowerings take the text. */
  readonly math: MathBuiltin | null;
}

const math = (name: MathBuiltin, fn: FunctorFunction, count = 1): Builtin => ({
  fn,
  arguments: [count, count],
  takesLibrary: fn.length > count,
  takes: 'real',
  many: false,
  math: name,
});

const own = (fn: FunctorFunction, takes: Builtin['takes'], least: number, most = least) => ({
  fn,
  arguments: [least, most] as const,
  takesLibrary: fn.length > most,
  takes,
  many: fn === philox || takes === 'bits',
  math: null,
});

/** Called as `Math.atan(x)`. */
export const mathBuiltins: Readonly<Record<MathBuiltin, Builtin>> = {
  atan: math('atan', atan),
  atan2: math('atan2', atan2, 2),
  asin: math('asin', asin),
  acos: math('acos', acos),
  sinh: math('sinh', sinh),
  cosh: math('cosh', cosh),
};

/** Called as `h.erf(x)`. */
export const helperBuiltins: Readonly<Record<string, Builtin>> = {
  erf: own(erf, 'real', 1),
  erfc: own(erfc, 'real', 1),
  random: own(random, 'bits', 3, 6),
  uniform: own(uniform, 'bits', 3, 6),
  normal: own(normal, 'bits', 3, 6),
};

/** Called by the library itself. */
export const innerBuiltins: Readonly<Record<string, Builtin>> = {
  ...helperBuiltins,
  arcsineSeries: own(arcsineSeries, 'any', 1),
  arctangent: own(arctangent, 'any', 3),
  errorTail: own(errorTail, 'any', 1),
  philox: own(philox, 'any', 6),
};

/** What a functor finds on its helper argument besides the helpers it declares, for direct calls. */
export const intrinsics = directCalls();

function directCalls() {
  const word = (x: number | undefined): number => (x ?? 0) >>> 0;
  type Given = readonly (number | undefined)[];
  const library: Library = {
    mulHigh,
    real,
    arcsineSeries,
    arctangent,
    errorTail,
    philox: (...words) => philox(...words, library),
    random: (...words) => random(...words, library),
    uniform: (...words) => uniform(...words, library),
  };
  const words = ([id, step, stream, seed, high, draw]: Given) =>
    [word(id), word(step), word(stream), word(seed), word(high), word(draw)] as const;
  return {
    i32,
    u32,
    real,
    mulHigh: (a: number, b: number): number => mulHigh(word(a), word(b)),
    erf: (x: number): number => erf(x, library),
    erfc: (x: number): number => erfc(x, library),
    random: (...given: readonly number[]) => random(...words(given), library),
    uniform: (...given: readonly number[]) => uniform(...words(given), library),
    normal: (...given: readonly number[]) => normal(...words(given), library),
  };
}
