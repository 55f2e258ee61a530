const numberConstants = new Set([
  'EPSILON',
  'MAX_VALUE',
  'MIN_VALUE',
  'MAX_SAFE_INTEGER',
  'MIN_SAFE_INTEGER',
  'POSITIVE_INFINITY',
  'NEGATIVE_INFINITY',
  'NaN',
]);

/** `Math.PI`, `Number.EPSILON` and the like. */
export function mathConstant(object: string, name: string): number | undefined {
  if (object === 'Math' && Object.hasOwn(Math, name)) {
    const value = (Math as unknown as Record<string, unknown>)[name];
    return typeof value === 'number' ? value : undefined;
  }
  if (object === 'Number' && numberConstants.has(name)) {
    return (Number as unknown as Record<string, number>)[name];
  }
  return undefined;
}
