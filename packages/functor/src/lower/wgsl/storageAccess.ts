/** Reads a storage buffer; an index beyond the end reads the last element, never another buffer. */
export const storageItem = (buffer: string, index: string): string =>
  `${buffer}[min(${index}, arrayLength(&${buffer}) - 1u)]`;

/** Writes a storage buffer; an index beyond the end writes nothing. */
export const storageWrite = (
  buffer: string,
  index: string,
  op: '=' | '+=' | '-=',
  value: string,
): string =>
  `{ let at_ = ${index}; if (at_ < arrayLength(&${buffer})) { ${buffer}[at_] ${op} ${value}; } }`;
