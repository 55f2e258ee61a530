/**
 * The memory of plain data, each once: what a thread can give to another without a copy. Views of a part of their memory are
 * left out, since the rest of it may be of others: small buffers of Node share theirs.
 */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (value instanceof ArrayBuffer) {
    found.add(value);
  } else if (ArrayBuffer.isView(value)) {
    const { buffer, byteLength } = value;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) found.add(buffer);
  } else if (value instanceof Map) {
    for (const item of value.values()) buffersOf(item, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) if (typeof item === 'object') buffersOf(item, found);
  }
  return [...found];
}
