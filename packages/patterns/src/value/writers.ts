import type { PatternHandle } from '../handles/PatternHandle.js';
import type { EngineValues } from './EngineValues.js';

/** Calls kept before those are removed that are done. */
const FEW = 64;

interface Writers {
  calls: PatternHandle<unknown>[];
  /** Calls from which on it is worth looking for those that are done. */
  most: number;
}

const writers = new WeakMap<EngineValues, Writers>();

/** A call under way will write values of the host, or those of a device from the host: who reads them next waits for it. */
export function noteWriter(values: EngineValues, call: PatternHandle<unknown>): void {
  if (call.done) return;
  const noted = writers.get(values);
  if (!noted) {
    writers.set(values, { calls: [call], most: FEW });
    return;
  }
  if (noted.calls.length >= noted.most) {
    noted.calls = noted.calls.filter(({ done }) => !done);
    noted.most = Math.max(FEW, 2 * noted.calls.length);
  }
  noted.calls.push(call);
}

/** The calls under way that write these values. */
export const writersOf = (values: EngineValues): readonly PatternHandle<unknown>[] =>
  writers.get(values)?.calls.filter(({ done }) => !done) ?? [];
