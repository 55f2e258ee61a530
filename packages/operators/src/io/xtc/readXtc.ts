import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { ByteSource } from '../frames/ByteSource.js';
import { bareFrame } from '../frames/bareFrame.js';
import type { FrameReadOptions } from '../frames/FrameFormat.js';
import { tornNote } from '../frames/tornNote.js';
import { firstSmall, smallSizes } from './coordinateBits.js';
import { type CoordinateHead, decodeCoordinates } from './decodeCoordinates.js';
import { fewest } from './encodeCoordinates.js';
import { headBytes, magic } from './encodeXtc.js';

/**
 * Reads the frames of an XTC file: positions and box in nm, step and time. It knows no types; ids count from 0.
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT
 */
export async function* readXtc(
  file: string,
  options: FrameReadOptions = {},
): AsyncGenerator<ParticleFrame, void> {
  const source = await ByteSource.open(file);
  try {
    for (let frames = 0; source.left > 0; frames++) {
      if (frames > 0 && options.onNote && !(await isWhole(source))) {
        options.onNote(tornNote(file, frames));
        return;
      }
      yield await readFrame(source, options);
    }
  } finally {
    await source.close();
  }
}

/** Whether the frame that begins here is in the file up to its end. */
async function isWhole(source: ByteSource): Promise<boolean> {
  const { position, left } = source;
  if (left < headBytes + 4) return false;
  const view = await source.at(position, 8, 'a frame');
  const count = view.getInt32(4);
  if (view.getInt32(0) !== magic) return true; // and damaged: reading says so
  if (count <= fewest) return left >= headBytes + 4 + 12 * count;
  if (left < headBytes + 40) return false;
  const bytes = (await source.at(position + headBytes + 36, 4, 'a frame')).getInt32(0);
  return left >= headBytes + 40 + Math.ceil(bytes / 4) * 4;
}

async function readFrame(source: ByteSource, options: FrameReadOptions): Promise<ParticleFrame> {
  const head = await source.take(headBytes + 4, 'the head of an XTC frame');
  if (head.getInt32(0) !== magic)
    source.fail(`no frame of an XTC file begins at byte ${source.position - headBytes - 4}`);
  const count = head.getInt32(4);
  if (count < 0 || head.getInt32(headBytes) !== count)
    source.fail(`a frame has ${count} particles, and coordinates of ${head.getInt32(headBytes)}`);
  const position = await (count <= fewest ? readPlain(source, count) : readPacked(source, count));
  const box = Array.from({ length: 9 }, (_, k) => head.getFloat32(16 + 4 * k));
  const [a, b, c, d, e, f, g, h, i] = box as [number, ...number[]] & number[];
  const volume = a! * (e! * i! - f! * h!) - b! * (d! * i! - f! * g!) + c! * (d! * h! - e! * g!);
  const time = head.getFloat32(12);
  if (!box.every(Number.isFinite) || !Number.isFinite(time))
    source.fail('the box or time is not finite');
  return {
    ...bareFrame(position, Math.abs(volume) > 0 ? box : null, options.types),
    step: head.getInt32(8),
    time,
  };
}

async function readPlain(source: ByteSource, count: number): Promise<Float64Array> {
  const view = await source.take(12 * count, 'coordinates');
  const position = Float64Array.from({ length: 3 * count }, (_, k) => view.getFloat32(4 * k));
  if (!position.every(Number.isFinite)) source.fail('a coordinate is not finite');
  return position;
}

async function readPacked(source: ByteSource, count: number): Promise<Float64Array> {
  const view = await source.take(36, 'the head of coordinates');
  const int = (k: number) => view.getInt32(4 * k);
  const [precision, small, bytes] = [view.getFloat32(0), int(7), int(8)];
  const least = [int(1), int(2), int(3)];
  const sizes = [0, 1, 2].map((axis) => int(4 + axis) - least[axis]! + 1);
  if (!(precision > 0 && Number.isFinite(precision))) source.fail(`the precision is ${precision}`);
  if (!sizes.every((size) => size > 0 && size < 2 ** 32))
    source.fail('the range of coordinates is wrong');
  if (small < firstSmall || small >= smallSizes.length)
    source.fail('the size of differences is wrong');
  // A particle takes two bits at least.
  if (bytes < 0 || bytes > source.left || count > 4 * bytes)
    source.fail(`${bytes} bytes cannot hold ${count} particles, or are not there`);
  const data = await source.take(bytes, 'coordinates');
  source.position += (4 - (bytes % 4)) % 4;
  const head: CoordinateHead = {
    count,
    precision,
    least,
    small,
    sizes: [sizes[0]!, sizes[1]!, sizes[2]!],
  };
  return decodeCoordinates(head, new Uint8Array(data.buffer), (message) => source.fail(message));
}
