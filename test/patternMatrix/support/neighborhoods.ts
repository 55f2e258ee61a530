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
  return Array.from({ length: count }, (_, i) => {
    const found: Neighbor[] = [];
    if (rules.central && !rules.central(i)) return found;
    for (let image = 0; image < 27; image++) {
      const k = [(image % 3) - 1, (Math.floor(image / 3) % 3) - 1, Math.floor(image / 9) - 1];
      if (k.some((n, axis) => n !== 0 && !periodic[axis])) continue;
      const shift = [0, 1, 2].map((c) => k[0]! * m[c]! + k[1]! * m[3 + c]! + k[2]! * m[6 + c]!);
      for (let j = 0; j < count; j++) {
        if (j === i || (rules.neighbor && !rules.neighbor(j))) continue;
        const a = f.rx[i]! + shift[0]! - f.rx[j]!;
        const b = f.ry[i]! + shift[1]! - f.ry[j]!;
        const c = f.rz[i]! + shift[2]! - f.rz[j]!;
        const d = [0, 3, 6].map((row) => x[row]! * a + x[row + 1]! * b + x[row + 2]! * c);
        const [dx, dy, dz] = d as [number, number, number];
        const r2 = dx * dx + dy * dy + dz * dz;
        if (r2 >= rules.rcut ** 2) continue;
        const weight = rules.weight?.(f.id[i]!, f.id[j]!) ?? 1;
        if (weight !== 0) found.push({ j, d: [dx, dy, dz], r2, weight });
      }
    }
    return found;
  });
}
