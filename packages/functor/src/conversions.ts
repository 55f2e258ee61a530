/**
 * To a signed 32-bit integer: truncates toward zero, saturates at ±2³¹, NaN gives 0, true gives 1. The compiler knows it
 * by name; through the helper argument (`h.i32(x)`) it survives every minifier.
 */
export function i32(x: number | boolean): number {
  const value = Number(x);
  if (value >= 2147483647) return 2147483647;
  if (value <= -2147483648) return -2147483648;
  return value | 0;
}

/** To an unsigned 32-bit integer: truncates toward zero, saturates (negatives give 0), NaN gives 0. */
export function u32(x: number | boolean): number {
  const value = Number(x);
  if (value >= 4294967295) return 4294967295;
  return value > 0 ? value >>> 0 : 0;
}

/** To a real number: the number itself; true gives 1 and false 0. */
export function real(x: number | boolean): number {
  return Number(x);
}
