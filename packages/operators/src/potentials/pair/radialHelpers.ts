type Radial = (r: number, ...coefficients: number[]) => number;
type Adapter = (
  r: number,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  h: { readonly energy: Radial; readonly force: Radial },
) => number;

/*
 * Compiled functions take a fixed number of arguments, potentials have one to six coefficients: these hand on as many as
 * there are. What is not handed on is not computed.
 */

/** Calls of `h.energy` with 1 to 6 coefficients, at the index of that number. */
export const energyOf: readonly Adapter[] = [
  (_r, _a, _b, _c, _d, _e, _f, _h) => 0,
  (r, a, _b, _c, _d, _e, _f, h) => h.energy(r, a),
  (r, a, b, _c, _d, _e, _f, h) => h.energy(r, a, b),
  (r, a, b, c, _d, _e, _f, h) => h.energy(r, a, b, c),
  (r, a, b, c, d, _e, _f, h) => h.energy(r, a, b, c, d),
  (r, a, b, c, d, e, _f, h) => h.energy(r, a, b, c, d, e),
  (r, a, b, c, d, e, f, h) => h.energy(r, a, b, c, d, e, f),
];

/** Calls of `h.force` with 1 to 6 coefficients, at the index of that number. */
export const forceOf: readonly Adapter[] = [
  (_r, _a, _b, _c, _d, _e, _f, _h) => 0,
  (r, a, _b, _c, _d, _e, _f, h) => h.force(r, a),
  (r, a, b, _c, _d, _e, _f, h) => h.force(r, a, b),
  (r, a, b, c, _d, _e, _f, h) => h.force(r, a, b, c),
  (r, a, b, c, d, _e, _f, h) => h.force(r, a, b, c, d),
  (r, a, b, c, d, e, _f, h) => h.force(r, a, b, c, d, e),
  (r, a, b, c, d, e, f, h) => h.force(r, a, b, c, d, e, f),
];
