import type { HaloRegion } from '../../engine/DeviceHalo.js';
import type { Extent } from '../residency/PositionFrame.js';

export function extentOf({ lower, upper }: HaloRegion): Extent {
  const ends = (of: readonly number[]) => [of[0]!, of[1]!, of[2]!] as const;
  return { lower: ends(lower), upper: ends(upper) };
}

/** Where the ghosts of each origin end. */
export function endsOf(origins: readonly { readonly ghosts: number }[]): Uint32Array<ArrayBuffer> {
  let end = 0;
  return Uint32Array.from(origins, ({ ghosts }) => {
    end += ghosts;
    return end;
  });
}
