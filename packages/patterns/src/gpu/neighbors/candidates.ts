import type { KernelBuffer, KernelSource, ParamType } from '../device/GpuKernel.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { plus } from '../wgsl/numberText.js';

const WHOLE_AT_ONCE = 4;
const PACKED_AT_ONCE = 8;

/** How the search reads candidates and finds how far they are; statements of WGSL. */
export interface Candidates {
  readonly buffers: readonly KernelBuffer[];
  readonly params: Readonly<Record<string, ParamType>>;
  /** So many candidates are read together; a run begins at a multiple of it. */
  readonly each: 1 | 2;
  /** So many are under way at once: more need registers, and so leave room for fewer threads. */
  readonly atOnce: number;
  /** What is made once for a particle, for a row of cells, and for a run. */
  readonly own: string;
  readonly row: string;
  readonly run: string;
  /** Reads candidates from one on. */
  read(from: string): string;
  /** The vector to candidate k of them. */
  distance(k: number): string;
  readonly isNear: string;
}

/**
 * Whole numbers in the mantissa: bits of 2^23 + n as n | `magic`, whose differences are exact and need no conversion. The
 * shift finds nothing, but compilers do not know: an operation with two constants would be two.
 */
const MAGIC = 'let magic = 0x4b000000u | (row.w >> 30u);';

/** Positions as they are. */
export const wholeCandidates = (orthorhombic: boolean): Candidates => ({
  buffers: [],
  params: {},
  each: 1,
  atOnce: WHOLE_AT_ONCE,
  own: MAGIC,
  row: '',
  run: 'let cx = f32(cell.x - box * P.dims.x) + 8388608.0;',
  read: (from) => lines(WHOLE_AT_ONCE, (k) => `let q${k} = position[${from}${plus(k)}];`),
  distance: (k) => `let dx = cx - bitcast<f32>((q${k}.w & 1023u) | magic);
                ${
                  orthorhombic
                    ? `let d = vec3f(fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q${k}.x)), xr.yz - bitcast<vec2f>(q${k}.yz));`
                    : `let d = xr - relative(q${k}) + dx * P.edgeA.xyz;`
                }`,
  isNear: 'dot(d, d) < P.radius2',
});

/** Counts of units stand in the middle of 16 bits. */
const MIDDLE = 2 ** 15;
/** Units that a distance may be off: half of one for each coordinate of both particles, and some of rounding. */
const OFF = 3;

/**
 * Positions of all particles of a frame with rectangular cells in half the memory, in units of a cell's edge by 65,535:
 *
 *   candidates[i]   x along the row of cells, from its beginning, a float that is a whole number
 *                   y and z from the center of the cell, plus 2^15, 16 bits each
 *
 * Two of them are one read and one check of its bounds, in half the registers. Lists reach a few units farther for it, so
 * that they hold all pairs within the radius.
 */
export const packedCandidates: Candidates = {
  buffers: [{ name: 'candidates', type: 'array<vec4u>', access: 'read' }],
  params: { perCell: 'i32', perLength: 'f32', near2: 'f32' },
  each: 2,
  atOnce: PACKED_AT_ONCE,
  own: `${MAGIC}
    let own_x = cell.x * P.perCell + i32(round(xi.x * P.perLength));`,
  row: `let cy = ${2 ** 23 + MIDDLE}.0 + xr.y * P.perLength;
        let cz = ${2 ** 23 + MIDDLE}.0 + xr.z * P.perLength;`,
  run: 'let cx = f32(own_x - box * P.dims.x * P.perCell);',
  read: (from) =>
    lines(PACKED_AT_ONCE / 2, (k) => `let q${k} = candidates[((${from}) >> 1u)${plus(k)}];`),
  distance: (k) => {
    const [x, yz] = k % 2 === 0 ? ['x', 'y'] : ['z', 'w'];
    const q = `q${Math.floor(k / 2)}`;
    return `let dx = cx - bitcast<f32>(${q}.${x});
                let dy = cy - bitcast<f32>((${q}.${yz} & 0xffffu) | magic);
                let dz = cz - bitcast<f32>((${q}.${yz} >> 16u) + 0x4b000000u);`;
  },
  isNear: 'fma(dx, dx, fma(dy, dy, dz * dz)) < P.near2',
};

/** What packing needs to know; `packingValues` has it. */
export interface Packing {
  readonly perCell: number;
  readonly perLength: number;
}

/** Parts of a kernel that packs particles: `packed(row)` of a position is its candidate. */
export const packingText = {
  params: { perCell: 'i32', perLength: 'f32' },
  declarations: `
fn packed(row: vec4u) -> vec2u {
  let units = round(bitcast<vec3f>(row.xyz) * P.perLength);
  let x = i32(row.w & 1023u) * P.perCell + i32(units.x);
  let yz = vec2u(clamp(units.yz + ${MIDDLE}.0, vec2f(0.0), vec2f(65535.0)));
  return vec2u(bitcast<u32>(f32(x)), yz.x | (yz.y << 16u));
}`,
} as const satisfies Pick<KernelSource, 'params' | 'declarations'>;

/** Parameters of packing and of a search in what it makes, for lists of this radius. */
export function packingValues(
  { edges, dims }: PositionFrame,
  radius: number,
): Packing & { readonly near2: number } {
  const [x, y, z] = [edges[0]!, edges[4]!, edges[8]!];
  // Whole units in a cell along x, and few enough in a row for 32 bits.
  const perCell = Math.floor(x / ((Math.max(y, z, x / 16) / 65535) * (1 + 1e-3)));
  const perLength = perCell / x;
  // Beyond 2^24 floats leave whole numbers out.
  const coarseness = Math.max(1, (2 * dims[0] * perCell) / 2 ** 23);
  return { perCell, perLength, near2: (radius * perLength + OFF * coarseness) ** 2 };
}

const lines = (count: number, text: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => text(k)).join('\n              ');
