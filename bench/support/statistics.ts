/** The middle of the numbers; the mean of the two middle ones when their count is even. NaN for none. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** The q-quantile (0 … 1), linear between neighbors in order. NaN for no numbers. */
export function quantile(numbers: readonly number[], q: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const at = q * (sorted.length - 1);
  const below = sorted[Math.floor(at)]!;
  const above = sorted[Math.ceil(at)]!;
  return below + (at - Math.floor(at)) * (above - below);
}
