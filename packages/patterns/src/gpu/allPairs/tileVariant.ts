import type { Domain, NearestImages } from '@corpuscle/core';
import type { DeviceStrain } from '../box/DeviceStrain.js';
import type { PositionFrame } from '../residency/PositionFrame.js';

/**
 * How nearest images are found, and what the cutoff is good for: `sparse`: it rules out most runs of pairs, which are
 * tested first; `dense`: pairs are tested one by one; `endless`: there is none.
 */
export interface TileVariant {
  readonly box: 'orthorhombic' | 'rounded' | 'shifted';
  readonly reach: 'sparse' | 'dense' | 'endless';
  /** Whether pairs are listed, and not those of whole tiles. */
  readonly listed: boolean;
  /** Of the box whose nearest images these are; vectors are seen through it. */
  readonly strain: DeviceStrain | undefined;
}

/** Where more than this part of all pairs is in reach, hardly a run of pairs is free of them for all threads of a wave. */
const DENSE = 0.01;

export function variantOf(
  { kind, rounded2 }: NearestImages,
  rcut: number,
  domain: Domain,
  frame: PositionFrame,
  { listed, strain }: Pick<TileVariant, 'listed' | 'strain'>,
): TileVariant {
  const within = (4 / 3) * Math.PI * rcut ** 3;
  const isDense = listed || within > DENSE * volumeOf(domain, frame);
  const reach = rcut * rcut > 1e30 ? 'endless' : isDense ? 'dense' : 'sparse';
  if (kind !== 'triclinic') return { box: 'orthorhombic', reach, listed, strain };
  return { box: rcut * rcut <= rounded2 ? 'rounded' : 'shifted', reach, listed, strain };
}

/** Volume of the part of a domain that particles are in. */
const volumeOf = ({ volume }: Domain, { length }: PositionFrame): number =>
  volume * length[0] * length[1] * length[2];
