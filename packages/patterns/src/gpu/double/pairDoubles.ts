import type { KernelParams, ParamType } from '../device/GpuKernel.js';
import { LOW_POSITIONS } from '../kernels/ParticleAccess.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { frameLowParams } from '../wgsl/frameWgsl.js';
import type { DeviceReal } from './DeviceReals.js';

/** Room for rounding where high parts alone say that a neighbor is beyond the cutoff. */
const NEAR = 1 + 1e-5;

const AXES = ['x', 'y', 'z'] as const;
const EDGES = ['A', 'B', 'C'] as const;

/**
 * Members of the uniform record: `near2`, the squared cutoff with room for rounding, and what differences are made with. Edges of
 * cells in three floats: `head` is whole grains, `tail` and `rest` are what it leaves out. `grain` is one along each axis, `perGrain` its
 * inverse.
 */
export const pairDoubleParams: Readonly<Record<string, ParamType>> = {
  ...frameLowParams,
  ...Object.fromEntries(
    ['head', 'tail', 'rest'].flatMap((part) =>
      EDGES.map((edge) => [part + edge, 'vec4f'] as const),
    ),
  ),
  grain: 'vec4f',
  perGrain: 'vec4f',
  near2: 'f32',
};

const known = new WeakMap<PositionFrame, Map<string, KernelParams>>();

/** The values of these for a cutoff, and lists of a radius. */
export function pairDoubleValues(
  frame: PositionFrame,
  rcut: number,
  { radius }: { readonly radius: number },
): KernelParams {
  const ofFrame = known.get(frame) ?? new Map<string, KernelParams>();
  known.set(frame, ofFrame);
  const key = `${rcut} ${radius}`;
  const values = ofFrame.get(key) ?? valuesFor(frame, rcut, Math.max(0, radius - rcut));
  ofFrame.set(key, values);
  return values;
}

function valuesFor(frame: PositionFrame, rcut: number, skin: number): KernelParams {
  const { edges } = frame;
  const grains = AXES.map((_, axis) => {
    const power = Math.ceil(Math.log2(reachAlong(frame, axis, rcut, skin)));
    return 2 ** (power - 24);
  });
  const values: Record<string, number | readonly number[]> = {
    grain: [...grains, 0],
    perGrain: [...grains.map((grain) => 1 / grain), 0],
    near2: rcut ** 2 * NEAR,
  };
  EDGES.forEach((edge, k) => {
    const row = edges.slice(3 * k, 3 * k + 3);
    const head = row.map((value, axis) => Math.round(value / grains[axis]!) * grains[axis]!);
    const tail = row.map((value, axis) => Math.fround(value - head[axis]!));
    const rest = row.map((value, axis) => value - head[axis]! - tail[axis]!);
    values[`head${edge}`] = [...head, 0];
    values[`tail${edge}`] = [...tail, 0];
    values[`rest${edge}`] = [...rest, 0];
  });
  return values;
}

/**
 * No sum of a coordinate and edges of cells is beyond this. While lists are good a particle is less than the skin away from where it
 * was in its cell (`fastLimits`), and a neighbor within the cutoff: in a box without tilts the sum is the vector from the
 * center of the neighbor's cell to the particle.
 */
function reachAlong(frame: PositionFrame, axis: number, rcut: number, skin: number): number {
  const { domain, dims, length, edges } = frame;
  const along = EDGES.map((_, k) => Math.abs(edges[3 * k + axis]!));
  const own = skin + (along[0]! + along[1]! + along[2]!) / 2;
  if (along.every((edge, k) => k === axis || edge === 0)) return rcut + own;
  const cells = EDGES.map(
    (_, k) => 1 + ((rcut + 2 * skin) * dims[k]!) / (domain.heights[k]! * length[k]!),
  );
  return own + cells.reduce((sum, n, k) => sum + n * along[k]!, 0);
}

/** Statement that holds the position of the central particle, whose relative vector is `xi`, for `difference`. */
export const holdOwn = (row: string): string => `holdOwn(xi, ${LOW_POSITIONS}[${row}].xyz);`;

/**
 * The difference of two positions in double-single, component by component: relative vectors, their low parts, and whole
 * cells. `difference` gives a mat2x4f, columns of high and low parts, where pair functors compute in double-single; where
 * they compute in f32, the vec4f nearest to it. The fourth component is the squared length.
 *
 *   a + c · edge − b      a, b relative vectors, c cells between them
 *
 * A grain is the 2^-24th part of a power of two that no sum passes (`reachAlong`). The high part of a is cut to whole grains once for
 * all neighbors, and edges are too. So their sum p is exact. It is a multiple of the last place of b; therefore p − b and its
 * rounding error take three operations whichever is larger (Boldo, Graillat, Muller 2017, "On the robustness of the 2Sum and
 * Fast2Sum algorithms"). All else is a few grains, and off by 2^-24 of that: a few units of 2^-48 of the reach.
 *
 * @param isStrained whether it is seen through the strain of the box (`strainText`)
 */
export function differenceWgsl(
  pair: DeviceReal,
  orthorhombic: boolean,
  isStrained: boolean,
): string {
  const isLong = pair === 'f64';
  const along = (part: string, axis: string, start: string): string =>
    EDGES.map((edge, k) => ({ edge, n: AXES[k]! }))
      .filter(({ n }) => !orthorhombic || n === axis)
      .reduce((sum, { edge, n }) => `fma(c.${n}, P.${part}${edge}.${axis}, ${sum})`, start);
  const components = AXES.map((a) => {
    const tail = along('tail', a, `own_low.${a} - low.${a}`);
    const rest = isLong ? along('rest', a, tail) : tail;
    return `let ${a} = apart(${along('head', a, `own_high.${a}`)}, xj.${a}, ${rest});`;
  }).join('\n  ');
  const type = isLong ? 'vec2f' : 'f32';
  return `
// The position of the particle: whole grains, and what is left.
var<private> own_high: vec3f;
var<private> own_low: vec3f;
fn holdOwn(xi: vec3f, low: vec3f) {
  own_high = round(xi * P.perGrain.xyz) * P.grain.xyz;
  own_low = fma(xi, vec3f(P.one), -own_high) + low;
}
// p − b + rest, where p is whole grains.
fn apart(p: f32, b: f32, rest: f32) -> ${type} {
  let s = fma(p, P.one, -b);
  let e = fma(-b, P.one, -fma(s, P.one, -p));
  return ${isLong ? 'ds_fast(s, rest + e)' : 's + (rest + e)'};
}
fn difference(q: vec4u, low: vec4f, c: vec3f) -> ${isLong ? 'mat2x4f' : 'vec4f'} {
  let xj = relative(q);
  ${components}
  ${resultText(isLong, isStrained)}
}
`;
}

/** The end of `difference`, from components x, y, z. */
function resultText(isLong: boolean, isStrained: boolean): string {
  if (isLong) {
    const [x, y, z] = isStrained ? ['s[0]', 's[1]', 's[2]'] : ['x', 'y', 'z'];
    return `${isStrained ? 'let s = strainedReals(x, y, z);\n  ' : ''}let r2 = ds_length2(${x}, ${y}, ${z});
  return mat2x4f(vec4f(${x}.x, ${y}.x, ${z}.x, r2.x), vec4f(${x}.y, ${y}.y, ${z}.y, r2.y));`;
  }
  if (!isStrained) return 'return vec4f(x, y, z, x * x + y * y + z * z);';
  return 'let s = strained(vec3f(x, y, z));\n  return vec4f(s, dot(s, s));';
}

/** Whether a difference is within the cutoff. */
export const withinWgsl = (pair: DeviceReal): string =>
  pair === 'f64' ? 'ds_less(vec2f(d[0].w, d[1].w), P.rcut2)' : 'd.w < P.rcut2';
