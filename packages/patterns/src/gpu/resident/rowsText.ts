/** Rows of a sector, of which caches hold one or more: no two workgroups write to the same. */
const SECTOR_ROWS = 2;

/** Rows with so many partial results of a workgroup. */
export const partialRows = (partials: number): number =>
  Math.ceil(partials / SECTOR_ROWS) * SECTOR_ROWS;

/**
 * Rows of positions hold the cell beside the vector, as rows of kernels do, and a mark of their meeting in bits that no cell of the box
 * takes: one load for each neighbor, not two.
 */
export const positionsText = `// Bits of a packed cell that cells of this box take.
var<private> cellBits: u32;
fn bitsOfCells(dims: vec3u) -> u32 {
  let bits = (vec3u(1u) << (vec3u(32u) - countLeadingZeros(dims))) - vec3u(1u);
  return bits.x | (bits.y << 10u) | (bits.z << 20u);
}
// The number of a meeting, spread over the other bits, of which there are a dozen at least.
fn markOf(round: u32) -> u32 { return (round * 2654435769u) & ~cellBits; }
// That of the positions that are loaded now.
var<private> loadMark: u32;
fn storePosition(row: u32, position: vec4u) { meeting.rows[row] = vec4u(position.xyz, position.w | markOf(storeRound)); }
fn positionAt(row: u32) -> vec4u {
  let found = meeting.rows[readAt + row];
  missed |= (found.w & ~cellBits) ^ loadMark;
  return vec4u(found.xyz, found.w & cellBits);
}
// That of a particle of this thread, which it has loaded before the last meeting.
fn ownPosition(row: u32) -> vec4u {
  let found = meeting.rows[readAt + row];
  return vec4u(found.xyz, found.w & cellBits);
}
`;

/** Partial results follow the positions: those of a workgroup are neighbors. */
export function partialsText(partials: number): string {
  const later = Array.from({ length: partials - 1 }, (_, k) => `u32(k >= ${k + 1}u * P.groups)`);
  return `// Partial results follow the positions, those of a workgroup in ${partialRows(partials)} rows: no two workgroups write to the same sector of a cache.
var<private> partialsAt: u32;
fn rowOfPartial(k: u32) -> u32 {
  let result = ${later.join(' + ') || '0u'};
  return partialsAt + ${partialRows(partials)}u * (k - result * P.groups) + result;
}
fn storePartial(k: u32, found: vec2u) { storeShared(rowOfPartial(k), vec3u(found, 0u)); }
fn partialAt(k: u32) -> vec2u { return loadShared(rowOfPartial(k)).xy; }
`;
}
