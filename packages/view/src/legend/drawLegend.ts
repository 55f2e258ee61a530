import { colorAt, type MapName } from '../color/colorMaps.js';
import type { Rgb } from '../color/typeColors.js';
import type { Picture } from '../Picture.js';
import { glyphs } from './glyphs.js';

/** What the colors of a picture mean. */
export interface Legend {
  /** The field. */
  readonly name: string;
  readonly map: MapName;
  /** Numbers of the first and the last color. */
  readonly range: readonly [number, number];
}

/**
 * Draws a bar of colors with its numbers into the lower left of a picture.
 * @example
 * const picture = await view.picture({ width: 640, height: 480, legend: false });
 * drawLegend(picture, { name: 'energy', map: 'viridis', range: [-7, -5] });
 */
export function drawLegend(picture: Picture, { name, map, range }: Legend): void {
  const scale = Math.max(1, Math.round(picture.height / 240));
  const [width, height] = [90 * scale, 6 * scale];
  const left = 6 * scale;
  const top = picture.height - 12 * scale - height;
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; y++) set(picture, left + x, top + y, colorAt(map, x / (width - 1)));
  const [least, greatest] = range.map((value) => String(Number(value.toPrecision(4))));
  const below = top + height + 2 * scale;
  write(picture, name, left, top - 7 * scale, scale);
  write(picture, least!, left, below, scale);
  write(picture, greatest!, left + width - 4 * scale * greatest!.length + scale, below, scale);
}

/** Writes in capitals; letters without a shape are left out. */
function write(picture: Picture, text: string, left: number, top: number, scale: number): void {
  for (const [k, letter] of [...text.toUpperCase()].entries()) {
    const bits = glyphs[letter] ?? 0;
    for (let y = 0; y < 5 * scale; y++)
      for (let x = 0; x < 3 * scale; x++) {
        const place = 3 * (4 - Math.floor(y / scale)) + 2 - Math.floor(x / scale);
        if ((bits >> place) & 1) set(picture, left + 4 * scale * k + x, top + y, INK);
      }
  }
}

const INK: Rgb = [0.2, 0.2, 0.2];

function set({ width, height, data }: Picture, x: number, y: number, color: Rgb): void {
  if (x < 0 || y < 0 || x >= width || y >= height) return;
  const bytes = color.map((part) => 255 * part);
  data.set(bytes, 4 * (y * width + x));
}
