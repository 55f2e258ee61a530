/** A style of `pair_style`, with the pairs that have coefficients: `0,1` with the smaller type first. */
interface Style {
  readonly pairs: ReadonlyMap<string, unknown>;
}

export const keyOf = (i: number, j: number): string => (i < j ? `${i},${j}` : `${j},${i}`);

export const allPairs = (count: number): [number, number][] =>
  Array.from({ length: count }, (_, i) => i).flatMap((i) =>
    Array.from({ length: count - i }, (_, k): [number, number] => [i, i + k]),
  );

/**
 * Pairs that follow from like ones, by style: those without coefficients, of two types that have one style each, and the same.
 * @param none pairs without forces
 */
export function mixedPairs<S extends Style>(
  styles: readonly S[],
  types: number,
  none: ReadonlySet<string>,
): Map<S, string[]> {
  const mixed = new Map<S, string[]>(styles.map((style) => [style, []]));
  const having = (key: string) => styles.filter(({ pairs }) => pairs.has(key));
  for (const [i, j] of allPairs(types)) {
    const key = keyOf(i, j);
    if (i === j || none.has(key) || having(key).length > 0) continue;
    const [first, second] = [having(keyOf(i, i)), having(keyOf(j, j))];
    if (first.length === 1 && second.length === 1 && first[0] === second[0])
      mixed.get(first[0]!)!.push(key);
  }
  return mixed;
}
