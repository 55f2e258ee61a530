import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { ByteSource } from '../frames/ByteSource.js';
import { bareFrame } from '../frames/bareFrame.js';
import { cosineOf, latticeOf } from '../frames/cell.js';
import type { FrameReadOptions } from '../frames/FrameFormat.js';

interface Head {
  readonly little: boolean;
  readonly count: number;
  readonly firstStep: number;
  readonly stride: number;
  readonly hasCell: boolean;
  readonly hasFourth: boolean;
}

/**
 * Reads the frames of a DCD file of CHARMM, NAMD or LAMMPS, of either byte order. It holds positions only (f32): there is one
 * type, and ids count from 0.
 *
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT
 */
export async function* readDcd(
  file: string,
  options: FrameReadOptions = {},
): AsyncGenerator<ParticleFrame, void> {
  const source = await ByteSource.open(file);
  try {
    const head = await readHead(source);
    const axis = 4 * head.count + 8;
    const size = (head.hasCell ? 56 : 0) + axis * (head.hasFourth ? 4 : 3);
    for (let index = 0; source.left >= size; index++) {
      const lattice = head.hasCell ? await readCell(source, head) : null;
      const position = new Float64Array(3 * head.count);
      for (let k = 0; k < 3; k++) await readAxis(source, head, k, position);
      if (head.hasFourth) source.position += axis;
      const step = head.firstStep + index * head.stride;
      yield { ...bareFrame(position, lattice, options.types), step };
    }
    if (source.left > 0) {
      const text = `ends within a frame, which is left out (${source.left} bytes)`;
      if (options.onNote) options.onNote(`'${file}' ${text}`);
      else source.fail(`the file ${text}`);
    }
  } finally {
    await source.close();
  }
}

async function readHead(source: ByteSource): Promise<Head> {
  const start = await source.take(92, 'the head of a DCD file');
  const little = start.getInt32(0, true) === 84;
  const int = (at: number) => start.getInt32(at, little);
  const magic = String.fromCharCode(...[4, 5, 6, 7].map((at) => start.getUint8(at)));
  if (int(0) !== 84 || magic !== 'CORD' || int(88) !== 84)
    source.fail('this is no DCD file: it does not begin with a record of 84 bytes, CORD');
  const isCharmm = int(4 + 4 * 20) !== 0;
  if (int(4 + 4 * 9) > 0) source.fail('fixed atoms are not read: write the file without them');
  await skipRecord(source, little, 'the titles');
  const counts = await source.take(12, 'the number of particles');
  const count = counts.getInt32(4, little);
  if (counts.getInt32(0, little) !== 4 || count < 1)
    source.fail('the number of particles is wrong');
  if (12 * count > source.bytes) source.fail(`the file is too short for ${count} particles`);
  return {
    little,
    count,
    firstStep: Math.max(0, int(4 + 4 * 2)),
    stride: Math.max(1, int(4 + 4 * 3)),
    hasCell: isCharmm && int(4 + 4 * 11) === 1,
    hasFourth: isCharmm && int(4 + 4 * 12) === 1,
  };
}

async function skipRecord(source: ByteSource, little: boolean, what: string): Promise<void> {
  const size = (await source.take(4, what)).getInt32(0, little);
  if (size < 0 || size > source.left) source.fail(`the record of ${what} has ${size} bytes`);
  source.position += size;
  if ((await source.take(4, what)).getInt32(0, little) !== size) source.fail(`${what} are damaged`);
}

async function readRecord(source: ByteSource, { little }: Head, size: number, what: string) {
  const view = await source.take(size + 8, what);
  if (view.getInt32(0, little) !== size || view.getInt32(size + 4, little) !== size)
    source.fail(`the record of ${what} does not have ${size} bytes`);
  return view;
}

/** Angles are cosines (NAMD, LAMMPS, ours) or degrees (CHARMM). */
async function readCell(source: ByteSource, head: Head): Promise<readonly number[] | null> {
  const view = await readRecord(source, head, 48, 'the unit cell');
  const [a, gamma, b, beta, alpha, c] = [0, 1, 2, 3, 4, 5].map((k) =>
    view.getFloat64(4 + 8 * k, head.little),
  ) as [number, number, number, number, number, number];
  const angles = [alpha, beta, gamma] as const;
  const areCosines = angles.every((value) => Math.abs(value) <= 1);
  const [x, y, z] = areCosines ? angles : angles.map(cosineOf);
  return latticeOf({ lengths: [a, b, c], cosines: [x!, y!, z!] });
}

async function readAxis(source: ByteSource, head: Head, axis: number, position: Float64Array) {
  const view = await readRecord(source, head, 4 * head.count, 'positions');
  for (let k = 0; k < head.count; k++) {
    const value = view.getFloat32(4 + 4 * k, head.little);
    if (!Number.isFinite(value)) source.fail(`a position of particle ${k} is ${value}`);
    position[3 * k + axis] = value;
  }
}
