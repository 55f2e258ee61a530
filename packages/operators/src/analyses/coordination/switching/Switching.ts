import { CorpuscleError } from '@corpuscle/core';
import { checkSwitch } from './checkSwitch.js';
import { cosinus } from './cosinus.js';
import { cubic } from './cubic.js';
import { custom, variableOf } from './custom.js';
import { exponential } from './exponential.js';
import { gaussian } from './gaussian.js';
import { nativeContacts } from './nativeContacts.js';
import { rational } from './rational.js';
import type { Shape } from './Shape.js';
import type { SwitchOptions } from './SwitchOptions.js';
import { smap } from './smap.js';
import { tanh } from './tanh.js';

/** A switching function ready for use: s(r) = shape · stretch + shift for r ≤ dMax, and 0 beyond. */
export interface Switching {
  readonly shape: Shape;
  readonly r0: number;
  readonly d0: number;
  /** Infinity where there is no end. */
  readonly dMax: number;
  readonly stretch: number;
  readonly shift: number;
  /** Beyond it s is 0 or, unstretched, has ended by itself; at most dMax. */
  readonly range: number;
}

/**
 * Makes a switching function. The keyword form (r0, nn, mm, d0) ends at d0 + r0 · (10⁻⁵)^(1/(nn−mm)) and is always
 * stretched.
 *
 * @throws CorpuscleError INVALID_VALUE or MISSING_VALUE; see `checkSwitch`
 * @example
 * const s = switchingFunction({ type: 'rational', r0: 0.3, dMax: 0.6 });
 * evaluateSwitching(s, 0.3).value;
 */
export function switchingFunction(options: SwitchOptions, keywordForm = false): Switching {
  const problem = checkSwitch(options, keywordForm);
  if (problem)
    throw new CorpuscleError(problem.missing ? 'MISSING_VALUE' : 'INVALID_VALUE', problem.message);
  const { d0 = 0, nn = 6 } = options;
  const mm = options.mm ?? 2 * nn;
  const dMax = keywordForm
    ? d0 + options.r0! * 1e-5 ** (1 / (nn - mm))
    : (options.dMax ?? Number.POSITIVE_INFINITY);
  const r0 = options.type === 'cubic' ? dMax - d0 : options.r0!;
  const shape = shapeOf(options, { r0, d0, nn, mm });
  const plain: Switching = { shape, r0, d0, dMax, stretch: 1, shift: 0, range: rangeOf() };
  if (dMax === Number.POSITIVE_INFINITY || options.stretch === false) return plain;
  const first = evaluateSwitching(plain, 0).value;
  const last = evaluateSwitching(plain, dMax).value;
  const stretch = 1 / (first - last);
  if (!Number.isFinite(stretch))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the switch ${options.type} is ${first} at 0 and ${last} at its end ${dMax}: it cannot be stretched`,
    );
  return { ...plain, stretch, shift: -last * stretch };

  function rangeOf(): number {
    if (shape.end === undefined) return dMax;
    return Math.min(dMax, d0 + r0 * shape.end);
  }
}

function shapeOf(
  options: SwitchOptions,
  { r0, d0, nn, mm }: { r0: number; d0: number; nn: number; mm: number },
): Shape {
  switch (options.type) {
    case 'rational':
      return rational(nn, mm, d0 === 0);
    case 'exp':
      return exponential;
    case 'gaussian':
      return gaussian(d0 === 0);
    case 'smap':
      return smap(options.a!, options.b!);
    case 'cubic':
      return cubic;
    case 'tanh':
      return tanh;
    case 'cosinus':
      return cosinus;
    case 'q':
      return nativeContacts({
        beta: options.beta ?? 50,
        lambda: options.lambda ?? 1.8,
        ref: options.ref!,
        r0,
        d0,
      });
    case 'custom':
      return custom(options.func!, options.variable ?? variableOf(options.func!) ?? 'x');
  }
}

/** s(r) and ds/dr on the host, by the very function that the functors are compiled from. */
export function evaluateSwitching(s: Switching, r: number): { value: number; slope: number } {
  const { shape, r0, d0, stretch, shift } = s;
  if (r > s.dMax) return { value: 0, slope: 0 };
  const { a, b, c, n, m } = shape.parameters;
  if (shape.squared) {
    const [value, slope] = shape.evaluate((r / r0) ** 2, a, b, c, n, m);
    return { value: value * stretch + shift, slope: (slope * r * stretch) / (r0 * r0) };
  }
  if (r <= d0) return { value: stretch + shift, slope: 0 };
  const [value, slope] = shape.evaluate((r - d0) / r0, a, b, c, n, m);
  return { value: value * stretch + shift, slope: (slope * stretch) / r0 };
}
