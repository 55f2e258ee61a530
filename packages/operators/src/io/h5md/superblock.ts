import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

/**
 * The head of an HDF5 file since version 1.10. Numbers are little-endian.
 *
 *   signature, 8 | version u8 | size of offsets u8 | size of lengths u8 | marks u8 | base u64 | extension u64 | end u64 | root u64 | check u32
 */
const bytes = 48;
const signature = Buffer.from('\x89HDF\r\n\x1a\n', 'latin1');
const at = { version: 8, offsets: 9, marks: 11, end: 28, check: 44 };

/**
 * Whether a writer has not closed the file, which it marks: readers have to say that they know. A damaged head is not believed: HDF5
 * then tries to read it for very long, as if a writer might mend it.
 */
export function isMarked(file: string): boolean {
  return (
    withHead(file, 'r', (head) => isKnown(head) && isWhole(head) && head[at.marks] !== 0) ?? false
  );
}

/**
 * Takes away the mark of a writer that was killed, as `h5clear --status --increment=0` does. What it has written for readers who
 * read meanwhile (SWMR) is in order at any moment.
 */
export function clearMark(file: string): void {
  withHead(file, 'r+', (head, descriptor) => {
    if (!isKnown(head) || head[at.marks] === 0) return;
    const { size } = fstatSync(descriptor);
    head[at.marks] = 0;
    if (head.readBigUInt64LE(at.end) < BigInt(size)) head.writeBigUInt64LE(BigInt(size), at.end);
    head.writeUInt32LE(lookup3(head.subarray(0, at.check)), at.check);
    writeSync(descriptor, head, 0, bytes, 0);
  });
}

const isKnown = (head: Buffer) =>
  head.subarray(0, 8).equals(signature) && head[at.version] === 3 && head[at.offsets] === 8;

const isWhole = (head: Buffer) =>
  lookup3(head.subarray(0, at.check)) === head.readUInt32LE(at.check);

function withHead<T>(
  file: string,
  flags: 'r' | 'r+',
  use: (head: Buffer, descriptor: number) => T,
): T | null {
  const descriptor = openSync(file, flags);
  try {
    const head = Buffer.alloc(bytes);
    return readSync(descriptor, head, 0, bytes, 0) === bytes ? use(head, descriptor) : null;
  } finally {
    closeSync(descriptor);
  }
}

/** The checksum of HDF5: R. Jenkins, lookup3 (2006). */
export function lookup3(data: Buffer): number {
  const rotate = (x: number, k: number) => (x << k) | (x >>> (32 - k));
  let a = (0xdeadbeef + data.length) | 0;
  let [b, c] = [a, a];
  let left = data.length;
  let from = 0;
  const word = (offset: number) => {
    let value = 0;
    for (let k = 0; k < 4; k++) value |= (data[from + offset + k] ?? 0) << (8 * k);
    return value;
  };
  for (; left > 12; left -= 12, from += 12) {
    a = (a + word(0)) | 0;
    b = (b + word(4)) | 0;
    c = (c + word(8)) | 0;
    a = ((a - c) ^ rotate(c, 4)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 6)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 8)) | 0;
    b = (b + a) | 0;
    a = ((a - c) ^ rotate(c, 16)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 19)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 4)) | 0;
    b = (b + a) | 0;
  }
  if (left === 0) return c >>> 0;
  a = (a + word(0)) | 0;
  b = (b + word(4)) | 0;
  c = (c + word(8)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return c >>> 0;
}
