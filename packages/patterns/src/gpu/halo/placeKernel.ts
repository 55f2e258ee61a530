import type { KernelSource } from '../device/GpuKernel.js';
import { cellSum } from '../double/positionWgsl.js';
import { cellWgsl } from '../wgsl/frameWgsl.js';
import { read, written } from './rowBuffers.js';

const PARTS = ['', 'Low', 'Rest'] as const;
const EDGES = ['A', 'B', 'C'] as const;
const AXES = ['x', 'y', 'z'] as const;

/** Rows of an origin: edges a, b, c and the shift, each in three parts. */
export const ORIGIN_ROWS = 12;

const ofOrigin = (axis: string) => (k: number) =>
  `vec2f(origins[o + ${3 * k + 1}u].${axis}, origins[o + ${3 * k + 2}u].${axis})`;
const ofHalo = (axis: string) => (k: number) =>
  `vec2f(P.edge${EDGES[k]}Low.${axis}, P.edge${EDGES[k]}Rest.${axis})`;

const singles = {
  before: `
    let low = c.x * origins[o + 1u].xyz + c.y * origins[o + 4u].xyz + c.z * origins[o + 7u].xyz + origins[o + 10u].xyz;
    let rest = relative(row) + low;`,
  after: `
    let x = off + (rest - (t.x * P.edgeALow.xyz + t.y * P.edgeBLow.xyz + t.z * P.edgeCLow.xyz));`,
};

const doubles = {
  before: `
    let less = positions[2u * index + 1u];${AXES.map(
      (axis) => `
    let rest_${axis} = ds_add(vec2f(relative(row).${axis}, relative(less).${axis}), ds_add(${cellSum(ofOrigin(axis), 'c')}, ${ofOrigin(axis)(3)}));`,
    ).join('')}
    let rest = vec3f(rest_x.x, rest_y.x, rest_z.x);`,
  after: `${AXES.map(
    (axis) => `
    let placed_${axis} = ds_add_f32(ds_sub(rest_${axis}, ${cellSum(ofHalo(axis), 't')}), off.${axis});`,
  ).join('')}
    let x = vec3f(placed_x.x, placed_y.x, placed_z.x);
    placedLow[to] = vec4f(placed_x.y, placed_y.y, placed_z.y, 0.0);`,
};

/**
 * Positions from the frame of one grid to that of another. Multiples of the high parts of edges and shifts are sums without rounding,
 * so that no digits are lost in large boxes (`ExactFrames`). All else is small: it is added up in floats, or in double-single where
 * rows have low parts.
 */
function placeKernel(isDouble: boolean): KernelSource {
  const { before, after } = isDouble ? doubles : singles;
  return {
    label: 'halo: place',
    about:
      'Positions from the frames of their origins to that of the grid they are put into, one thread a row.',
    workgroupSize: 128,
    buffers: [
      read('positions', 'positions in the frames of their origins', 'vec4u'),
      read('rowsFrom', 'origin of each row'),
      read('rowsTo', 'rows that are written'),
      read('origins', 'frames in exact parts', 'vec4f'),
      written('placed', 'positions', 'vec4u'),
      ...(isDouble ? [written('placedLow', 'low parts of positions', 'vec4f')] : []),
    ],
    params: {
      dims: 'vec4i',
      ...Object.fromEntries(
        (isDouble ? PARTS : PARTS.slice(0, 2)).flatMap((part) =>
          EDGES.map((edge) => [`edge${edge}${part}`, 'vec4f'] as const),
        ),
      ),
      inverseX: 'vec4f',
      inverseY: 'vec4f',
      inverseZ: 'vec4f',
      count: 'u32',
    },
    declarations: `${cellWgsl}
// A vector in cells.
fn inCells(v: vec3f) -> vec3f {
  return vec3f(dot(v, P.inverseX.xyz), dot(v, P.inverseY.xyz), dot(v, P.inverseZ.xyz));
}`,
    body: `
  if (index < P.count) {
    let row = positions[${isDouble ? '2u * index' : 'index'}];
    let o = rowsFrom[index] * ${ORIGIN_ROWS}u;
    let c = vec3f(unpackCell(row.w));
    // High parts are whole multiples of one number: no rounding.
    let high = c.x * origins[o].xyz + c.y * origins[o + 3u].xyz + c.z * origins[o + 6u].xyz + origins[o + 9u].xyz;${before}
    let to = rowsTo[index];
    let cell = clamp(vec3i(round(inCells(high + rest))), vec3i(0), P.dims.xyz - 1);
    let t = vec3f(cell);
    let off = high - (t.x * P.edgeA.xyz + t.y * P.edgeB.xyz + t.z * P.edgeC.xyz);${after}
    placed[to] = vec4u(bitcast<vec3u>(x), packCell(cell));
  }`,
  };
}

/** Where a real of the state is so. */
export const placeKernels = { f32: placeKernel(false), f64: placeKernel(true) } as const;
