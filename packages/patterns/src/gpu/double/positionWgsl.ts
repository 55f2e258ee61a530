/**
 * Positions in double-single: high parts as in `frameWgsl` (`relative`), low parts in a buffer of their own. Edges of
 * cells and the center of the first one have low parts too (`frameLowParams`).
 */

const AXES = ['x', 'y', 'z'] as const;
type Axis = (typeof AXES)[number];

/** One component of c.x · a + c.y · b + c.z · c, the Cartesian vector of a difference of cells. */
export function cellComponent(axis: Axis): string {
  const term = (edge: string, n: string) =>
    `ds_mul_f32(vec2f(P.edge${edge}.${axis}, P.edge${edge}Low.${axis}), c.${n})`;
  return `ds_add(ds_add(${term('A', 'x')}, ${term('B', 'y')}), ${term('C', 'z')})`;
}

/** Cartesian coordinates of a row and its low parts, so called. */
const coordinates = (name: string): string =>
  AXES.map(
    (axis) => `
fn ${name}_${axis}(row: vec4u, low: vec4f) -> vec2f {
  let c = vec3f(unpackCell(row.w));
  let corner = ds_add(${cellComponent(axis)}, vec2f(P.center.${axis}, P.centerLow.${axis}));
  return ds_add(corner, vec2f(relative(row).${axis}, low.${axis}));
}`,
  ).join('');

/**
 * Cartesian coordinates of a row and its low parts: `absolute_x`, `absolute_y`, `absolute_z`.
 * @param isStrained whether they are seen through the strain of the box (`strainText`)
 */
export function absoluteDouble(isStrained: boolean): string {
  if (!isStrained) return coordinates('absolute');
  const point = AXES.map((axis) => `reference_${axis}(row, low)`).join(', ');
  const strained = AXES.map(
    (axis, k) => `
fn absolute_${axis}(row: vec4u, low: vec4f) -> vec2f { return strainedPoint(${point})[${k}]; }`,
  );
  return coordinates('reference') + strained.join('');
}
