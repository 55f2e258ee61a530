import type { FunctorSpec } from '../FunctorSpec.js';
import { MOST_BINS, parseResultOp } from './resultSlots.js';

type Names = (what: string, table: Readonly<Record<string, unknown>> | undefined) => string[];
type Fail = (problem: string, remedy: string) => never;

/** Checks what a reduction declares about its results. */
export function validateResults(
  spec: Extract<FunctorSpec, { kind: 'reduce' }>,
  names: Names,
  fail: Fail,
): void {
  const free: string[] = [];
  for (const name of names('result', spec.result)) {
    const parsed = parseResultOp(spec.result[name]!);
    if (!parsed) {
      fail(
        `the result '${name}' has the unknown type '${spec.result[name]}'`,
        `use sum, max, min, argmax, argmin, real, sum[n] or real[n] with n from 1 to ${MOST_BINS}`,
      );
    }
    if (parsed.op === 'real') free.push(name);
  }
  if (free.length > 0 && typeof spec.combine !== 'function') {
    fail(
      `the result '${free[0]}' is declared real, but nothing says how two of them are joined`,
      'give a function combine: (into, other) => { … }',
    );
  }
  if (free.length === 0 && spec.combine !== undefined) {
    fail('combine has nothing to join', "declare the results that it joins as 'real'");
  }
  for (const name of names('identity', spec.identity)) {
    const value = spec.identity![name]!;
    const length = free.includes(name) ? parseResultOp(spec.result[name]!)!.length : -1;
    if (length < 0)
      fail(`identity names '${name}'`, "only results declared 'real' have a starting value");
    const fits = length === 0 ? typeof value === 'number' : (value as number[]).length === length;
    if (!fits)
      fail(
        `the identity of '${name}' does not fit its type`,
        length === 0 ? 'give a number' : `give an array of ${length} numbers`,
      );
  }
}
