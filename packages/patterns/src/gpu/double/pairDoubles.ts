import type { ParamType } from '../device/GpuKernel.js';
import { LOW_POSITIONS } from '../kernels/ParticleAccess.js';
import { frameLowParams } from '../wgsl/frameWgsl.js';
import type { DeviceReal } from './DeviceReals.js';
import { cellComponent } from './positionWgsl.js';

/** Room for rounding where high parts alone say that a neighbor is beyond the cutoff. */
export const NEAR = 1 + 1e-5;

/** Members of the uniform record: `near2`, the squared cutoff with room for rounding. */
export const pairDoubleParams: Readonly<Record<string, ParamType>> = {
  ...frameLowParams,
  near2: 'f32',
};

/** Low parts of the central particle's position; statement that loads them. */
export const loadOwnLow = (row: string): string => `own_low = ${LOW_POSITIONS}[${row}].xyz;`;

/**
 * The difference of two positions in double-single, component by component: relative vectors, their low parts, and whole
 * cells. `difference` gives a mat2x4f, columns of high and low parts, where pair functors compute in double-single; where
 * they compute in f32, the vec4f nearest to it. The fourth component is the squared length.
 */
export function differenceWgsl(pair: DeviceReal, orthorhombic: boolean): string {
  const axes = ['x', 'y', 'z'] as const;
  const components = axes
    .map(
      (a) =>
        `let ${a} = apart(xi.${a}, own_low.${a}, xj.${a}, low.${a}, ${cellComponent(a, orthorhombic)});`,
    )
    .join('\n  ');
  const head = `
var<private> own_low: vec3f;
fn difference(xi: vec3f, q: vec4u, row: u32, c: vec3f)`;
  const load = `let xj = relative(q);
  let low = ${LOW_POSITIONS}[row];
  ${components}`;
  if (pair === 'f64')
    return `
fn apart(a: f32, aLow: f32, b: f32, bLow: f32, cells: vec2f) -> vec2f {
  let s = ds_sum(a, -b);
  return ds_add(ds_sum(s.x, ds_plus(s.y, ds_plus(aLow, -bLow))), cells);
}
${head} -> mat2x4f {
  ${load}
  let r2 = ds_add_same(ds_add_same(ds_square(x), ds_square(y)), ds_square(z));
  return mat2x4f(vec4f(x.x, y.x, z.x, r2.x), vec4f(x.y, y.y, z.y, r2.y));
}`;
  return `
fn apart(a: f32, aLow: f32, b: f32, bLow: f32, cells: vec2f) -> f32 {
  let s = ds_sum(a, -b);
  let t = ds_sum(s.x, cells.x);
  return t.x + (t.y + (s.y + cells.y + (aLow - bLow)));
}
${head} -> vec4f {
  ${load}
  return vec4f(x, y, z, x * x + y * y + z * z);
}`;
}

/** Whether a difference is within the cutoff. */
export const withinWgsl = (pair: DeviceReal): string =>
  pair === 'f64' ? 'ds_less(vec2f(d[0].w, d[1].w), P.rcut2)' : 'd.w < P.rcut2';
