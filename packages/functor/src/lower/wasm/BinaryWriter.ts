/** Bytes of a WebAssembly module: LEB128 integers, IEEE floats, names and length-prefixed sections. */
export class BinaryWriter {
  #bytes = new Uint8Array(256);
  #length = 0;
  readonly #scratch = new DataView(new ArrayBuffer(8));

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  bytes(values: ArrayLike<number>): void {
    if (this.#length + values.length > this.#bytes.length) this.#grow(values.length);
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  unsigned(value: number): void {
    let rest = value >>> 0;
    do {
      const low = rest & 0x7f;
      rest >>>= 7;
      this.byte(rest ? low | 0x80 : low);
    } while (rest);
  }

  signed(value: bigint): void {
    for (let rest = value; ; ) {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      const done = (rest === 0n && !(low & 0x40)) || (rest === -1n && (low & 0x40) !== 0);
      this.byte(done ? low : low | 0x80);
      if (done) return;
    }
  }

  float32(value: number): void {
    this.#scratch.setFloat32(0, value, true);
    for (let k = 0; k < 4; k++) this.byte(this.#scratch.getUint8(k));
  }

  float64(value: number): void {
    this.#scratch.setFloat64(0, value, true);
    for (let k = 0; k < 8; k++) this.byte(this.#scratch.getUint8(k));
  }

  name(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.unsigned(bytes.length);
    this.bytes(bytes);
  }

  /** Another writer's content, preceded by its length. */
  sized(content: BinaryWriter): void {
    this.unsigned(content.length);
    this.bytes(content.toBytes());
  }

  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(by: number): void {
    const next = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + by));
    next.set(this.#bytes);
    this.#bytes = next;
  }
}
