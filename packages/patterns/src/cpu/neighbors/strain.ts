import type { Domain, NeighborLists } from '@corpuscle/core';
import { leastStretch } from '../../plan/leastStretch.js';

/** How a box differs from the one that lists were built in. */
export interface Strain {
  /** The least stretch of a vector by it, 1 where the boxes are the same; 0 where they have nothing in common. */
  readonly least: number;
  /** Where the box takes points, r · M + t, as slots of a kernel; null where it is the same box. */
  readonly map: Readonly<Record<string, number>> | null;
}

export const noStrain: Strain = { least: 1, map: null };

/** From the box at the build to that of now. */
export function strainOf(before: Domain, now: Domain): Strain {
  if (before === now) return noStrain;
  if (before.periodic.some((flag, k) => flag !== now.periodic[k])) return { ...noStrain, least: 0 };
  const [a, b] = [before.inverse, now.matrix];
  const m = Array.from({ length: 9 }, (_, n) => {
    const [row, column] = [3 * Math.floor(n / 3), n % 3];
    return a[row]! * b[column]! + a[row + 1]! * b[3 + column]! + a[row + 2]! * b[6 + column]!;
  });
  const o = before.origin;
  const map: Record<string, number> = {};
  m.forEach((x, k) => {
    map[`m${k}`] = x;
  });
  now.origin.forEach((x, k) => {
    map[`t${k}`] = x - (o[0] * m[k]! + o[1] * m[3 + k]! + o[2] * m[6 + k]!);
  });
  return { least: leastStretch(m), map };
}

/**
 * What the strain takes of the half skin that displacements may use. Lists reach R = rcut + skin, and a pair at d had the
 * distance d0:
 *
 *   d = M d0 + u_i − u_j,   |d0| ≤ (|d| + 2u) / σ      σ: least stretch of M
 *
 * so that none within rcut is missing while 2u ≤ σ R − rcut.
 */
export const strainShare = ({ radius, skin, rcut }: NeighborLists, { least }: Strain): number =>
  Math.max(0, skin / 2 - (least * radius - rcut) / 2);
