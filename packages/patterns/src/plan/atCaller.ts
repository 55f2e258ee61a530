import { fromCaller } from '@corpuscle/functor/error';

/**
 * Does what a function is called for. Errors of what it was given have a stack that begins at the caller.
 * @param called the function that the user has called
 */
export function atCaller<R>(called: (...args: never[]) => unknown, work: () => R): R {
  try {
    return work();
  } catch (error) {
    throw fromCaller(error, called);
  }
}
