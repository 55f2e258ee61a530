import type { PatternHandle } from '../handles/PatternHandle.js';
import { PrunedList } from '../handles/PrunedList.js';
import type { EngineValues } from './EngineValues.js';

const writers = new WeakMap<EngineValues, PrunedList<PatternHandle<unknown>>>();

/** A call under way will write values of the host, or those of a device from the host: the next read waits for it. */
export function noteWriter(values: EngineValues, call: PatternHandle<unknown>): void {
  if (call.done) return;
  const noted = writers.get(values) ?? new PrunedList(({ done }) => !done);
  writers.set(values, noted);
  noted.add(call);
}

/** The calls under way that write these values. */
export const writersOf = (values: EngineValues): readonly PatternHandle<unknown>[] =>
  writers.get(values)?.needed ?? [];
