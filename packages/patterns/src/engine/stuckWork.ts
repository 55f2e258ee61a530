import { CorpuscleError } from '@corpuscle/core';

/** Seconds without progress after which stderr tells of work, on every backend. */
export const TOLD_AFTER = 4;

/** A functor and its operator, as sentences name them; several operators are joined by commas. */
export function namedWork(functor: string, operator: string): string {
  const where = operator.includes(', ') ? 'operators' : 'operator';
  return `'${functor}'${operator === '' ? '' : ` in ${where} ${operator}`}`;
}

/** What stderr tells of work without progress, a line. @param end how the run ends, as a clause */
export const stuckLine = (work: string, end: string): string =>
  `corpuscle: ${work} has worked on one piece for ${TOLD_AFTER} s: if a loop of it has no end, ${end}, and files keep what was written\n`;

/** The error of a run whose work has ended like that. @param operators those that it may be of */
export const endlessError = (work: string, operators: readonly string[], seconds: number) =>
  new CorpuscleError(
    'KERNEL_FAILED',
    `${work} has worked on one piece for ${Math.round(seconds)} s, and has been ended: a loop of it has no end, or needs a larger kernel limit`,
    { operators },
  );
