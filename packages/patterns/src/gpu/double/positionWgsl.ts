/**
 * Positions in double-single: high parts as in `frameWgsl` (`relative`), low parts in a buffer of their own. Edges of
 * cells and the center of the first one have low parts too (`frameLowParams`).
 */

const AXES = ['x', 'y', 'z'] as const;
const EDGES = ['A', 'B', 'C'] as const;
type Axis = (typeof AXES)[number];

/** One component of c.x · a + c.y · b + c.z · c in double-single. @param edge the pair of edge k. @param cells the name of c */
export function cellSum(edge: (k: number) => string, cells: string): string {
  const [a, b, c] = AXES.map((n, k) => `ds_mul_f32(${edge(k)}, ${cells}.${n})`);
  return `ds_add(ds_add(${a}, ${b}), ${c})`;
}

/** The same of the frame's edges and `c`, the Cartesian vector of a difference of cells. */
export const cellComponent = (axis: Axis): string =>
  cellSum((k) => `vec2f(P.edge${EDGES[k]}.${axis}, P.edge${EDGES[k]}Low.${axis})`, 'c');

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
