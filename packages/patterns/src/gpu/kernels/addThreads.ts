import { LANES } from './KernelPart.js';

/** Threads of a particle of which one adds those of all others. */
const FEW = 8;

/** How a thread leaves what it has found in workgroup memory, and adds what another has left there, as text. */
interface ThreadSums {
  leave(place: string): string;
  add(place: string): string;
}

/** Places of workgroup memory: one for each thread but the first ones of particles. */
export const threadPlaces = (lanes: number): number => LANES - LANES / lanes;

/**
 * Statements that add what the threads of a particle have found, always in the same order; then thread 0 has the sum. Of
 * more than eight threads, some add seven others each before:
 *
 *   16 threads    0 + 2 + 4 + … + 14, 1 + 3 + … + 15        then 0 + 1
 */
export function addThreads(lanes: number, sums: ThreadSums): string {
  const some = Math.max(1, lanes / FEW);
  const levels = [addLevel(lanes, lanes, some, sums)];
  if (some > 1) levels.push(addLevel(lanes, some, 1, sums));
  return `// Add what the other threads of the particle have found, in a fixed order.
  ${levels.join('\n  ')}`;
}

/** Of `from` threads that have found something, the first few add the others. Loops count down: see README. */
function addLevel(lanes: number, from: number, to: number, { leave, add }: ThreadSums): string {
  const step = LANES / lanes;
  const others = from / to - 1;
  return `if (thread >= ${to}u && thread < ${from}u) {
    ${leave(`lane - ${step}u`)}
  }
  workgroupBarrier();
  if (thread < ${to}u) {
    for (var left = ${others}u; left > 0u; left--) {
      let other = lane + (${others + 1}u - left) * ${to * step}u - ${step}u;
      ${add('other')}
    }
  }`;
}
