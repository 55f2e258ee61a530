const OFF_DIAGONAL = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/** The smallest singular value of a 3×3 matrix, nine numbers row by row, by Jacobi rotations of XᵀX. */
export function leastStretch(m: readonly number[]): number {
  const a = [0, 1, 2].map((r) =>
    [0, 1, 2].map((c) => [0, 1, 2].reduce((s, k) => s + m[3 * k + r]! * m[3 * k + c]!, 0)),
  );
  const isDiagonal = () => a[0]![1] === 0 && a[0]![2] === 0 && a[1]![2] === 0;
  for (let sweep = 0; sweep < 30 && !isDiagonal(); sweep++) {
    for (const [p, q] of OFF_DIAGONAL) {
      if (a[p]![q] === 0) continue;
      const angle = 0.5 * Math.atan2(2 * a[p]![q]!, a[q]![q]! - a[p]![p]!);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let k = 0; k < 3; k++) {
        const [x, y] = [a[k]![p]!, a[k]![q]!];
        [a[k]![p], a[k]![q]] = [c * x - s * y, s * x + c * y];
      }
      for (let k = 0; k < 3; k++) {
        const [x, y] = [a[p]![k]!, a[q]![k]!];
        [a[p]![k], a[q]![k]] = [c * x - s * y, s * x + c * y];
      }
    }
  }
  return Math.sqrt(Math.max(0, Math.min(a[0]![0]!, a[1]![1]!, a[2]![2]!)));
}
