import { Domain, Grid } from '@corpuscle/core';
import type { ExecutionContext } from '@corpuscle/patterns';
import { type Camera, cameraFor, createView, type Look, typeColors } from '@corpuscle/view';
import { expect } from 'vitest';
import { type Ball, compared, RayCaster } from '../../support/rayCast.js';

export const WIDTH = 96;
export const HEIGHT = 64;
export const size = [WIDTH, HEIGHT] as const;
/** Colors as they are, and nothing but particles. */
export const bare = { occlusion: 0, box: false } as const;
export const box = Domain.triclinic([8, 0, 0, 2, 7, 0, -1, 1.5, 6], { origin: [-3, 1, 20] });

/** Particles anywhere in a box, of three types; many of their spheres meet. */
export function particles({ heap }: ExecutionContext, count = 60, domain = box): Grid {
  const grid = new Grid(heap, domain);
  grid.resize(count);
  let seed = 7;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const places = Array.from({ length: count }, () =>
    domain.toCartesian(random(), random(), random()),
  );
  for (const [k, name] of ['rx', 'ry', 'rz'].entries())
    grid.setValues(
      name,
      places.map((place) => place[k]!),
    );
  grid.setValues(
    'type',
    Array.from({ length: count }, (_, k) => k % 3),
  );
  grid.setValues(
    'id',
    Array.from({ length: count }, (_, k) => 100 + k),
  );
  grid.setValues(
    'vx',
    Array.from({ length: count }, (_, k) => k / (count - 1) - 0.5),
  );
  return grid;
}

export const centers = (grid: Grid): number[][] => {
  const [x, y, z] = ['rx', 'ry', 'rz'].map((name) => grid.values(name));
  return Array.from(x!, (_, k) => [x![k]!, y![k]!, z![k]!]);
};

export const radii = [0.9, 0.6, 1.3];
export const ballsOf = (grid: Grid, color: (k: number) => readonly number[]): Ball[] =>
  centers(grid).map((center, k) => ({ center, radius: radii[k % 3]!, color: color(k) }));

export const cameras: Record<string, Camera> = {
  perspective: cameraFor(box, { aspect: WIDTH / HEIGHT }),
  orthographic: cameraFor(box, { aspect: WIDTH / HEIGHT, angle: 0, direction: [1, -0.3, 0.2] }),
};

/** Pixels of a picture that are not those of rays against balls. */
export async function wrongPixels(
  context: ExecutionContext,
  grid: Grid,
  look: Look,
  camera: Camera,
  balls: readonly Ball[],
): Promise<number> {
  const view = createView({ context, grid, size, look: { ...bare, radius: radii, ...look } });
  const { data } = await view.picture({ camera, samples: 1, legend: false });
  view.close();
  const { wrong, of } = compared(data, new RayCaster(balls, camera, size).picture());
  expect(of).toBeGreaterThan(0.85 * WIDTH * HEIGHT);
  expect(new Set(data).size).toBeGreaterThan(50);
  return wrong;
}

export const byType = (k: number) => typeColors[k % 3]!;
