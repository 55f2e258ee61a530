/** From so many bytes on, memory belongs to one array: Node shares smaller buffers. */
const LARGE = 1 << 16;

/**
 * The memory of plain data, each once: what a thread can give to another without a copy. Views of a part of their memory are
 * left out where it is small, since the rest of it may be of others: small buffers of Node share theirs.
 */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (value instanceof ArrayBuffer) {
    found.add(value);
  } else if (ArrayBuffer.isView(value)) {
    const { buffer, byteLength } = value;
    const isWhole = buffer.byteLength === byteLength || buffer.byteLength >= LARGE;
    if (buffer instanceof ArrayBuffer && isWhole) found.add(buffer);
  } else if (value instanceof Map) {
    for (const item of value.values()) buffersOf(item, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) if (typeof item === 'object') buffersOf(item, found);
  }
  return [...found];
}
