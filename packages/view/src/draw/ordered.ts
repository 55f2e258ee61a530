const bits = new DataView(new ArrayBuffer(4));

/** A float as a word, in the same order; as in `particleText`. */
export function ordered(value: number): number {
  bits.setFloat32(0, value);
  const word = bits.getUint32(0);
  return (word & 0x80000000 ? ~word : word | 0x80000000) >>> 0;
}

/** The float of such a word. */
export function unordered(word: number): number {
  bits.setUint32(0, word & 0x80000000 ? word & 0x7fffffff : ~word);
  return bits.getFloat32(0);
}
