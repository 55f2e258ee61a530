import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { DeviceParticles } from '@corpuscle/patterns';
import { basisOf, type Camera, type Vector } from '../camera/Camera.js';
import { dot, minus } from '../camera/vectors.js';
import { colorAt } from '../color/colorMaps.js';
import { typeColors } from '../color/typeColors.js';
import type { Look } from '../Look.js';
import { MAP_COLORS, MOST_PLANES } from './sceneText.js';

/** How many pixels a picture has, and how many samples each along an axis. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly samples: number;
}

/** Words of the uniform record `Scene`. */
const WORDS = 4 * (20 + MOST_PLANES);
const HOLDS = { f32: 0, u32: 1, i32: 2, place: 3 } as const;

/** The blocks that a look reads. */
export function blocksOf(grid: Grid, { color = 'type' }: Look): string[] {
  const field = color === 'type' ? 'type' : grid.field(color.field).block;
  return [...new Set(['position', 'type', 'id', field])];
}

/** Radii of the types in turn. */
function radiiOf(grid: Grid, { radius }: Look): readonly number[] {
  const usual = 0.5 * Math.cbrt(grid.domain.volume / Math.max(1, grid.count));
  return typeof radius === 'object' ? radius : [radius ?? usual];
}

/**
 * What kernels know of a picture (`Scene` of sceneText).
 * @throws CorpuscleError INVALID_VALUE for too many planes, and a camera that looks nowhere.
 */
export function sceneOf(
  grid: Grid,
  particles: DeviceParticles,
  look: Look,
  camera: Camera,
  { width, height, samples }: PictureSize,
): Uint32Array<ArrayBuffer> {
  const { planes = [], images = [1, 1, 1], background = [1, 1, 1], occlusion = 0.8 } = look;
  if (planes.length > MOST_PLANES)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${planes.length} planes cut, and there can be ${MOST_PLANES}: leave some out`,
    );
  const floats = new Float32Array(WORDS);
  const words = new Uint32Array(floats.buffer);
  const { domain, edges, center, strain, count } = particles;
  const { right, up, forward } = basisOf(camera);
  const half = halfHeight(camera);
  const radius = Math.max(...radiiOf(grid, look));
  const put = (row: number, values: readonly number[], last = 0) =>
    floats.set([values[0]!, values[1]!, values[2]!, last], 4 * row);
  put(0, camera.from, camera.lens.kind === 'perspective' ? 1 : 0);
  put(1, right, (half * width) / height);
  put(2, up, half);
  put(3, forward);
  for (let k = 0; k < 3; k++) {
    put(4 + k, edges.slice(3 * k));
    put(8 + k, domain.matrix.slice(3 * k));
    put(
      11 + k,
      [0, 3, 6].map((row) => domain.inverse[row + k]!),
    );
  }
  put(7, minus(center as never as Vector, camera.from));
  words.set([width * samples, height * samples, samples, count], 56);
  words.set([...images, images[0] * images[1] * images[2]], 60);
  words.set(fieldWords(grid, particles, look), 64);
  const periodic = domain.periodic.reduce((bits, is, k) => bits | (Number(is) << k), 0);
  words.set([planes.length, look.bonds?.length ?? 0, typeCount(grid, look), periodic], 68);
  put(18, [occlusion, 4 * radius, look.bondRadius ?? radius / 3], strain?.first ?? -1);
  put(19, background);
  for (const [k, { normal, offset }] of planes.entries())
    put(20 + k, normal, offset - dot(normal, camera.from));
  return words;
}

/** Half the height of the picture, at depth 1 with perspective. */
function halfHeight({ lens }: Camera): number {
  return lens.kind === 'orthographic' ? lens.height / 2 : Math.tan((lens.angle * Math.PI) / 360);
}

function fieldWords(grid: Grid, { blocks }: DeviceParticles, { color = 'type' }: Look): number[] {
  if (color === 'type') return [1, 0, HOLDS.u32, 0];
  const { block, component } = grid.field(color.field);
  const { words, holds } = blocks.get(block)!;
  return [words, component, HOLDS[block === 'position' ? 'place' : holds], 1];
}

const typeCount = (grid: Grid, look: Look): number =>
  Math.max((look.typeColors ?? typeColors).length, radiiOf(grid, look).length);

/** Colors of the map, then color and radius of each type. */
export function tablesOf(grid: Grid, look: Look): Float32Array<ArrayBuffer> {
  const { color = 'type', typeColors: colors = typeColors } = look;
  const radii = radiiOf(grid, look);
  const types = typeCount(grid, look);
  const tables = new Float32Array(4 * (MAP_COLORS + types));
  const map = (color !== 'type' && color.map) || 'viridis';
  for (let k = 0; k < MAP_COLORS; k++) tables.set(colorAt(map, k / (MAP_COLORS - 1)), 4 * k);
  for (let k = 0; k < types; k++)
    tables.set([...colors[k % colors.length]!, radii[k % radii.length]!], 4 * (MAP_COLORS + k));
  return tables;
}
