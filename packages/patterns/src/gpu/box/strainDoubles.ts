import type { SeenStrain } from './DeviceStrain.js';

const AXES = [0, 1, 2] as const;
/** What y adds to x, z to x, and z to y: places among the numbers. */
const SHEARS = [3, 4, 5] as const;

/**
 * WGSL of a strain whose numbers are double-single, see `strainText`. Components of vectors are pairs of floats.
 *
 *   strained(d)               a vector of the reference box as it is in the present one, rounded to floats
 *   strainedReals(x, y, z)    the same in full, its components as columns
 *   unstrainedReals(x, y, z)  and back
 *   strainedPoint(x, y, z)    where a point of the reference box is
 */
export function strainDoubles(strain: SeenStrain, held: boolean): string {
  const places = strain.isSheared ? [...AXES, ...SHEARS] : AXES;
  const number = (k: number) => `values[${strain.place + k}u]`;
  const read = (k: number) => (k < 3 ? `ds_add_f32(${number(k)}, 1.0)` : number(k));
  const at = (k: number) => (held ? `strain${k}` : read(k));
  const own = held
    ? `${places.map((k) => `var<private> strain${k}: vec2f;`).join(' ')}
fn holdStrain() { ${places.map((k) => `strain${k} = ${read(k)};`).join(' ')} }`
    : '';
  const high = (k: number) => `${at(k)}.x`;
  const shear = (component: string, k: number) => `ds_mul(${component}, ${at(k)})`;
  const along = { x: `ds_mul(x, ${at(0)})`, y: `ds_mul(y, ${at(1)})`, z: `ds_mul(z, ${at(2)})` };
  const forth = strain.isSheared
    ? {
        rounded: `vec3f(d.x * ${high(0)} + d.y * ${high(3)} + d.z * ${high(4)}, d.y * ${high(1)} + d.z * ${high(5)}, d.z * ${high(2)})`,
        x: `ds_add(ds_add(${along.x}, ${shear('y', 3)}), ${shear('z', 4)})`,
        y: `ds_add(${along.y}, ${shear('z', 5)})`,
      }
    : { rounded: `d * vec3f(${AXES.map(high).join(', ')})`, x: along.x, y: along.y };
  const left = strain.isSheared
    ? {
        x: `ds_sub(ds_sub(x, ${shear('b', 3)}), ${shear('c', 4)})`,
        y: `ds_sub(y, ${shear('c', 5)})`,
      }
    : { x: 'x', y: 'y' };
  const reals = 'x: vec2f, y: vec2f, z: vec2f';
  return `
// The box is that of values of the context, in double-single: vectors of the reference box, strained by them.
${own}
fn strained(d: vec3f) -> vec3f { return ${forth.rounded}; }
fn strainedReals(${reals}) -> mat3x2f {
  return mat3x2f(${forth.x}, ${forth.y}, ${along.z});
}
fn unstrainedReals(${reals}) -> mat3x2f {
  let c = ds_div(z, ${at(2)});
  let b = ds_div(${left.y}, ${at(1)});
  return mat3x2f(ds_div(${left.x}, ${at(0)}), b, c);
}
fn strainedPoint(${reals}) -> mat3x2f {
  let r = strainedReals(x, y, z);
  return mat3x2f(${AXES.map((k) => `ds_add(r[${k}], ${number(6 + k)})`).join(', ')});
}
`;
}
