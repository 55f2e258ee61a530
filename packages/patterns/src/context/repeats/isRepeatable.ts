/*
 * Whether a call that asks for this may be kept, and may be one that was: comparisons with calls of before would not see
 * any other option. Names are compared one by one, since every call of every step asks.
 */

export function isRepeatableCell(options: object): boolean {
  for (const name in options) if (name !== 'params') return false;
  return true;
}

/** The same names: cells, an order or values of fields make it another call. */
export const isRepeatableReduction = isRepeatableCell;

export function isRepeatablePairs(options: Readonly<{ weights?: unknown }>): boolean {
  for (const name in options) {
    if (name === 'rcut' || name === 'params' || name === 'outputs') continue;
    if (name !== 'weights' || options.weights) return false;
  }
  return true;
}

export function isRepeatableUpdate(options: object): boolean {
  for (const name in options)
    if (name !== 'rcut' && name !== 'skin' && name !== 'ahead') return false;
  return true;
}
