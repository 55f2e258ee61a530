import type { Vector } from './Camera.js';

export const plus = (p: Vector, q: Vector, factor = 1): Vector => [
  p[0] + factor * q[0],
  p[1] + factor * q[1],
  p[2] + factor * q[2],
];
export const minus = (p: Vector, q: Vector): Vector => plus(p, q, -1);
export const dot = (p: Vector, q: Vector): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
export const cross = (p: Vector, q: Vector): Vector => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
];
export const length = (p: Vector): number => Math.hypot(...p);
export const unit = (p: Vector): Vector => {
  const one = length(p);
  return [p[0] / one, p[1] / one, p[2] / one];
};

/** Turns a vector around a unit axis (Rodrigues). */
export function turned(p: Vector, axis: Vector, angle: number): Vector {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const along = dot(p, axis) * (1 - c);
  const across = cross(axis, p);
  return [0, 1, 2].map((k) => c * p[k]! + s * across[k]! + along * axis[k]!) as never;
}
