import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { movedTo, standardBox } from '../frames/standardBox.js';
import { encodeCoordinates } from './encodeCoordinates.js';

/** Begins every frame. */
export const magic = 1995;
/** Bytes before the coordinates. */
export const headBytes = 52;

/**
 * A frame of an XTC file of GROMACS: positions in nm as multiples of 1/precision, and the box; big-endian.
 *
 *   [ 1995 | N | step | time, f32 | box, 9 f32 | coordinates ]
 */
export function encodeXtc(frame: ParticleFrame, precision = 1000): readonly Uint8Array[] {
  const upright = movedTo(standardBox(frame), [0, 0, 0]);
  return [head(upright), encodeCoordinates(upright.position, precision)];
}

function head({ count, step = 0, time = 0, lattice }: ParticleFrame): Uint8Array {
  const out = new Uint8Array(headBytes);
  const view = new DataView(out.buffer);
  view.setInt32(0, magic);
  view.setInt32(4, count);
  view.setInt32(8, step);
  view.setFloat32(12, time);
  lattice?.forEach((value, k) => {
    view.setFloat32(16 + 4 * k, value);
  });
  return out;
}
