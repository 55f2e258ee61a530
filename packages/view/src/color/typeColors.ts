/** Red, green and blue, from 0 to 1. */
export type Rgb = readonly [number, number, number];

const bytes = (r: number, g: number, b: number): Rgb => [r / 255, g / 255, b / 255];

/** Colors of types in turn: those of Okabe and Ito, which color-blind people tell apart. */
export const typeColors: readonly Rgb[] = [
  bytes(86, 180, 233),
  bytes(230, 159, 0),
  bytes(0, 158, 115),
  bytes(204, 121, 167),
  bytes(240, 228, 66),
  bytes(0, 114, 178),
  bytes(213, 94, 0),
  bytes(153, 153, 153),
];
