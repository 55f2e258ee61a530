import type { KernelSource, ParamType } from '../device/GpuKernel.js';
import { LOW_POSITIONS } from '../kernels/ParticleAccess.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { noteFar, PACK_LANES, packHead, packTargets, type Turns } from './packParticles.js';

const AXES = ['x', 'y', 'z'] as const;
const LIMB = 2n ** 22n;

/** A number modulo 1 in units of 2^−76, exactly. */
const turnsOf76 = (value: number): bigint =>
  BigInt.asUintN(76, BigInt(Math.round(value * 2 ** 76)));

/**
 * Uniform members of `packDoubleSource` that belong to the turns: what a cell along each axis adds to the coordinates, in
 * limbs of 32, 22 and 22 bits, so that products with a cell of 10 bits fit into words.
 */
export function doubleTurnValues(
  { duals, periodic }: Turns,
  { edges, dims }: PositionFrame,
): Record<string, readonly number[]> {
  const values: Record<string, readonly number[]> = { wraps: [...periodic.map(Number), 0] };
  const base = [0n, 0n, 0n];
  const start = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    const limbs: number[][] = [[], [], []];
    const span: number[] = [];
    const along: number[] = [];
    for (let k = 0; k < 3; k++) {
      const dual = duals.slice(3 * k, 3 * k + 3);
      const step = dual.reduce((sum, t, c) => sum + t * edges[3 * axis + c]!, 0);
      const whole = turnsOf76(step);
      [whole / LIMB ** 2n, (whole / LIMB) % LIMB, whole % LIMB].forEach((limb, n) => {
        limbs[n]!.push(Number(limb));
      });
      span.push(step);
      along.push(dual[axis]!);
      base[k]! -= BigInt.asIntN(76, whole) * BigInt(dims[axis]! - 1);
      start[k]! -= (step * (dims[axis]! - 1)) / 2;
    }
    limbs.forEach((limb, n) => {
      values[`limb${n}${AXES[axis]}`] = [...limb, 0];
    });
    values[`span${axis}`] = [...span, 0];
    values[`along${AXES[axis]}`] = [...along, 0];
    values[`alongLow${AXES[axis]}`] = [...along.map((x) => x - Math.fround(x)), 0];
  }
  const words = base.map((sum) => BigInt.asUintN(76, sum / 2n) >> 12n);
  values.baseHigh = [...words.map((word) => Number(word >> 32n)), 0];
  values.baseLow = [...words.map((word) => Number(word & 0xffffffffn)), 0];
  values.start = [...start, 0];
  return values;
}

const packParams: Record<string, ParamType> = {
  wraps: 'vec4f',
  baseHigh: 'vec4u',
  baseLow: 'vec4u',
  start: 'vec4f',
  count: 'u32',
  padded: 'u32',
  version: 'u32',
  one: 'f32',
};
AXES.forEach((axis, k) => {
  packParams[`span${k}`] = 'vec4f';
  for (const n of [0, 1, 2]) packParams[`limb${n}${axis}`] = 'vec4u';
  for (const name of ['along', 'alongLow']) packParams[`${name}${axis}`] = 'vec4f';
});

/** Turns along E_k as words (high, low). */
const coordinate = (c: (typeof AXES)[number]): string => {
  const product = (axis: string) =>
    `ds_mul(vec2f(x.${axis}, below.${axis}), vec2f(P.along${axis}.${c}, P.alongLow${axis}.${c}))`;
  const cells = AXES.map(
    (axis) =>
      `multiple(cell.${axis}, P.limb0${axis}.${c}, P.limb1${axis}.${c}, P.limb2${axis}.${c})`,
  );
  return `
  let t_${c} = ds_add(ds_add(${product('x')}, ${product('y')}), ${product('z')});
  let u_${c} = plus64(plus64(vec2u(P.baseHigh.${c}, P.baseLow.${c}), turns64(t_${c})),
    plus64(${cells[0]},
      plus64(${cells[1]},
        ${cells[2]})));`;
};

/**
 * As `packSource` with 64 bits: {high0, high1, high2, row} of all particles, and after them {low0, low1, low2, 0}. Positions
 * have low parts; turns are taken in double-single.
 */
export const packDoubleSource = (listed: boolean): KernelSource => ({
  label: 'all pairs: pack',
  about: 'Packs the particles of a set, in units of the box with 64 bits; one thread a particle.',
  workgroupSize: PACK_LANES,
  buffers: [
    { name: 'b_position', type: 'array<vec4u>', access: 'read' },
    { name: LOW_POSITIONS, type: 'array<vec4f>', access: 'read' },
    ...packTargets(listed),
  ],
  params: packParams,
  declarations: `
fn plus64(a: vec2u, b: vec2u) -> vec2u {
  let low = a.y + b.y;
  return vec2u(a.x + b.x + select(0u, 1u, low < a.y), low);
}
// n limbs, n below 2^10.
fn multiple(n: u32, limb0: u32, limb1: u32, limb2: u32) -> vec2u {
  let middle = n * limb1;
  return plus64(vec2u(n * limb0 + (middle >> 22u), middle << 10u), vec2u(0u, (n * limb2) >> 12u));
}
// |x| ≤ 1/2 in units of 2^-64; 1/2 itself is -1/2.
fn fraction64(x: f32) -> vec2u {
  let scaled = select(x, x - 1.0, x >= 0.5) * 4294967296.0;
  let whole = floor(scaled);
  return vec2u(bitcast<u32>(i32(whole)), u32(min(scaled - whole, 0.99999994) * 4294967296.0));
}
fn turns64(t: vec2f) -> vec2u { return plus64(fraction64(t.x - round(t.x)), fraction64(t.y)); }`,
  body: `
${packHead(listed)}
  let below = ${LOW_POSITIONS}[row].xyz;${AXES.map(coordinate).join('')}
${noteFar('vec3f(t_x.x, t_y.x, t_z.x)')}
  packed[index] = vec4u(u_x.x, u_y.x, u_z.x, row);
  packed[P.padded + index] = vec4u(u_x.y, u_y.y, u_z.y, 0u);`,
});
