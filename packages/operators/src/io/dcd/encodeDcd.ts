import { joinBytes } from '@corpuscle/core/platform';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { cellOf } from '../frames/cell.js';
import { standardBox } from '../frames/standardBox.js';

/** A frame of a DCD file, and the head of a file that begins with it. */
export interface DcdFrame {
  readonly count: number;
  readonly step: number | undefined;
  readonly head: Uint8Array;
  readonly body: readonly Uint8Array[];
}

export function encodeDcd(given: ParticleFrame): DcdFrame {
  const frame = standardBox(given);
  return { count: frame.count, step: frame.step, head: head(frame), body: [...body(frame)] };
}

/** Bytes of a Fortran record: its length before and after it. */
function record(size: number, fill: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(size + 8);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, size, true);
  view.setInt32(size + 4, size, true);
  fill(new DataView(bytes.buffer, 4, size));
  return bytes;
}

function head({ count, step = 0 }: ParticleFrame): Uint8Array {
  const control = record(84, (view) => {
    for (let k = 0; k < 4; k++) view.setUint8(k, 'CORD'.charCodeAt(k));
    view.setInt32(4 + 4 * 1, step, true);
    view.setInt32(4 + 4 * 2, 1, true);
    view.setFloat32(4 + 4 * 9, 1, true);
    view.setInt32(4 + 4 * 10, 1, true); // a unit cell in every frame
    view.setInt32(4 + 4 * 19, 24, true); // CHARMM 24
  });
  const title = 'written by Corpuscle'.padEnd(80);
  const titles = record(84, (view) => {
    view.setInt32(0, 1, true);
    for (let k = 0; k < 80; k++) view.setUint8(4 + k, title.charCodeAt(k));
  });
  const particles = record(4, (view) => view.setInt32(0, count, true));
  return joinBytes([control, titles, particles]);
}

function* body({ count, position, lattice }: ParticleFrame): Generator<Uint8Array> {
  const { lengths, cosines } = cellOf(lattice ?? [0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const [alpha, beta, gamma] = cosines;
  yield record(48, (view) => {
    [lengths[0], gamma, lengths[1], beta, alpha, lengths[2]].forEach((value, k) => {
      view.setFloat64(8 * k, value || 0, true);
    });
  });
  for (let axis = 0; axis < 3; axis++)
    yield record(4 * count, (view) => {
      for (let k = 0; k < count; k++) view.setFloat32(4 * k, position[3 * k + axis]!, true);
    });
}
