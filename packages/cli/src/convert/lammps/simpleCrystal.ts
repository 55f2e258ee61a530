import type { Slots } from '../Draft.js';
import type { Script } from './Script.js';

/**
 * Slots of the operator `lattice`, where a crystal fills a periodic box of whole cells from 0: the first lines of most scripts.
 * Null for all others.
 */
export function simpleCrystal(
  script: Script,
  type: string,
  basis: ReadonlyMap<number, string>,
): Slots | null {
  const { crystal, box } = script;
  const { style, origin, orient, spacing, density, constant } = crystal;
  if (!/^(sc|bcc|fcc|diamond)$/.test(style) || orient || !box) return null;
  if ([...origin, ...box.lower, ...box.tilt].some((x) => x !== 0)) return null;
  const edges = crystal.vectors.map((vector, k) => vector[k]! * constant);
  if (spacing.some((length, k) => Math.abs(length / edges[k]! - 1) > 1e-14)) return null;
  const repeat = box.upper.map((high, k) => Math.round(high / spacing[k]!));
  if (repeat.some((n, k) => n < 1 || n * spacing[k]! !== box.upper[k])) return null;
  const sites = crystal.basis.map((_, k) => basis.get(k) ?? type);
  const isOne = sites.every((site) => site === sites[0]);
  // Sites of diamond have another order there.
  if (!isOne && style === 'diamond') return null;
  // A constant of the last bit of LAMMPS, on which its random velocities depend.
  const isSame = density && (crystal.basis.length / density) ** (1 / 3) === constant;
  const size = isSame ? { density } : { lattice_constant: constant };
  return { structure: style, ...size, repeat, types: isOne ? [sites[0]!] : sites };
}
