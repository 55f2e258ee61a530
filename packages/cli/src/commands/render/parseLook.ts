import { CorpuscleError, didYouMean } from '@corpuscle/core';
import type { Coloring, MapName, Plane, Rgb } from '@corpuscle/view';
import { colorMaps } from '@corpuscle/view';
import type { RenderOptions } from './RenderOptions.js';

const wrong = (message: string) => new CorpuscleError('INVALID_VALUE', message);

/** `1280x720`. */
export function parseSize(text: string): { width: number; height: number } {
  const found = /^(\d{1,5})x(\d{1,5})$/.exec(text);
  const [width, height] = [Number(found?.[1]), Number(found?.[2])];
  if (width > 0 && height > 0) return { width, height };
  throw wrong(`--size ${text} is not WIDTHxHEIGHT in pixels: for instance 1280x720`);
}

/** Numbers with commas between them. */
export function parseNumbers(option: string, text: string, count?: number): number[] {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (numbers.every(Number.isFinite) && (count === undefined || numbers.length === count))
    return numbers;
  const wanted = count === undefined ? 'numbers' : `${count} numbers`;
  throw wrong(`${option} ${text}: give ${wanted} with commas between them`);
}

/** Numbers of the picture that lie within bounds. @throws CorpuscleError INVALID_VALUE naming the option */
export function checkNumbers({ zoom, angle, occlusion }: RenderOptions): void {
  if (!(zoom > 0)) throw wrong(`--zoom ${zoom}: give a number above 0; 1 shows the whole box`);
  if (!(angle >= 0 && angle < 180))
    throw wrong(`--angle ${angle}: give degrees from 0, which is no perspective, to below 180`);
  if (!(occlusion >= 0 && occlusion <= 1))
    throw wrong(`--occlusion ${occlusion}: give a number from 0 to 1`);
}

/** The name of a picture. @throws CorpuscleError INVALID_VALUE for another format */
export function checkName(out: string): void {
  if (!/\.png$/i.test(out)) throw wrong(`--out ${out}: pictures are PNG: name a file .png`);
}

/** The color of particles; a field is looked for in the grid when it is drawn. */
export function parseColor({ color, map = 'viridis', range }: RenderOptions): 'type' | Coloring {
  const names = Object.keys(colorMaps);
  if (!names.includes(map)) throw wrong(`there is no map '${map}'${didYouMean(map, names)}`);
  const bounds = range === undefined ? undefined : parseNumbers('--range', range, 2);
  const given = bounds && ([bounds[0]!, bounds[1]!] as const);
  return color === 'type' ? 'type' : { field: color, map: map as MapName, range: given };
}

/** `z:5:10`: between two planes across an axis; one of the numbers may be left out. */
export function parseSlices(texts: readonly string[]): Plane[] {
  return texts.flatMap((text) => {
    const found = /^([xyz]):([^:]*):([^:]*)$/.exec(text);
    const bounds = [found?.[2] ?? '', found?.[3] ?? ''];
    if (!found || bounds.some((part) => Number.isNaN(Number(part))))
      throw wrong(`--slice ${text} is not AXIS:FROM:TO, for instance z:5:10 or x::20`);
    const axis = 'xyz'.indexOf(found[1]!);
    return bounds.flatMap((part, k): Plane[] => {
      if (part === '') return [];
      const sign = k === 0 ? 1 : -1;
      const normal = [0, 1, 2].map((one) => (one === axis ? sign : 0));
      return [{ normal: normal as unknown as Plane['normal'], offset: sign * Number(part) }];
    });
  });
}

/** `2x2x1`. */
export function parseImages(text: string): [number, number, number] {
  const found = /^([1-9]\d?)x([1-9]\d?)x([1-9]\d?)$/.exec(text);
  if (found) return [Number(found[1]), Number(found[2]), Number(found[3])];
  throw wrong(`--images ${text} is not boxes along a, b and c: for instance 2x2x1`);
}

/** `white`, `black` or six hexadecimal digits. */
export function parseBackground(text: string): Rgb {
  const digits = { white: 'ffffff', black: '000000' }[text] ?? text.replace(/^#/, '');
  if (!/^[\da-f]{6}$/i.test(digits))
    throw wrong(`--background ${text} is no color: give white, black, or six digits as in f0f0f0`);
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16) / 255;
  return [part(0), part(2), part(4)];
}
