/** Milliseconds of a unit of wall time. */
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  second: 1000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
};

/**
 * Milliseconds of a wall time: `'10 min'`, `'30 s'`, `'1.5 h'`, or a number of seconds. Null for anything else.
 * @example parseWallTime('10 min') → 600000
 */
export function parseWallTime(text: string | number): number | null {
  const match = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*([a-z]*)\s*$/.exec(String(text));
  if (!match) return null;
  const unit = match[2] === '' ? 's' : match[2]!;
  const factor = UNITS[unit] ?? UNITS[unit.replace(/s$/, '')];
  const milliseconds = Number(match[1]) * (factor ?? Number.NaN);
  return milliseconds > 0 ? milliseconds : null;
}
