/** So many whole numbers in a row. Callbacks of `Uint32Array.from` take a hundred times as long. */
export function numbersFrom(first: number, count: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(count);
  for (let k = 0; k < count; k++) numbers[k] = first + k;
  return numbers;
}
