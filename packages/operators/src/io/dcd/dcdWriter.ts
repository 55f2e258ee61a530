import { CorpuscleError } from '@corpuscle/core';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { cellOf } from '../frames/cell.js';
import type { FrameTarget, FrameWriter } from '../frames/FrameFormat.js';
import { standardBox } from '../frames/standardBox.js';

/** Where the head counts frames, and says after how many steps they follow each other. */
const FRAMES_AT = 8;
const STRIDE_AT = 16;
const HEAD_BYTES = 196;
const frameBytes = (count: number) => 56 + 3 * (4 * count + 8);

/** Bytes of a Fortran record: its length before and after it. */
function record(size: number, fill: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(size + 8);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, size, true);
  view.setInt32(size + 4, size, true);
  fill(new DataView(bytes.buffer, 4, size));
  return bytes;
}

/**
 * Writes DCD files, as CHARMM and NAMD do: little-endian, f32 positions, with a unit cell.
 *
 *   [ 84 | CORD, 20 integers | 84 ]  [ titles ]  [ 4 | N | 4 ]      head
 *   [ 48 | A cosγ B cosβ cosα C | 48 ]  [ 4N | x… ]  [ 4N | y… ]  [ 4N | z… ]      every frame
 *
 * @throws CorpuscleError INVALID_VALUE when the number of particles changes.
 */
export function dcdWriter(target: FrameTarget): FrameWriter {
  const sink = target.grow(target.file);
  let count: number | null = null;
  let frames = 0;
  let first: number | null = null;
  return {
    write(given) {
      const frame = standardBox(given);
      if (count !== null && count !== frame.count)
        throw new CorpuscleError(
          'INVALID_VALUE',
          `a DCD file has one number of particles: ${count} before, ${frame.count} now`,
        );
      const pieces = count === null && sink.position === 0 ? [head(frame)] : [];
      // A run that goes on counts the frames that are there.
      if (count === null && sink.position > 0)
        frames = Math.floor((sink.position - HEAD_BYTES) / frameBytes(frame.count));
      count = frame.count;
      const added = sink.add([...pieces, ...body(frame)]);
      if (frames === 0) first = frame.step ?? 0;
      else if (frames === 1 && first !== null)
        sink.patch?.(STRIDE_AT, integer((frame.step ?? 1) - first));
      frames++;
      sink.patch?.(FRAMES_AT, integer(frames));
      return added;
    },
    save: () => ({ count, frames, first }),
    restore(saved) {
      ({ count, frames, first } = saved as { count: number; frames: number; first: number | null });
      if (frames > 0) sink.patch?.(FRAMES_AT, integer(frames));
    },
    close: () => sink.close(),
  };
}

function integer(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value, true);
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
  return Buffer.concat([control, titles, particles]);
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
