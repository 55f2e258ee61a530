import type { KernelBuffer, KernelSource } from '../device/GpuKernel.js';
import { cellComponent } from '../double/positionWgsl.js';
import { cellVectorWgsl, cellWgsl, frameLowParams, frameParams } from '../wgsl/frameWgsl.js';
import { read, written } from './rowBuffers.js';

const LANES = 128;
const AXES = ['x', 'y', 'z'] as const;
/** Whole numbers from 0 to the range of ways. */
export const WAY_STEPS = 2 ** 20 - 1;

/** What is different where positions have low parts. */
interface WayTexts {
  /** How ways are packed. */
  readonly packed: 'vec2u' | 'vec4u';
  readonly low: readonly KernelBuffer[];
  readonly placedLow: readonly KernelBuffer[];
  readonly params: KernelSource['params'];
  /** `wayOf(row)`, of a particle of the rank. */
  readonly wayOf: string;
  /** `packWay` and `unpackWay`. */
  readonly packing: string;
  /** Statements that put the particle in `row` where it has gone: `then` and `way`. */
  readonly place: string;
}

const whole = `
// A way in whole units of 21 bits an axis, and back.
fn wholeOf(way: vec3f, unit: f32) -> vec3i {
  return vec3i(clamp(round(way / unit), vec3f(-${WAY_STEPS}.0), vec3f(${WAY_STEPS}.0)));
}
fn packWhole(way: vec3i) -> vec2u {
  let n = vec3u(way + ${WAY_STEPS});
  return vec2u(n.x | (n.y << 21u), (n.y >> 11u) | (n.z << 10u));
}
fn unpackWhole(w: vec2u) -> vec3f {
  let n = vec3u(w.x & 0x1fffffu, (w.x >> 21u) | ((w.y & 0x3ffu) << 11u), w.y >> 10u);
  return vec3f(vec3i(n) - ${WAY_STEPS});
}`;

const singles: WayTexts = {
  packed: 'vec2u',
  low: [],
  placedLow: [],
  params: {},
  wayOf: `${cellVectorWgsl(false)}
fn wayOf(row: u32) -> vec3f {
  let now = positions[row];
  let then = before[row];
  return cellVector(unpackCell(now.w) - unpackCell(then.w)) + (relative(now) - relative(then));
}`,
  packing: `${whole}
fn packWay(way: vec3f) -> vec2u { return packWhole(wholeOf(way, P.unit)); }
fn unpackWay(w: vec2u) -> vec3f { return unpackWhole(w) * P.unit; }`,
  place: `
    placed[row] = vec4u(bitcast<vec3u>(relative(then) + way), then.w);`,
};

/** What whole units leave of a way is told in units that are as much smaller. */
const doubles: WayTexts = {
  packed: 'vec4u',
  low: [
    read('low', 'low parts of positions', 'vec4f'),
    read('beforeLow', 'the same when their lists were built', 'vec4f'),
  ],
  placedLow: [
    read('referenceLow', 'low parts of these', 'vec4f'),
    written('placedLow', 'low parts of positions of the halo', 'vec4f'),
  ],
  params: { fine: 'f32' },
  wayOf: `
fn wayOf(row: u32) -> mat3x2f {
  let now = positions[row];
  let then = before[row];
  let x = relative(now);
  let y = relative(then);
  let c = vec3f(unpackCell(now.w) - unpackCell(then.w));
  return mat3x2f(${AXES.map(
    (axis) => `
    ds_add(${cellComponent(axis)}, ds_sub(vec2f(x.${axis}, low[row].${axis}), vec2f(y.${axis}, beforeLow[row].${axis})))`,
  ).join(',')});
}`,
  packing: `${whole}
fn packWay(way: mat3x2f) -> vec4u {
  let n = wholeOf(vec3f(way[0].x, way[1].x, way[2].x), P.unit);
  let told = vec3f(n) * P.unit;
  let rest = vec3f(${AXES.map((axis, k) => `ds_add_f32(way[${k}], -told.${axis}).x`).join(', ')});
  return vec4u(packWhole(n), packWhole(wholeOf(rest, P.fine)));
}
fn unpackWay(w: vec4u) -> mat3x2f {
  let told = unpackWhole(w.xy) * P.unit;
  let rest = unpackWhole(w.zw) * P.fine;
  return mat3x2f(${AXES.map((axis) => `ds_sum(told.${axis}, rest.${axis})`).join(', ')});
}`,
  place: `
    let x = relative(then);${AXES.map(
      (axis, k) => `
    let to_${axis} = ds_add(vec2f(x.${axis}, referenceLow[row].${axis}), way[${k}]);`,
    ).join('')}
    placed[row] = vec4u(bitcast<vec3u>(vec3f(to_x.x, to_y.x, to_z.x)), then.w);
    placedLow[row] = vec4f(to_x.y, to_y.y, to_z.y, 0.0);`,
};

/** Side by side, how far some particles have gone. */
const packWays = ({ packed, low, params, wayOf, packing }: WayTexts): KernelSource => ({
  label: 'halo: pack ways',
  about:
    'Packs how far the particles that other ranks see have gone since the lists were built, one thread a particle.',
  workgroupSize: LANES,
  buffers: [
    read('positions', 'positions of the particles of the rank', 'vec4u'),
    read('before', 'the same when their lists were built', 'vec4u'),
    read('rowsFrom', 'rows that are read', 'u32'),
    written('packed', 'ways', packed),
    ...low,
  ],
  params: {
    ...frameParams,
    ...(low.length > 0 ? frameLowParams : {}),
    ...params,
    unit: 'f32',
    first: 'u32',
    count: 'u32',
  },
  declarations: `${cellWgsl}${wayOf}${packing}`,
  body: `
  if (index < P.count) { packed[P.first + index] = packWay(wayOf(rowsFrom[index])); }`,
});

/** Particles of the halo go the ways that are told. */
const moveSeen = ({ packed, placedLow, params, packing, place }: WayTexts): KernelSource => ({
  label: 'halo: move',
  about:
    'Moves ghosts and border particles from where lists were built by the ways that ranks are told, one thread each.',
  workgroupSize: LANES,
  buffers: [
    read('packed', 'ways', packed),
    read('rowsTo', 'rows that are written', 'u32'),
    read('reference', 'positions of the halo when its lists were built', 'vec4u'),
    written('placed', 'positions of the halo', 'vec4u'),
    ...placedLow,
  ],
  params: { ...params, unit: 'f32', count: 'u32' },
  declarations: `
fn relative(row: vec4u) -> vec3f { return bitcast<vec3f>(row.xyz); }${packing}`,
  body: `
  if (index < P.count) {
    let row = rowsTo[index];
    let way = unpackWay(packed[index]);
    let then = reference[row];${place}
  }`,
});

const kernelsOf = (texts: WayTexts, bytes: number) => ({
  pack: packWays(texts),
  move: moveSeen(texts),
  /** Of a way. */
  bytes,
});

/** Where a real of the state is so. */
export const wayKernels = { f32: kernelsOf(singles, 8), f64: kernelsOf(doubles, 16) } as const;
