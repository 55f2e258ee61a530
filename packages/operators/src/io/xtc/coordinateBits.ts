/**
 * What XTC packs coordinates by. Three whole numbers below the sizes n0, n1, n2 become one number
 *
 *   v = (x · n1 + y) · n2 + z   <   n0 · n1 · n2   <   2^72
 *
 * which is stored byte by byte, the lowest first, in as many bits as the product of the sizes has. v is held as
 * high · 2^24 + low, so that all is exact in doubles.
 */
export interface Packed {
  high: number;
  low: number;
}

const LIMB = 2 ** 24;

/**
 * Sizes of differences between particles that follow each other, by the number of bits that three of them take: cube roots of
 * powers of 2, as the format lists them. The first nine are not used.
 */
export const smallSizes: readonly number[] = [
  ...[
    0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 101, 128, 161, 203, 256,
  ],
  ...[322, 406, 512, 645, 812, 1024, 1290, 1625, 2048, 2580, 3250, 4096, 5060, 6501, 8192, 10321],
  ...[
    13003, 16384, 20642, 26007, 32768, 41285, 52015, 65536, 82570, 104031, 131072, 165140, 208063,
  ],
  ...[262144, 330280, 416127, 524287, 660561, 832255, 1048576, 1321122, 1664510, 2097152, 2642245],
  ...[3329021, 4194304, 5284491, 6658042, 8388607, 10568983, 13316085, 16777216],
];
/** The first index into `smallSizes` that is used. */
export const firstSmall = 9;

/** Bits of the number 2^bits > size. */
export function bitsOf(size: number): number {
  let bits = 0;
  while (2 ** bits <= size) bits++;
  return bits;
}

/** Bits of three packed numbers. */
export function bitsOfThree([a, b, c]: readonly [number, number, number]): number {
  let product = BigInt(a) * BigInt(b) * BigInt(c);
  let bits = 0;
  for (; product > 0n; product >>= 1n) bits++;
  return bits;
}

export function pack(x: number, y: number, z: number, n1: number, n2: number, out: Packed): void {
  const first = x * n1 + y;
  const firstLow = first % LIMB;
  const firstHigh = (first - firstLow) / LIMB;
  const low = firstLow * n2 + z;
  out.low = low % LIMB;
  out.high = firstHigh * n2 + (low - out.low) / LIMB;
}

export function unpack({ high, low }: Packed, n1: number, n2: number, out: number[]): void {
  const quotient = Math.floor(high / n2);
  const rest = (high - quotient * n2) * LIMB + low;
  const second = Math.floor(rest / n2);
  const first = quotient * LIMB + second;
  out[2] = rest - second * n2;
  out[0] = Math.floor(first / n1);
  out[1] = first - out[0] * n1;
}
