import type { FunctorFunction } from './Functor.js';

const texts = new WeakMap<FunctorFunction, string>();

/**
 * Gives a helper the text it is compiled from, where its own text would not do: a helper made at run time, from a formula
 * that a user wrote, say. The text is only ever parsed, checked and compiled as a functor's is, never evaluated; the
 * function must compute the same when it is called.
 *
 * @example
 * const helper = withFunctionText((x: number) => tree.evaluate(x), '(x) => 1 / (1 + x * x)');
 */
export function withFunctionText<F extends FunctorFunction>(fn: F, text: string): F {
  texts.set(fn, text);
  return fn;
}

/** The text a function is compiled from. */
export function functionText(fn: FunctorFunction): string {
  return texts.get(fn) ?? Function.prototype.toString.call(fn);
}
