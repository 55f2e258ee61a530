import type { Packed } from './coordinateBits.js';

/** Reads what `BitWriter` writes. */
export class BitReader {
  readonly #bytes: Uint8Array;
  readonly #fail: () => never;
  #at = 0;
  #pending = 0;
  #count = 0;

  /** @param fail called when there are no more bits */
  constructor(bytes: Uint8Array, fail: () => never) {
    this.#bytes = bytes;
    this.#fail = fail;
  }

  /** A number of up to 24 bits. */
  read(bits: number): number {
    while (this.#count < bits) {
      if (this.#at >= this.#bytes.length) this.#fail();
      this.#pending = ((this.#pending << 8) | this.#bytes[this.#at++]!) & 0x7fffffff;
      this.#count += 8;
    }
    this.#count -= bits;
    const value = this.#pending >>> this.#count;
    this.#pending &= (1 << this.#count) - 1;
    return value;
  }

  /** A number of up to 32 bits. */
  readLong(bits: number): number {
    if (bits <= 16) return this.read(bits);
    const high = this.read(bits - 16);
    return high * 65536 + this.read(16);
  }

  /** A packed number. */
  readPacked(bits: number, out: Packed): void {
    out.low = 0;
    out.high = 0;
    let left = bits;
    for (let k = 0; left > 0; k++) {
      const byte = this.read(Math.min(8, left));
      if (k < 3) out.low += byte * 2 ** (8 * k);
      else out.high += byte * 2 ** (8 * (k - 3));
      left -= 8;
    }
  }
}
