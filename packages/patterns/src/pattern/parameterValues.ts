import type { ParameterValue, ParameterValues } from './PatternEngine.js';

/** Parameters as they are now, for a call that lasts. */
export function lastingValues(params: ParameterValues): ParameterValues {
  const copy: Record<string, ParameterValue> = {};
  for (const [name, value] of Object.entries(params))
    copy[name] = typeof value === 'number' ? value : Array.from(value);
  return copy;
}

/** Whether a parameter has the value, to the bit, that was kept; tables are compared by their numbers. */
export function isSameValue(before: ParameterValue | undefined, now: ParameterValue): boolean {
  if (typeof before !== 'object' || typeof now !== 'object') return Object.is(before, now);
  if (before.length !== now.length) return false;
  for (let k = 0; k < now.length; k++) if (!Object.is(before[k], now[k])) return false;
  return true;
}
