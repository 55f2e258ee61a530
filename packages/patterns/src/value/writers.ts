import { combined } from '../handles/combined.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import type { EngineValues } from './EngineValues.js';

const writers = new WeakMap<EngineValues, PatternHandle<unknown>>();

/** A call under way will write values of the host, or those of a device from the host: who reads them next waits for it. */
export function noteWriter(values: EngineValues, call: PatternHandle<unknown>): void {
  if (call.done) return;
  const before = writerOf(values);
  writers.set(values, before ? combined<unknown, unknown>([before, call], () => null) : call);
}

/** The calls under way that write these values; null where there are none. */
export function writerOf(values: EngineValues): PatternHandle<unknown> | null {
  const call = writers.get(values);
  return call && !call.done ? call : null;
}
