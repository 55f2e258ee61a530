import type { Domain } from '@corpuscle/core';
import { cornersOf, type Vector } from '../camera/Camera.js';
import { length, minus, plus } from '../camera/vectors.js';

/** Pieces of an edge: a long one would cover all pixels of its rectangle for one workgroup. */
const PIECES = 32;
/** Radius of the edges by the diagonal of the box. */
const THICKNESS = 0.0012;

/** The edges of a box as segments relative to the eye: two rows each, the first with the radius. */
export function boxSegments(domain: Domain, eye: Vector): Float32Array<ArrayBuffer> {
  const corners = cornersOf(domain, [1, 1, 1]);
  const radius = THICKNESS * length(minus(corners[7]!, corners[0]!));
  const rows: number[] = [];
  for (let k = 0; k < 8; k++)
    for (const bit of [1, 2, 4]) {
      if (k & bit) continue;
      const from = minus(corners[k]!, eye);
      const along = minus(corners[k | bit]!, corners[k]!);
      for (let piece = 0; piece < PIECES; piece++)
        rows.push(
          ...plus(from, along, piece / PIECES),
          radius,
          ...plus(from, along, (piece + 1) / PIECES),
          0,
        );
    }
  return Float32Array.from(rows);
}
