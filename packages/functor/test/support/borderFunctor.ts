import fc from 'fast-check';
import type { FunctorFunction } from '../../src/Functor.js';
import { pairFunctor } from '../../src/pairFunctor.js';
import { type Parity, parity } from '../../src/passes/parity.js';
import { BorderWriter } from './BorderWriter.js';
import { Tape } from './Tape.js';

/** `pairs` is symmetric in two types; particles have the types 0 and 1. */
export const borderParams = {
  a: 0.75,
  table: Float64Array.of(0.5, -1.25, 2, 0.125),
  other: Float64Array.of(1.5, 0.25, -0.5, 3),
  pairs: Float64Array.of(1, -0.5, -0.5, 2),
} as const;

export const borderOutputs = { u: 'real', v: 'real', w: 'real', n: 'i32' } as const;

const helpers = {
  minus: (x: number, y: number): number => x - y,
  scaled: (x: number, y: number): number => {
    let s = x;
    if (y > 1) s = s * 2;
    return s * y;
  },
  early: (x: number, y: number): number => {
    if (y > 1) return x;
    return x * 0.5;
  },
  two: (x: number, y: number): number[] => [x * y, x * x * y],
};

/** A pair functor from its text, as a user writes it. */
export function borderFunctor(text: string, newton3: boolean) {
  return pairFunctor(
    {
      name: 'border',
      central: borderOutputs,
      read: { q: 'real', vx: 'real', type: 'u32' },
      neighbor: { q: 'real', vx: 'real', type: 'u32' },
      params: { a: 'real', table: 'real[]', other: 'real[]', pairs: 'real[]' },
      helpers,
      traits: { newton3 },
    },
    new Function(`return (i, j, d, p, h) => {\n${text}\n};`)() as FunctorFunction as never,
  );
}

export type BorderFunctor = ReturnType<typeof borderFunctor>;

/** Texts of functors; one choice in `slips` breaks the rules that make a value odd or even. */
export const borderTexts = (slips: number): fc.Arbitrary<string> =>
  fc
    .array(fc.nat({ max: 9999 }), { minLength: 40, maxLength: 160 })
    .map((values) => new BorderWriter(new Tape(values), slips).functor());

/** The functor with newton3, and what is proven of its outputs; null where the proof refuses. */
export function provenFunctor(
  text: string,
): { functor: BorderFunctor; proven: Map<string, Parity> } | null {
  try {
    const functor = borderFunctor(text, true);
    return { functor, proven: parity(functor.ir!) };
  } catch (error) {
    if (/could not be proven/.test((error as Error).message)) return null;
    throw error;
  }
}

export const borderFields = Object.keys(borderOutputs) as (keyof typeof borderOutputs)[];

export interface BorderParticle {
  readonly q: number;
  readonly vx: number;
  readonly type: number;
}

/** What the function adds to the outputs of `i` when it is called directly. */
export function addedTerms(
  functor: BorderFunctor,
  i: BorderParticle,
  j: BorderParticle,
  [x, y, z]: readonly number[],
): number[] {
  const central: Record<string, number> = { ...i, u: 0, v: 0, w: 0, n: 0 };
  const r2 = x! * x! + y! * y! + z! * z!;
  functor.invoke(central, { ...j }, { x: x!, y: y!, z: z!, r2 }, borderParams);
  return borderFields.map((field) => central[field]!);
}
