/** Sixteen swizzles of 16 bytes: number m moves those of four 4-byte lanes whose bit is set in m to the front. */
export function compressSwizzles(): Uint8Array {
  const table = new Uint8Array(256);
  for (let mask = 0; mask < 16; mask++) {
    let to = 0;
    for (let lane = 0; lane < 4; lane++) {
      if (!(mask & (1 << lane))) continue;
      for (let byte = 0; byte < 4; byte++) table[16 * mask + 4 * to + byte] = 4 * lane + byte;
      to++;
    }
  }
  return table;
}
