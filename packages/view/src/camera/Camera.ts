import { CorpuscleError, type Domain } from '@corpuscle/core';
import { cross, dot, minus, plus, unit } from './vectors.js';

/** x, y, z. */
export type Vector = readonly [number, number, number];

/** How depth is seen: things shrink with distance, or a picture has the same height at any. */
export type Lens =
  /** `angle`: from the lower to the upper edge of a picture, in degrees. */
  | { readonly kind: 'perspective'; readonly angle: number }
  | { readonly kind: 'orthographic'; readonly height: number };

/** Where a picture is taken from. Lengths are those of the grid. */
export interface Camera {
  readonly from: Vector;
  /** A point in the middle of the picture. */
  readonly to: Vector;
  /** What points upward in the picture. */
  readonly up: Vector;
  readonly lens: Lens;
}

/** How a camera is found that sees a whole box. */
export interface CameraOptions {
  /** From the camera to the box. Default [-0.5, 0.8, -0.4]. */
  readonly direction?: Vector;
  /** Default [0, 0, 1], or [0, 1, 0] where the camera looks along z. */
  readonly up?: Vector;
  /** Degrees of the perspective, or 0: orthographic. Default 30. */
  readonly angle?: number;
  /** Width of the picture by its height. Default 16 / 9. */
  readonly aspect?: number;
  /** Boxes along a, b and c. Default [1, 1, 1]. */
  readonly images?: Vector;
}

/** Room around the box. */
const ROOM = 1.07;

/**
 * A camera that sees a whole box.
 * @throws CorpuscleError INVALID_VALUE for a direction of length zero, or upward.
 * @example
 * view.draw(cameraFor(grid.domain, { angle: 0, direction: [0, 0, -1] }));
 */
export function cameraFor(domain: Domain, options: CameraOptions = {}): Camera {
  const { direction = [-0.5, 0.8, -0.4], angle = 30, aspect = 16 / 9 } = options;
  const { images = [1, 1, 1] } = options;
  const isSteep = direction[0] === 0 && direction[1] === 0;
  const { up = isSteep ? ([0, 1, 0] as const) : ([0, 0, 1] as const) } = options;
  const axes = basisOf({ from: [0, 0, 0], to: direction, up });
  const corners = cornersOf(domain, images);
  const middle = plus([0, 0, 0], plus(corners[0]!, corners[7]!), 0.5);
  const seen = corners.map((corner) => {
    const away = minus(corner, middle);
    const side = Math.max(Math.abs(dot(away, axes.right)) / aspect, Math.abs(dot(away, axes.up)));
    return { side: ROOM * side, depth: dot(away, axes.forward) };
  });
  const nearest = Math.min(...seen.map(({ depth }) => depth));
  const tangent = Math.tan((angle * Math.PI) / 360);
  const distance =
    angle === 0 ? -4 * nearest : Math.max(...seen.map(({ side, depth }) => side / tangent - depth));
  return {
    from: plus(middle, axes.forward, -distance),
    to: middle,
    up: axes.up,
    lens:
      angle === 0
        ? { kind: 'orthographic', height: 2 * Math.max(...seen.map(({ side }) => side)) }
        : { kind: 'perspective', angle },
  };
}

/** The eight corners of so many boxes; the first is the origin and the last opposite. */
export function cornersOf({ matrix, origin }: Domain, images: Vector): Vector[] {
  return Array.from({ length: 8 }, (_, k) => {
    const s = [k & 1, (k >> 1) & 1, k >> 2].map((bit, axis) => bit * images[axis]!);
    return [0, 1, 2].map(
      (axis) =>
        origin[axis]! +
        s[0]! * matrix[axis]! +
        s[1]! * matrix[3 + axis]! +
        s[2]! * matrix[6 + axis]!,
    ) as unknown as Vector;
  });
}

/** Unit vectors to the right, upward and into the picture. */
export interface Basis {
  readonly right: Vector;
  readonly up: Vector;
  readonly forward: Vector;
}

/** @throws CorpuscleError INVALID_VALUE where the camera looks nowhere, or along `up`. */
export function basisOf({ from, to, up }: Pick<Camera, 'from' | 'to' | 'up'>): Basis {
  const forward = unit(minus(to, from));
  const right = unit(cross(forward, up));
  if (!right.every(Number.isFinite))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `a camera at ${from.join(' ')} cannot look at ${to.join(' ')} with ${up.join(' ')} upward: give another direction, or another up`,
    );
  return { right, up: cross(right, forward), forward };
}
