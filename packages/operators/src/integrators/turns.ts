import type { EntrySpec } from '@corpuscle/core';

/** Of a thermostat or barostat that need not act in every step. */
export const everySlot = {
  type: 'integer',
  min: 1,
  default: 1,
  doc: 'acts at the ends of every so many steps only, for all of them at once; between them a step is that of velocity Verlet',
} as const satisfies EntrySpec;

/** Where a part of a scheme stands: before the forces of a step are computed, or after. */
export type Side = 'before' | 'after';

/**
 * Whether what acts at the ends of `every` steps acts in one of them:
 *
 *   exp(iL_bath n Δt/2)  [ exp(iL_particles Δt) ]ⁿ  exp(iL_bath n Δt/2)      before step k n + 1, and after step k n
 */
export const hasTurn = (side: Side, step: number, every: number): boolean =>
  (side === 'before' ? step - 1 : step) % every === 0;

/** The first later step in which that is different. */
export function turnsUntil(side: Side, step: number, every: number): number {
  if (every === 1) return Number.POSITIVE_INFINITY;
  if (hasTurn(side, step, every)) return step + 1;
  return step + every - ((side === 'before' ? step - 1 : step) % every);
}
