import type { KernelBuffer, ParamType } from '../device/GpuKernel.js';
import type { KernelPart } from '../kernels/KernelPart.js';
import { tileText } from './tileText.js';

/** Where a sort wants particles counted and chained, see `SortScratch`. */
export type BinPlaces = Readonly<
  Record<'last' | 'earlier' | 'counts' | 'totals' | 'tileBits', number>
>;

/** Statements of `binText.particle` that depend on the kernel. */
export interface BinStatements {
  /** Brings the cell of the particle back into the box. */
  readonly wrap?: string;
  /** The cell, from the old one and the vector from its center. */
  readonly find?: string;
  /** From old center a to new center b. */
  readonly move?: string;
}

const WRAP = 'cell = (cell % dims + dims) % dims;';

/** What binning needs besides where particles have image flags: whole boxes that it takes off are counted. */
export const binImages = {
  buffers: [
    { name: 'flags', type: 'array<vec4i>', access: 'read_write' },
  ] as const satisfies readonly KernelBuffer[],
  /** For particle `at`. */
  wrap: (at: string): string => `let unwrapped = cell;
      ${WRAP}
      if (any(cell != unwrapped)) { flags[${at}] += vec4i((unwrapped - cell) / dims, 0); }`,
} as const;

/**
 * WGSL that finds the cell of a particle, makes its position relative to that, counts it, and chains it with those of the
 * same cell; `BinPlaces` says where. It needs `cellWgsl`.
 */
export const binText = {
  buffers: [
    { name: 'scratch', type: 'array<atomic<u32>>', access: 'read_write' },
  ] as const satisfies readonly KernelBuffer[],
  params: {
    dims: 'vec4i',
    periodic: 'vec4i',
    // Columns of the inverse of the edges: position in cells = vector · inverse.
    inverseX: 'vec4f',
    inverseY: 'vec4f',
    inverseZ: 'vec4f',
    highA: 'vec4f',
    highB: 'vec4f',
    highC: 'vec4f',
    lowA: 'vec4f',
    lowB: 'vec4f',
    lowC: 'vec4f',
    last: 'u32',
    earlier: 'u32',
    counts: 'u32',
    ...tileText.params,
  } as const satisfies Record<string, ParamType>,
  declarations: `${tileText.declarations}
// Edges have 12 significant bits in their high part, so that a product with a cell number is exact, and so is the
// difference of two such products along one axis, because both centers are close to the particle.
fn alongAxis(c: f32, high: vec3f, low: vec3f, n: f32, newHigh: vec3f, newLow: vec3f) -> vec3f {
  return (c * high - n * newHigh) + (c * low - n * newLow);
}
// Vector in units of cells.
fn inCells(x: vec3f) -> vec3f {
  return vec3f(dot(x, P.inverseX.xyz), dot(x, P.inverseY.xyz), dot(x, P.inverseZ.xyz));
}
// Whole cells of such a vector.
fn cellsOf(u: vec3f) -> vec3i {
  return vec3i(floor(clamp(u, vec3f(-1e6), vec3f(1e6))));
}
// Cell of a particle from the vector to the center of its old cell, where the frame stays.
fn cellInFrame(x: vec3f, old: vec3i) -> vec3i {
  return old + cellsOf(inCells(x) + 0.5);
}`,
  /** A statement for all threads, in front of the others. */
  before: 'var linear = 0u;',
  /**
   * Statements for particle `at`, whose position the variable `row` holds, and is given back in.
   */
  particle: (
    row: string,
    at: string,
    { wrap = WRAP, find = 'cellInFrame(x, old)', move = moveText('') }: BinStatements = {},
  ): string => `// Cell of the particle; its position becomes relative to that; it joins the cell's chain.
    {
      var x = relative(${row});
      let old = unpackCell(${row}.w);
      let dims = P.dims.xyz;
      var cell = ${find};
      cell = select(clamp(cell, vec3i(0), dims - 1), cell, P.periodic.xyz != vec3i(0));
      let a = vec3f(old) + 0.5;
      let b = vec3f(cell) + 0.5;
      ${move}
      ${wrap}
      ${row} = vec4u(bitcast<vec3u>(x), packCell(cell));
      linear = linearCell(cell);
      atomicAdd(&scratch[P.counts + linear], 1u);
      atomicStore(&scratch[P.earlier + ${at}], atomicExchange(&scratch[P.last + linear], ${at}));
    }`,
  /** Statements for the whole workgroup, in uniform control flow. @param counts whether a thread has a particle; the first has if any does. */
  workgroup: (counts: string): string => `addToTile(lane, ${counts}, linear);`,
} as const;

/**
 * The same at the end of a kernel that has moved the particle `own`.
 *
 * @param counts whether a thread has a particle. @param hasImages whether whole boxes that are taken off are counted
 */
export const binPart = (counts: string, hasImages: boolean): Partial<KernelPart> => ({
  params: binText.params,
  buffers: [...binText.buffers, ...(hasImages ? binImages.buffers : [])],
  declarations: binText.declarations,
  before: binText.before,
  particle: binText.particle(
    'row_position',
    'own',
    hasImages ? { wrap: binImages.wrap('own') } : {},
  ),
  workgroup: binText.workgroup(counts),
});

/** Statements that move x from cell center a to cell center b. @param old how the edges of old cells are called. */
export function moveText(old: '' | 'old'): string {
  const part = (name: 'High' | 'Low') => (old ? old + name : name.toLowerCase());
  const along = (k: 'x' | 'y' | 'z', edge: string) =>
    `alongAxis(a.${k}, P.${part('High')}${edge}.xyz, P.${part('Low')}${edge}.xyz, b.${k}, P.high${edge}.xyz, P.low${edge}.xyz)`;
  return `x += ${along('x', 'A')}
        + ${along('y', 'B')}
        + ${along('z', 'C')}${old ? '\n        + P.shift.xyz' : ''};`;
}
