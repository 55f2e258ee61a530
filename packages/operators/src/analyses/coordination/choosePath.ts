import type { Domain } from '@corpuscle/core';
import type { Members } from './Members.js';
import type { Switching } from './switching/Switching.js';

/**
 * How a coordination number is evaluated: by tiles of all pairs; by lists made from cells for the frame at hand; or by lists
 * that last for several frames.
 */
export type CoordinationPath = 'all_pairs' | 'cell_lists' | 'neighbor_lists';

export interface PathChoice {
  readonly path: CoordinationPath;
  /** One clause that says why. */
  readonly reason: string;
}

/**
 * A list costs about as much as this many pairs of the other path for every particle: on a processor measured at water's
 * density, on GPUs between 3,000 on small ones and 30,000 on large ones, whose lists mostly wait for the host.
 */
const PAIRS_A_PARTICLE = { cpu: 150, webgpu: 10_000 } as const;

/** Why lists would not give the right pairs; null when they would. */
export function listsForbidden(
  { range }: Switching,
  mode: Members['mode'],
  domain: Domain,
  pbc: boolean,
): string | null {
  if (mode === 'pair') return 'each slot has one partner';
  if (range === Number.POSITIVE_INFINITY) return 'the switch has no end';
  const periodic = domain.periodic.some(Boolean);
  if (periodic && !pbc) return 'periodic images are left out';
  for (let k = 0; k < 3; k++) {
    if (!domain.periodic[k]) continue;
    // At exactly half the box a pair has two nearest images, of which one counts.
    const half = domain.heights[k]! / 2;
    if (range > half * (1 - 1e-9))
      return `the switch reaches ${range}, which is not less than half the box (${half})`;
  }
  return null;
}

/** Whether lists would last, and why. */
export interface Reuse {
  readonly lasts: boolean;
  readonly why: string;
}

/** Chooses between all pairs and lists, by what is right and then by what is faster. */
export function choosePath(
  { mode, a, b }: Pick<Members, 'mode' | 'a' | 'b'>,
  particles: number,
  forbidden: string | null,
  reuse: Reuse,
  backend: 'cpu' | 'webgpu',
): PathChoice {
  if (forbidden !== null) return { path: 'all_pairs', reason: forbidden };
  const pairs = a.rows.length * (mode === 'self' ? a.rows.length : 2 * b.rows.length);
  const limit = PAIRS_A_PARTICLE[backend] * particles;
  if (pairs <= limit)
    return {
      path: 'all_pairs',
      reason: `${pairs} pairs are fewer than lists are worth (${limit})`,
    };
  return {
    path: reuse.lasts ? 'neighbor_lists' : 'cell_lists',
    reason: `${pairs} pairs are more than lists cost (${limit}); ${reuse.why}`,
  };
}
