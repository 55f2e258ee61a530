import type { Grid } from '@corpuscle/core';
import type { Fields } from './system.js';

export interface Neighbor {
  readonly j: number;
  /** Central minus neighbor. */
  readonly d: readonly [number, number, number];
  readonly r2: number;
  readonly weight: number;
}

/** What a call may ask for, in the plainest words. */
export interface Rules {
  readonly rcut: number;
  readonly xform?: readonly number[];
  readonly weight?: (a: number, b: number) => number;
  readonly central?: (row: number) => boolean;
  readonly neighbor?: (row: number) => boolean;
}

/**
 * Every particle's neighbors, by testing all particles in all 27 images. Rows of the matrix are the edges of the box. Own
 * arithmetic throughout: nothing of the engines is used but the numbers they start from.
 */
export function neighborhoods(grid: Grid, f: Fields, rules: Rules): Neighbor[][] {
  const { matrix: m, periodic } = grid.domain;
  const x = rules.xform ?? [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const count = f.rx.length;
  const rcut2 = rules.rcut ** 2;
  return Array.from({ length: count }, (_, i) => {
    const found: Neighbor[] = [];
    if (rules.central && !rules.central(i)) return found;
    for (let image = 0; image < 27; image++) {
      const k = [(image % 3) - 1, (Math.floor(image / 3) % 3) - 1, Math.floor(image / 9) - 1];
      if (k.some((n, axis) => n !== 0 && !periodic[axis])) continue;
      const shift = [0, 1, 2].map((c) => k[0]! * m[c]! + k[1]! * m[3 + c]! + k[2]! * m[6 + c]!);
      const [a0, b0, c0] = [f.rx[i]! + shift[0]!, f.ry[i]! + shift[1]!, f.rz[i]! + shift[2]!];
      for (let j = 0; j < count; j++) {
        if (j === i) continue;
        const a = a0 - f.rx[j]!;
        const b = b0 - f.ry[j]!;
        const c = c0 - f.rz[j]!;
        const dx = x[0]! * a + x[1]! * b + x[2]! * c;
        const dy = x[3]! * a + x[4]! * b + x[5]! * c;
        const dz = x[6]! * a + x[7]! * b + x[8]! * c;
        const r2 = dx * dx + dy * dy + dz * dz;
        if (r2 >= rcut2 || (rules.neighbor && !rules.neighbor(j))) continue;
        const weight = rules.weight?.(f.id[i]!, f.id[j]!) ?? 1;
        if (weight !== 0) found.push({ j, d: [dx, dy, dz], r2, weight });
      }
    }
    return found;
  });
}
