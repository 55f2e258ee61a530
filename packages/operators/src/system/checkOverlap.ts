import { CorpuscleError, type Grid, type SourceLocation } from '@corpuscle/core';
import {
  computeCellParticlePairs,
  type ExecutionContext,
  newestOnHost,
  pairFunctor,
} from '@corpuscle/patterns';

/** Particles nearer than this part of the cutoff count as being at the same place. */
const NEAR = 1e-6;

/** Counts the neighbors that are as good as on top of a particle. */
const closeNeighbors = pairFunctor(
  {
    name: 'close_neighbors',
    central: { close: 'real' },
    params: { near2: 'real' },
    traits: { gpu: true, newton3: true },
  },
  (i, _j, d, p) => {
    i.close += d.r2 < p.near2 ? 1 : 0;
  },
);

/**
 * Makes sure that no two particles, periodic images included, are at the same place. Neighbor lists must be current.
 * @param locate says where a particle was written, for the message.
 * @throws CorpuscleError OVERLAP naming the ids of one such pair.
 */
export async function checkOverlap(
  grid: Grid,
  ctx: ExecutionContext,
  rcut: number,
  locate?: (id: bigint) => SourceLocation | undefined,
): Promise<void> {
  const near = NEAR * rcut;
  const { close } = await computeCellParticlePairs(grid, closeNeighbors, ctx, {
    rcut,
    params: { near2: near * near },
    outputs: { close: 'total' },
  });
  if (!(close! > 0)) return;
  await newestOnHost(grid, ctx, ['rx', 'id']);
  const pair = findPair(grid, near);
  throw new CorpuscleError(
    'OVERLAP',
    pair
      ? `particles ${pair[0]} and ${pair[1]} are at the same place (${pair[2].toPrecision(3)} apart): move or remove one`
      : 'two particles are at the same place: move or remove one',
    { location: pair ? locate?.(pair[1]) : undefined },
  );
}

/** Finds a pair by sorting along the first lattice vector; only used once it is known that there is one. */
function findPair(grid: Grid, near: number): [bigint, bigint, number] | null {
  const { domain, count } = grid;
  const positions = grid.block('position').array;
  const ids = grid.block('id').array as BigUint64Array;
  const at = (row: number, axis: number) => Number(positions[4 * row + axis]);
  const along = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    const s = domain.toFractional(at(row, 0), at(row, 1), at(row, 2))[0];
    along[row] = domain.periodic[0] ? s - Math.floor(s) : s;
  }
  const order = Uint32Array.from(along.keys()).sort((a, b) => along[a]! - along[b]!);
  // f32 engines may see pairs as near that are a little farther on the host.
  const reach = 10 * near;
  const window = reach / domain.heights[0];
  for (let k = 0; k < count; k++) {
    const a = order[k]!;
    for (let step = 1; step < count; step++) {
      const b = order[(k + step) % count]!;
      // Only the last ones are not stopped by a particle farther up; they look at all others, across the boundary too.
      if (along[b]! - along[a]! > window) break;
      const [x, y, z] = domain.minimumImage(
        at(a, 0) - at(b, 0),
        at(a, 1) - at(b, 1),
        at(a, 2) - at(b, 2),
      );
      const distance = Math.hypot(x, y, z);
      if (distance <= reach) {
        const [first, second] = [ids[a]!, ids[b]!].sort((p, q) => (p < q ? -1 : 1));
        return [first!, second!, distance];
      }
    }
  }
  return null;
}
