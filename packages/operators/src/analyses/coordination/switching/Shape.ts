/**
 * A switching function before stretching, as a helper of functors: value and slope.
 *
 * - `squared: false`: `evaluate(x)` with x = (r − D_0)/R_0 gives [s, ds/dx]; it is asked for x > 0 only.
 * - `squared: true`: `evaluate(x2)` with x2 = (r/R_0)² gives [s, (ds/dx)/x], which needs no square root.
 *
 * `a … c` are real and `n`, `m` whole parameters, whose meaning is the shape's own.
 */
export interface Shape {
  readonly name: string;
  readonly squared: boolean;
  readonly evaluate: ShapeFunction;
  readonly parameters: ShapeParameters;
  /** x beyond which the function is 0, where it ends by itself. */
  readonly end?: number;
}

export type ShapeFunction = (
  x: number,
  a: number,
  b: number,
  c: number,
  n: number,
  m: number,
) => readonly [number, number];

/** Real parameters a, b, c and whole ones n, m. */
export interface ShapeParameters {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly n: number;
  readonly m: number;
}

export const noParameters: ShapeParameters = { a: 0, b: 0, c: 0, n: 0, m: 0 };
