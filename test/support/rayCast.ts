import type { Camera } from '@corpuscle/view';

/** A sphere with its color, red, green and blue from 0 to 1. */
export interface Ball {
  readonly center: readonly number[];
  readonly radius: number;
  readonly color: readonly number[];
}

type V = readonly number[];
const dot = (p: V, q: V) => p[0]! * q[0]! + p[1]! * q[1]! + p[2]! * q[2]!;
const unit = (p: V) => p.map((x) => x / Math.sqrt(dot(p, p)));
const cross = (p: V, q: V) => [
  p[1]! * q[2]! - p[2]! * q[1]!,
  p[2]! * q[0]! - p[0]! * q[2]!,
  p[0]! * q[1]! - p[1]! * q[0]!,
];

/** Casts rays of a camera at spheres: each pixel's ray against each sphere, in double precision. */
export class RayCaster {
  readonly #balls: readonly Ball[];
  readonly #camera: Camera;
  readonly #size: readonly [number, number];
  readonly #right: V;
  readonly #upward: V;
  readonly #forward: V;

  constructor(balls: readonly Ball[], camera: Camera, size: readonly [number, number]) {
    this.#balls = balls;
    this.#camera = camera;
    this.#size = size;
    this.#forward = unit(camera.to.map((x, k) => x - camera.from[k]!));
    this.#right = unit(cross(this.#forward, camera.up));
    this.#upward = cross(this.#right, this.#forward);
  }

  /**
   * What each pixel shows, lit as the view does it without occlusion; white where nothing is hit. Pixels at an outline may go
   * either way: NaN there.
   */
  picture(): Float64Array {
    const [width, height] = this.#size;
    const out = new Float64Array(3 * width * height);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const { front, isSure, normal } = this.at(x, y);
        const color = front === null ? [1, 1, 1] : this.#lit(this.#balls[front]!, normal);
        out.set(isSure ? color : [NaN, NaN, NaN], 3 * (y * width + x));
      }
    return out;
  }

  /** The number of the sphere that a pixel shows, and its normal there. */
  at(x: number, y: number): { front: number | null; isSure: boolean; normal: V } {
    const { start, along } = this.#ray(x, y);
    const [sx, sy, sz] = start as [number, number, number];
    const [ax, ay, az] = along as [number, number, number];
    let [nearest, second, isSure] = [Infinity, Infinity, true];
    let front: number | null = null;
    for (let k = 0; k < this.#balls.length; k++) {
      const { center, radius } = this.#balls[k]!;
      const [cx, cy, cz] = [center[0]! - sx, center[1]! - sy, center[2]! - sz];
      const middle = cx * ax + cy * ay + cz * az;
      const h = radius * radius - (cx * cx + cy * cy + cz * cz) + middle * middle;
      if (Math.abs(h) < 2e-3 * radius * radius) isSure = false;
      if (h < 0) continue;
      const t = middle - Math.sqrt(h);
      if (t < nearest) [nearest, second, front] = [t, nearest, k];
      else if (t < second) second = t;
    }
    if (second - nearest < 1e-3) isSure = false;
    const middle = front === null ? start : this.#balls[front]!.center;
    const normal = unit(along.map((a, k) => start[k]! + nearest * a - middle[k]!));
    return { front, isSure, normal };
  }

  #ray(x: number, y: number): { start: V; along: V } {
    const { from, lens } = this.#camera;
    const [width, height] = this.#size;
    const isFlat = lens.kind === 'orthographic';
    const half = isFlat ? lens.height / 2 : Math.tan((lens.angle * Math.PI) / 360);
    const sx = (((x + 0.5) / width) * 2 - 1) * half * (width / height);
    const sy = (1 - ((y + 0.5) / height) * 2) * half;
    const side = this.#right.map((r, k) => sx * r + sy * this.#upward[k]!);
    if (isFlat) return { start: from.map((f, k) => f + side[k]!), along: this.#forward };
    return { start: from, along: unit(this.#forward.map((f, k) => f + side[k]!)) };
  }

  #lit({ color }: Ball, normal: V): V {
    const toWorld = (v: V) =>
      this.#right.map((r, k) => v[0]! * r + v[1]! * this.#upward[k]! + v[2]! * this.#forward[k]!);
    const light = unit([-0.4, 0.5, -0.8]);
    const diffuse = Math.max(0, dot(normal, toWorld(light)));
    const halfway = toWorld(unit([light[0]!, light[1]!, light[2]! - 1]));
    const glance = Math.max(0, dot(normal, halfway)) ** 40;
    return color.map((c) => Math.min(1, c * (0.4 + 0.65 * diffuse) + 0.12 * glance));
  }
}

/** How many pixels differ by more than 3 of 255, and how many were compared. */
export function compared(
  data: Uint8ClampedArray,
  expected: Float64Array,
): { wrong: number; of: number } {
  let [wrong, of] = [0, 0];
  for (let pixel = 0; pixel < expected.length / 3; pixel++) {
    if (Number.isNaN(expected[3 * pixel])) continue;
    of++;
    const differs = [0, 1, 2].some(
      (c) => Math.abs(data[4 * pixel + c]! - 255 * expected[3 * pixel + c]!) > 3,
    );
    if (differs) wrong++;
  }
  return { wrong, of };
}
