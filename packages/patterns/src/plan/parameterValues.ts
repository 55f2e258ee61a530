import type { ParameterValue, ParameterValues } from './calls.js';

/** Parameters as they are now: engines keep them, and their owner may change his. */
export function keptValues(params: ParameterValues): ParameterValues {
  const copy: Record<string, ParameterValue> = {};
  for (const [name, value] of Object.entries(params))
    copy[name] = typeof value === 'number' ? value : Array.from(value);
  return copy;
}
