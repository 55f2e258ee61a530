/** The memory of typed arrays in plain objects and lists, each once: what a thread can give to another without a copy. */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (value instanceof Map) {
    for (const item of value.values()) buffersOf(item, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) if (typeof item === 'object') buffersOf(item, found);
  }
  return [...found];
}
