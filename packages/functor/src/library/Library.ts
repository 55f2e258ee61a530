/**
 * What functions of the library may call, as `h`. They are written in the functor language, so that one text serves every
 * lowering: the compiler takes them from their text as it does with a user's helpers, and nothing outside is captured.
 */
export interface Library {
  mulHigh(a: number, b: number): number;
  real(x: number): number;
  arctangent(top: number, bottom: number, behind: boolean): number;
  arcsineSeries(z: number): number;
  errorTail(a: number): number;
  philox(
    c0: number,
    c1: number,
    c2: number,
    c3: number,
    k0: number,
    k1: number,
  ): readonly [number, number, number, number];
  random: Draw;
  uniform: Draw;
}

/** Four numbers for a counter (`id`, `step`, `stream`, `draw`) and a key (`seed`, `seedHigh`), all words of 32 bits. */
export type Draw = (
  id: number,
  step: number,
  stream: number,
  seed: number,
  seedHigh: number,
  draw: number,
) => readonly [number, number, number, number];
