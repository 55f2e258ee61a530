import { CorpuscleError } from './CorpuscleError.js';

const ofCallers = new WeakSet<CorpuscleError>();

/**
 * An error of what a function was given, with a stack that begins where the function was called: that is what is to be mended.
 * Defects of ours, and errors of other kinds, keep their stacks.
 * @example
 * try { check(options); } catch (error) { throw fromCaller(error, computeCellParticles); }
 */
export function fromCaller(error: unknown, called: (...args: never[]) => unknown): unknown {
  if (!(error instanceof CorpuscleError) || error.code === 'INTERNAL') return error;
  // Older browsers keep the whole stack.
  Error.captureStackTrace?.(error, called);
  ofCallers.add(error);
  return error;
}

/** Whether an error is one of what a function was given, so that its stack begins at the caller. */
export const isOfCaller = (error: CorpuscleError): boolean => ofCallers.has(error);
