import { runFused } from '../../../functor/test/support/fusedDoubles.js';
import { ulpError } from '../../../functor/test/support/highPrecision.js';
import type { GpuDevice } from '../../src/gpu/device/GpuDevice.js';
import { type DoubleError, doubleCases, UNIT } from './doubleCases.js';
import { runDoubles } from './runDoubles.js';

/** The largest error of a function in units of 2^-48, and where it occurred. */
export interface WorstError {
  readonly name: string;
  readonly worst: number;
  readonly bound: number;
  readonly at: readonly number[];
}

/** Those of every function of the library on a device. */
export async function worstErrors(gpu: GpuDevice): Promise<WorstError[]> {
  const entries = Object.entries(doubleCases);
  const results = await runDoubles(
    gpu,
    entries.map(([, each]) => each),
  );
  return entries.map((entry, k) => worstOf(entry, results[k]!));
}

/** Those of operations whose text depends on whether fma rounds once, where it does. */
export function worstFusedErrors(): WorstError[] {
  const entries = Object.entries(doubleCases).filter(([, { text }]) => FUSED.test(text));
  const results = runFused(entries.map(([, each]) => each));
  return entries.map((entry, k) => worstOf(entry, results[k]!));
}

const FUSED = /^ds_(mul|square|div|inverse|length2|settled)/;

function worstOf([name, each]: [string, DoubleError], results: Float64Array): WorstError {
  let worst = 0;
  let at: number[] = [];
  results.forEach((value, n) => {
    const args = [each.x[n]!, ...(each.y ? [each.y[n]!] : [])];
    const off = error(each, value, args);
    if (!(off <= worst)) {
      worst = off;
      at = [...args, value];
    }
  });
  return { name, worst, bound: each.bound, at };
}

/** |found − exact| in units of 2^-48 of the result or of `of`. */
function error({ exact, of }: DoubleError, found: number, args: number[]): number {
  const reference = exact(...args);
  if (typeof reference === 'number') {
    if (Object.is(found, reference) || found === reference) return 0;
    return Math.abs(found - reference) / (UNIT * (of?.(...args) ?? Math.abs(reference)));
  }
  const magnitude = Math.abs(Number(reference.mantissa >> 100n)) * 2 ** (reference.exponent - 120);
  const ulp = 2 ** (Math.floor(Math.log2(magnitude)) - 52);
  return (ulpError(found, reference) * ulp) / (UNIT * (of?.(...args) ?? magnitude));
}
