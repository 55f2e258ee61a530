/** An fcc crystal of 108 particles of two types, each moved a little, in a box of three different lengths. */
export function disturbedCrystal() {
  const lengths = [4.7, 4.55, 4.62] as const;
  const basis = [
    [0, 0, 0],
    [0, 1, 1],
    [1, 0, 1],
    [1, 1, 0],
  ] as const;
  const positions: number[] = [];
  for (let cell = 0; cell < 27; cell++) {
    const at = [cell % 3, Math.floor(cell / 3) % 3, Math.floor(cell / 9)];
    for (const site of basis)
      for (let k = 0; k < 3; k++) {
        const moved = 0.03 * Math.sin(12.9898 * (positions.length + 1) ** 2);
        positions.push(((at[k]! + site[k]! / 2 + 0.1) / 3) * lengths[k]! + moved);
      }
  }
  const types = Array.from({ length: 108 }, (_, k) => ((k * k + 3 * k) % 7 < 3 ? 1 : 0));
  const [a, b, c] = lengths;
  return { lattice: [a, 0, 0, 0, b, 0, 0, 0, c], positions, types };
}
