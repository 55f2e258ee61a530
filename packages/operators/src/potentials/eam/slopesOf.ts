/** The slopes of a table, times its spacing, as LAMMPS takes them: differences of the neighboring points, of four where there are four, else of two, or to the next one. */
export function slopesOf(f: Float64Array): number[] {
  const n = f.length;
  return Array.from(f, (_, k) => {
    if (k === 0) return f[1]! - f[0]!;
    if (k === n - 1) return f[n - 1]! - f[n - 2]!;
    if (k === 1 || k === n - 2) return 0.5 * (f[k + 1]! - f[k - 1]!);
    return (f[k - 2]! - f[k + 2]! + 8 * (f[k + 1]! - f[k - 1]!)) / 12;
  });
}
