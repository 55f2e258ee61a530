import { doubleText, singleText } from '@corpuscle/functor/wgsl';
import type { DeviceReal, DeviceReals } from '../double/DeviceReals.js';
import { differenceWgsl, withinWgsl } from '../double/pairDoubles.js';
import { LOW_POSITIONS } from '../kernels/ParticleAccess.js';
import { displacementWgsl } from '../kernels/pairWalk.js';
import type { EntryFormat } from '../neighbors/EntryFormat.js';

const textOf = (real: DeviceReal) => (real === 'f64' ? doubleText : singleText);

/** Type of a displacement: x, y, z and r2; in double-single columns of high and low parts. */
export const vectorType = (real: DeviceReal): string => textOf(real).vector;

/** A component of a displacement called `d`. */
export const componentOf = (real: DeviceReal, name: 'x' | 'y' | 'z' | 'r2'): string =>
  textOf(real).component(name);

/** A displacement made of x, y, z and r2. */
export const vectorFrom = (real: DeviceReal, parts: readonly string[]): string =>
  real === 'f32' ? `vec4f(${parts.join(', ')})` : `transpose(mat4x2f(${parts.join(', ')}))`;

/**
 * `displaced(xi, ci, e, q)`: from the neighbor that entry `e` of a list names, at `q`, to the particle, and `within(d)`. Where the
 * state is double-single, the high parts say whether a look at the low ones is due; a neighbor that is too far has a d
 * beyond the cutoff and nothing else.
 *
 * @param isStrained whether it is seen through the strain of the box (`strainText`)
 */
export function displacedWgsl(
  { state, pair }: DeviceReals,
  orthorhombic: boolean,
  format: EntryFormat,
  isStrained: boolean,
): string {
  const walk = displacementWgsl(format);
  const type = vectorType(pair);
  const head = `
fn within(d: ${type}) -> bool { return ${withinWgsl(pair)}; }
fn displaced(xi: vec3f, ci: vec3f, e: u32, q: vec4u) -> ${type} {
  let apart = ci - cellParts(q.w);
  let parts = apart + imageParts(e, apart);
  let about = ${isStrained ? 'strained(between(xi, q, parts))' : 'between(xi, q, parts)'};
  let r2 = dot(about, about);`;
  if (state === 'f32')
    return `${walk}${head}
  return vec4f(about, r2);
}`;
  const far = 'vec4f(0.0, 0.0, 0.0, P.near2)';
  return `${walk}${differenceWgsl(pair, orthorhombic, isStrained)}${head}
  if (r2 >= P.near2) { return ${pair === 'f64' ? `mat2x4f(${far}, vec4f())` : far}; }
  return difference(q, ${LOW_POSITIONS}[rowOf(e)], parts * vec3f(1.0, 0.0009765625, 1.0));
}`;
}
