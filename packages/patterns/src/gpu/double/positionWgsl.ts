/**
 * Positions in double-single: high parts as in `frameWgsl` (`relative`), low parts in a buffer of their own. Edges of
 * cells and the center of the first one have low parts too (`frameLowParams`).
 */

const AXES = ['x', 'y', 'z'] as const;
type Axis = (typeof AXES)[number];

/** One component of c.x · a + c.y · b + c.z · c, the Cartesian vector of a difference of cells. */
function cellComponent(axis: Axis): string {
  const term = (edge: string, n: string) =>
    `ds_mul_f32(vec2f(P.edge${edge}.${axis}, P.edge${edge}Low.${axis}), c.${n})`;
  return `ds_add(ds_add(${term('A', 'x')}, ${term('B', 'y')}), ${term('C', 'z')})`;
}

/** Cartesian coordinates of a row and its low parts: `absolute_x`, `absolute_y`, `absolute_z`. */
export const absoluteDouble = AXES.map(
  (axis) => `
fn absolute_${axis}(row: vec4u, low: vec4f) -> vec2f {
  let c = vec3f(unpackCell(row.w));
  let corner = ds_add(${cellComponent(axis)}, vec2f(P.center.${axis}, P.centerLow.${axis}));
  return ds_add(corner, vec2f(relative(row).${axis}, low.${axis}));
}`,
).join('');
