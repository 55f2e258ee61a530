import type { Packed } from './coordinateBits.js';

/** Bits one after the other, the highest of each byte first. */
export class BitWriter {
  #bytes: Uint8Array;
  #at = 0;
  #pending = 0;
  #count = 0;

  /** @param bits that will be written at most */
  constructor(bits: number) {
    this.#bytes = new Uint8Array(Math.ceil(bits / 8) + 8);
  }

  /** The lowest `bits` (up to 24) of a number. */
  write(value: number, bits: number): void {
    this.#pending = (this.#pending << bits) | value;
    this.#count += bits;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#bytes[this.#at++] = this.#pending >>> this.#count;
    }
    this.#pending &= (1 << this.#count) - 1;
  }

  /** A number of up to 32 bits. */
  writeLong(value: number, bits: number): void {
    if (bits > 16) this.write(Math.floor(value / 65536), bits - 16);
    this.write(bits > 16 ? value % 65536 : value, Math.min(bits, 16));
  }

  /** A packed number, byte by byte from the lowest. */
  writePacked({ high, low }: Packed, bits: number): void {
    let left = bits;
    let rest = low;
    for (let k = 0; left > 0; k++) {
      if (k === 3) rest = high;
      const byte = rest % 256;
      rest = (rest - byte) / 256;
      this.write(byte, Math.min(8, left));
      left -= 8;
    }
  }

  /** All bits, in whole bytes. */
  finish(): Uint8Array {
    if (this.#count > 0) this.write(0, 8 - this.#count);
    return this.#bytes.subarray(0, this.#at);
  }
}
