import type { KernelSource } from '../device/GpuKernel.js';

/** Tiles of a workgroup that counts: the one that its first thread counts in, one before, and two after it. */
const NEAR = 4;

/**
 * Parts of a kernel that counts in an array `scratch` of atomic words: `addToTile(lane, counts, at)`, called by all threads in
 * uniform control flow, adds one to the tile of count `at` for each thread that `counts`. Threads side by side count in one
 * tile or two most often: what goes there is added up in the workgroup before. The first thread counts if any does.
 */
export const tileText = {
  params: { totals: 'u32', tileBits: 'u32' },
  declarations: `
// The tile of the first thread, and particles in it and in tiles near it.
var<workgroup> firstTile: u32;
var<workgroup> inTiles: array<atomic<u32>, ${NEAR}>;
// Counts particles of tiles of cells: those near the tile of the first thread in the workgroup, others at once.
fn addToTile(lane: u32, counts: bool, at: u32) {
  let tile = at >> P.tileBits;
  if (lane == 0u) { firstTile = tile; }
  workgroupBarrier();
  let near = tile + 1u - firstTile;
  if (counts && near < ${NEAR}u) { atomicAdd(&inTiles[near], 1u); }
  else if (counts) { atomicAdd(&scratch[P.totals + tile], 1u); }
  workgroupBarrier();
  if (lane >= ${NEAR}u) { return; }
  let sum = atomicLoad(&inTiles[lane]);
  if (sum > 0u) { atomicAdd(&scratch[P.totals + firstTile + lane - 1u], sum); }
}`,
} as const satisfies Pick<KernelSource, 'params' | 'declarations'>;
