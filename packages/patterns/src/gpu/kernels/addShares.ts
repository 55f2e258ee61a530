import { LANES } from './KernelPart.js';

/** Threads of a particle of which one adds those of all others. */
const FEW = 8;

/** How a thread leaves what it has found in workgroup memory, and adds what another has left there, as text. */
interface Shares {
  leave(place: string): string;
  add(place: string): string;
}

/** Places of workgroup memory for shares: one for each thread but those with share 0. */
export const sharePlaces = (lanes: number): number => LANES - LANES / lanes;

/**
 * Statements that add what the threads of a particle have found, always in the same order; then the one with share 0 has the sum. Of
 * more than eight threads, some add seven others each before:
 *
 *   16 threads    0 + 2 + 4 + … + 14, 1 + 3 + … + 15        then 0 + 1
 */
export function addShares(lanes: number, shares: Shares): string {
  const some = Math.max(1, lanes / FEW);
  const levels = [addLevel(lanes, lanes, some, shares)];
  if (some > 1) levels.push(addLevel(lanes, some, 1, shares));
  return `// Add what the other threads of the particle have found, in a fixed order.
  ${levels.join('\n  ')}`;
}

/** Of `from` threads that have found something, the first few add the others. Loops count down: see README. */
function addLevel(lanes: number, from: number, to: number, { leave, add }: Shares): string {
  const step = LANES / lanes;
  const others = from / to - 1;
  return `if (share >= ${to}u && share < ${from}u) {
    ${leave(`lane - ${step}u`)}
  }
  workgroupBarrier();
  if (share < ${to}u) {
    for (var left = ${others}u; left > 0u; left--) {
      let other = lane + (${others + 1}u - left) * ${to * step}u - ${step}u;
      ${add('other')}
    }
  }`;
}
