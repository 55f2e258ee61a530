import type { ShapeFunction } from './switching/Shape.js';
import type { Switching } from './switching/Switching.js';

interface Shapes {
  readonly shape: ShapeFunction;
}

/** s(r) and s′(r)/r from r², for shapes of x; a helper of functors. r ≤ D_0, coincident particles too, gives 1 and 0. */
function smoothLinear(
  r2: number,
  d0: number,
  inverse: number,
  stretch: number,
  shift: number,
  a: number,
  b: number,
  c: number,
  n: number,
  m: number,
  h: Shapes,
): readonly [number, number] {
  const r = Math.sqrt(r2);
  let value = 1;
  let slope = 0;
  if (r > d0) {
    const [s, ds] = h.shape((r - d0) * inverse, a, b, c, n, m);
    value = s;
    slope = (ds * inverse) / r;
  }
  return [value * stretch + shift, slope * stretch];
}

/** The same for shapes of x². */
function smoothSquared(
  r2: number,
  _d0: number,
  inverse: number,
  stretch: number,
  shift: number,
  a: number,
  b: number,
  c: number,
  n: number,
  m: number,
  h: Shapes,
): readonly [number, number] {
  const square = inverse * inverse;
  const [s, ds] = h.shape(r2 * square, a, b, c, n, m);
  return [s * stretch + shift, ds * (square * stretch)];
}

/** Helpers of a functor that evaluates a switching function. */
export const smoothHelpers = ({ shape }: Switching) => ({
  shape: shape.evaluate,
  smooth: shape.squared ? smoothSquared : smoothLinear,
});

/** Parameters of a functor that evaluates a switching function. */
export const smoothSchema = {
  range2: 'real',
  d0: 'real',
  inverse: 'real',
  stretch: 'real',
  shift: 'real',
  a: 'real',
  b: 'real',
  c: 'real',
  n: 'i32',
  m: 'i32',
} as const;

/** Squares of lengths beyond this are not told apart; it fits in single precision. */
export const FAR = 1e30;

/** Values of `smoothSchema`. */
export const smoothParameters = (s: Switching) => ({
  range2: Math.min(s.range * s.range, FAR),
  d0: s.d0,
  inverse: 1 / s.r0,
  stretch: s.stretch,
  shift: s.shift,
  ...s.shape.parameters,
});

/** Whether a functor need not look at `range2`: what is beyond it is 0 by itself. */
export const isEndless = (s: Switching): boolean => s.range * s.range >= FAR;

/** Makes one functor for each shape, with or without an end, and keeps it. */
export function functorsByShape<F>(make: (s: Switching, variant: string) => F) {
  const known = new WeakMap<ShapeFunction, Map<string, F>>();
  return (s: Switching, variant: string): F => {
    const key = `${variant} ${isEndless(s)}`;
    const variants = known.get(s.shape.evaluate) ?? new Map<string, F>();
    known.set(s.shape.evaluate, variants);
    let functor = variants.get(key);
    if (!functor) {
      functor = make(s, variant);
      variants.set(key, functor);
    }
    return functor;
  };
}
