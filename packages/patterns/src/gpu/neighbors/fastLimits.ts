import type { PositionFrame } from '../residency/PositionFrame.js';
import type { DeviceLists } from './DeviceLists.js';

/** Single precision: what is within this part of a limit counts as beyond it. */
const ROUNDING = 1e-5;
/** Positions in single precision are off by less than this part of a cell. */
const OFF = 1e-6;
const FEWEST = 256;

/** The distance beyond which workgroups vote for other lists: a little less than what a list is good for. */
export const votesBeyond = (skin: number): number => (skin / 2) * (1 - 4 * ROUNDING);

/** A displacement within rounding of the limit counts as beyond it. */
export const isBeyond = (distance: number, limit: number): boolean =>
  !(distance * (1 + ROUNDING) <= limit);

/**
 * How far particles may go beyond half the skin while lists stay good, as long as no two fast ones meet.
 *
 * A list is good until a pair comes within rcut that was farther apart than its radius, rcut + skin, when it was built. Its
 * particles have then gone d_i + d_j ≥ skin. While no particle has gone farther than D ≤ skin − tau, each of them has gone
 * d ≥ skin − D ≥ tau: both are among the particles farther than tau, and to look at the pairs of these few is enough.
 *
 * Which image of a pair is near follows from cells alone. Along a lattice vector, with heights H and h = H ÷ dims of box
 * and cell: a pair within rcut now was within rcut + 2D when lists were built, and particles were in their cells then, so
 * that their cells are less than (rcut + 2D) ÷ h + 1 apart. Where that is below dims ÷ 2, and D < skin, no other image of
 * the same two cells is as near, and wrapping the difference of cells finds it.
 */
export interface FastLimits {
  readonly skin: number;
  /** Fast particles have gone farther than this; at most half the skin. */
  readonly tau: number;
  /** Fast particles that a list has room for. */
  readonly mostFast: number;
  readonly rcut: number;
  readonly radius: number;
  readonly frame: PositionFrame;
}

/** @param tauRatio tau ÷ skin, at most one half. @returns null where lists are good until half the skin only. */
export function fastLimits(lists: DeviceLists, tauRatio: number): FastLimits | null {
  const { near: rcut, radius, effectiveSkin: skin } = lists;
  const frame = lists.frame!;
  const { periodic, heights } = frame.domain;
  const tells = ([0, 1, 2] as const).every(
    (k) => periodic[k] && (rcut + 2 * skin) / heights[k] + 1.001 / frame.dims[k] < 0.499,
  );
  if (!tells || !(skin > 0)) return null;
  return { skin, tau: tauRatio * skin, mostFast: mostFastOf(lists.count), rcut, radius, frame };
}

/** Fast particles that a list has room for: to compare all pairs of these takes little of what a rebuild takes. */
export const mostFastOf = (count: number): number =>
  Math.min(count, Math.max(FEWEST, Math.floor(Math.min(count / 16, 8 * Math.sqrt(count)))));

/** How far off distances in this frame are at most. */
function slackOf({ rcut, radius, frame: { edges } }: FastLimits): {
  readonly rcut: number;
  readonly radius: number;
  readonly own: number;
} {
  const own = OFF * Math.hypot(...edges);
  return { rcut: rcut * (1 + ROUNDING) + own, radius: radius * (1 - ROUNDING) - own, own };
}

/** Squares of the limits, on the careful side. */
export function squaredLimits(limits: FastLimits): Record<'tau2' | 'near2' | 'listed2', number> {
  const { rcut, radius, own } = slackOf(limits);
  return {
    tau2: Math.max(0, limits.tau * (1 - ROUNDING) - own) ** 2,
    near2: rcut ** 2,
    listed2: Math.max(0, radius) ** 2,
  };
}
