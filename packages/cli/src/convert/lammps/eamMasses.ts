/**
 * Masses by element of a file in the format setfl: five lines, then for each element a line `Z mass a lattice` and its tables.
 * What is no such file has none.
 */
export function massesOf(text: string): ReadonlyMap<string, number> {
  const masses = new Map<string, number>();
  const lines = text.split('\n');
  const words = (k: number) => (lines[k] ?? '').trim().split(/\s+/);
  const elements = words(3).slice(1);
  const [densities, , distances] = words(4).map(Number);
  let at = 5;
  for (const element of elements) {
    const mass = Number(words(at)[1]);
    if (mass > 0) masses.set(element, mass);
    let left = (densities ?? 0) + (distances ?? 0);
    for (at++; left > 0 && at < lines.length; at++)
      left -= lines[at]!.trim() === '' ? 0 : words(at).length;
    // Finnis and Sinclair's form has more densities, before a line that ends with a word.
    while (at < lines.length && Number.isFinite(Number(words(at).at(-1)))) at++;
  }
  return masses;
}

/** The mass in a file in the format funcfl, which has a line `Z mass a lattice` after the first; null where there is none. */
export function massOf(text: string): number | null {
  const [number, mass] = (text.split('\n')[1] ?? '').trim().split(/\s+/).map(Number);
  return number! > 0 && mass! > 0 ? mass! : null;
}
