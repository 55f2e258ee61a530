import type { Rgb } from './typeColors.js';

const hex = (text: string): readonly Rgb[] =>
  text
    .split(' ')
    .map((one) => [0, 2, 4].map((at) => Number.parseInt(one.slice(at, at + 2), 16) / 255))
    .map(([r, g, b]) => [r!, g!, b!]);

/**
 * Maps from numbers to colors, by colors at equal distances. viridis, plasma and inferno are those of Smith and van der Walt
 * (matplotlib, CC0); coolwarm is that of Moreland, Diverging Color Maps for Scientific Visualization (2009).
 */
export const colorMaps = {
  viridis: hex('440154 472d7b 3b528b 2c728e 21918c 28ae80 5ec962 addc30 fde725'),
  plasma: hex('0d0887 4c02a1 7e03a8 a82296 cc4778 e56b5d f89540 fdc527 f0f921'),
  inferno: hex('000004 210c4a 57106e 8a226a bc3754 e45a31 f98e09 f9cb35 fcffa4'),
  coolwarm: hex('3b4cc0 6788ee 9abbff c9d7f0 edd1c2 f7a889 e26952 b40426'),
  gray: hex('000000 ffffff'),
} as const satisfies Readonly<Record<string, readonly Rgb[]>>;

/** A map from numbers to colors. */
export type MapName = keyof typeof colorMaps;

/** The color of a number from 0 to 1. */
export function colorAt(name: MapName, t: number): Rgb {
  const colors: readonly Rgb[] = colorMaps[name];
  const place = Math.min(1, Math.max(0, t)) * (colors.length - 1);
  const k = Math.min(colors.length - 2, Math.floor(place));
  const mix = (c: 0 | 1 | 2) => colors[k]![c] + (place - k) * (colors[k + 1]![c] - colors[k]![c]);
  return [mix(0), mix(1), mix(2)];
}
