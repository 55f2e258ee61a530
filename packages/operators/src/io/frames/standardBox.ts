import { CorpuscleError } from '@corpuscle/core';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';

/**
 * A frame whose box lies as most formats want it:
 *
 *   a = (lx, 0, 0)    b = (xy, ly, 0)    c = (xz, yz, lz)        lx, ly, lz > 0
 *
 * Particles, velocities and forces turn with the box. A frame that lies so already comes back as it is.
 *
 * @throws CorpuscleError INVALID_VALUE for a left-handed box, which no rotation turns into this form.
 */
export function standardBox(frame: ParticleFrame): ParticleFrame {
  const m = frame.lattice;
  if (!m || (m[1] === 0 && m[2] === 0 && m[5] === 0 && m[0]! > 0 && m[4]! > 0 && m[8]! > 0))
    return frame;
  const [a, b, c] = [m.slice(0, 3), m.slice(3, 6), m.slice(6, 9)];
  const x = scaled(a, 1 / norm(a));
  const ahead = dot(b, x);
  const side = b.map((value, k) => value - ahead * x[k]!);
  const y = scaled(side, 1 / norm(side));
  const z = cross(x, y);
  const height = dot(c, z);
  if (!(height > 0))
    throw new CorpuscleError(
      'INVALID_VALUE',
      'the vectors a, b, c of the box are left-handed, which this format cannot say: exchange two of them',
    );
  const turn = (values: Float64Array | null | undefined): Float64Array | null => {
    if (!values) return null;
    const out = new Float64Array(values.length);
    for (let k = 0; k < values.length; k += 3) {
      const [u, v, w] = [values[k]!, values[k + 1]!, values[k + 2]!];
      out[k] = u * x[0]! + v * x[1]! + w * x[2]!;
      out[k + 1] = u * y[0]! + v * y[1]! + w * y[2]!;
      out[k + 2] = u * z[0]! + v * z[1]! + w * z[2]!;
    }
    return out;
  };
  const [ox, oy, oz] = turn(Float64Array.from(frame.origin))!;
  return {
    ...frame,
    lattice: [norm(a), 0, 0, ahead, norm(side), 0, dot(c, x), dot(c, y), height],
    origin: [ox!, oy!, oz!],
    position: turn(frame.position)!,
    velocity: turn(frame.velocity),
    force: turn(frame.force),
  };
}

/** A frame with its box; one without gets an open one around its particles. */
export function withBox(
  frame: ParticleFrame,
): ParticleFrame & { readonly lattice: readonly number[] } {
  if (frame.lattice) return frame as ParticleFrame & { readonly lattice: readonly number[] };
  const low = [0, 0, 0];
  const length = [1, 1, 1];
  for (let axis = 0; axis < 3 && frame.count > 0; axis++) {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = axis; k < frame.position.length; k += 3) {
      if (frame.position[k]! < least) least = frame.position[k]!;
      if (frame.position[k]! > most) most = frame.position[k]!;
    }
    low[axis] = least;
    if (most > least) length[axis] = most - least;
  }
  return {
    ...frame,
    lattice: [length[0]!, 0, 0, 0, length[1]!, 0, 0, 0, length[2]!],
    origin: [low[0]!, low[1]!, low[2]!],
    periodic: [false, false, false],
  };
}

/** A frame whose box begins at a corner of its own: particles move with it. */
export function movedTo(
  frame: ParticleFrame,
  corner: readonly [number, number, number],
): ParticleFrame {
  const shift = frame.origin.map((value, axis) => corner[axis]! - value);
  if (shift.every((value) => value === 0)) return frame;
  const position = frame.position.map((value, k) => value + shift[k % 3]!);
  return { ...frame, origin: corner, position };
}

type Vector = readonly number[];
const dot = (p: Vector, q: Vector) => p[0]! * q[0]! + p[1]! * q[1]! + p[2]! * q[2]!;
const norm = (p: Vector) => Math.hypot(p[0]!, p[1]!, p[2]!);
const scaled = (p: Vector, s: number) => p.map((value) => value * s);
const cross = (p: Vector, q: Vector) => [
  p[1]! * q[2]! - p[2]! * q[1]!,
  p[2]! * q[0]! - p[0]! * q[2]!,
  p[0]! * q[1]! - p[1]! * q[0]!,
];
