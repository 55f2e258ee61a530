/**
 * The upper 32 bits of the product of two unsigned integers, exactly. Every lowering has instructions or text of its own for it.
 */
export function mulHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = (a >>> 16) & 0xffff;
  const bLow = b & 0xffff;
  const bHigh = (b >>> 16) & 0xffff;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = aLow * bHigh + (middle % 65536);
  return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(carry / 65536)) >>> 0;
}
