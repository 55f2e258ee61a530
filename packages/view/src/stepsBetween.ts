/**
 * Pictures are aimed at a bit more often than is asked for: times of the next steps differ from those that were measured, and
 * the rate that comes out must not lie below the one that is asked for.
 */
const AIM = 1.08;

/** What steps and pictures take of a device, and what is asked for. */
export interface PaceTimes {
  /** Milliseconds of a step. */
  readonly step: number;
  /** Milliseconds of a picture. */
  readonly picture: number;
  /** Pictures a second that are asked for. */
  readonly rate: number;
  /** Part of the device that pictures take at most. */
  readonly share: number;
}

/**
 * Steps from one picture to the next: as many as keep the rate of pictures, and at least one. Slow pictures come less often, so
 * that they take no more than their share.
 */
export function stepsBetween({ step, picture, rate, share }: PaceTimes): number {
  const interval = Math.max(1000 / (AIM * rate), picture / share);
  return Math.max(1, Math.floor((interval - picture) / Math.max(1e-4, step)));
}
