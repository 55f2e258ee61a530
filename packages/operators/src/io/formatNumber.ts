/** The shortest decimal text that reads back to the same number, the sign of zero included. */
export function formatNumber(value: number | bigint): string {
  return value === 0 && Object.is(value, -0) ? '-0' : String(value);
}
