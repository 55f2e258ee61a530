import { CorpuscleError } from '@corpuscle/core';
import { utf8 } from '@corpuscle/core/platform';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { standardBox, withBox } from '../frames/standardBox.js';
import { memoryOf } from '../thread/spareMemory.js';
import type { Chunk, GsdName, GsdType } from './layout.js';

type Numbers = Float32Array | Float64Array | Int32Array | Uint32Array | BigUint64Array | Uint8Array;

/**
 * The parts of a frame in the HOOMD schema. The box lies around the origin, and particles in it, with the images they have come
 * from: unwrapped positions stay. Its tilts are those of HOOMD: b = (xy·ly, ly, 0), c = (xz·lz, yz·lz, lz).
 *
 * @throws CorpuscleError INVALID_VALUE for a particle so many boxes away that 32 bits do not count them.
 */
export function chunksOf(given: ParticleFrame): readonly Chunk[] {
  const frame = standardBox(withBox(given));
  const { count, mass, charge, velocity, id, time, step = 0, bonds } = frame;
  const [lx, , , xy, ly, , xz, yz, lz] = frame.lattice as number[];
  const { position, image } = centered(frame);
  const chunk = (name: GsdName, type: GsdType, columns: number, values: Numbers): Chunk => ({
    ...{ name, type, columns, rows: values.length / columns },
    bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
  });
  const real = (name: GsdName, columns: number, values: Float64Array | null) =>
    values ? [chunk(name, 'f32', columns, singles(values))] : [];
  const box = [lx!, ly!, lz!, xy! / ly!, xz! / lz!, yz! / lz!];
  return [
    chunk('configuration/step', 'u64', 1, BigUint64Array.of(BigInt(step))),
    chunk('configuration/box', 'f32', 1, Float32Array.from(box)),
    chunk('particles/N', 'u32', 1, Uint32Array.of(count)),
    texts('particles/types', frame.species),
    chunk('particles/typeid', 'u32', 1, frame.type),
    ...real('particles/mass', 1, mass),
    ...real('particles/charge', 1, charge),
    chunk('particles/position', 'f32', 3, position),
    ...real('particles/velocity', 3, velocity),
    chunk('particles/image', 'i32', 3, image),
    ...(bonds && bonds.length > 0 ? bondChunks(frame, chunk) : []),
    ...(time === undefined ? [] : [chunk('log/time', 'f64', 1, Float64Array.of(time))]),
    ...(!id || isCounted(id) ? [] : [chunk('log/particles/id', 'u64', 1, wideIntegers(id))]),
  ];
}

function singles(values: Float64Array): Float32Array {
  const out = new Float32Array(memoryOf(4 * values.length));
  out.set(values);
  return out;
}

/** Whether ids are 0, 1, 2 … */
function isCounted(ids: Float64Array): boolean {
  for (let k = 0; k < ids.length; k++) if (ids[k] !== k) return false;
  return true;
}

/** In halves: a BigInt for each would take seven times as long. */
function wideIntegers(values: Float64Array): BigUint64Array {
  const memory = memoryOf(8 * values.length);
  const halves = new Uint32Array(memory);
  for (let k = 0; k < values.length; k++) {
    halves[2 * k] = values[k]! % 2 ** 32;
    halves[2 * k + 1] = values[k]! / 2 ** 32;
  }
  return new BigUint64Array(memory);
}

function bondChunks(
  { bonds, id }: ParticleFrame,
  chunk: (name: GsdName, type: GsdType, columns: number, values: Numbers) => Chunk,
): Chunk[] {
  const rows = id ? new Map(Array.from(id, (value, k) => [value, k] as const)) : null;
  const row = (value: number) => rows?.get(value) ?? value;
  const kinds = bonds!.map(({ kind = 0 }) => kind);
  const most = kinds.reduce((a, b) => Math.max(a, b), 0);
  const group = Uint32Array.from(bonds!.flatMap(({ ids: [a, b] }) => [row(a), row(b)]));
  return [
    chunk('bonds/N', 'u32', 1, Uint32Array.of(kinds.length)),
    texts(
      'bonds/types',
      Array.from({ length: most + 1 }, (_, k) => String(k + 1)),
    ),
    chunk('bonds/typeid', 'u32', 1, Uint32Array.from(kinds)),
    chunk('bonds/group', 'u32', 2, group),
  ];
}

/** Texts in rows of one length, ended with 0. */
function texts(name: GsdName, values: readonly string[]): Chunk {
  const encoded = values.map((value) => utf8(value));
  const columns = encoded.reduce((most, { length }) => Math.max(most, length), 0) + 1;
  const bytes = new Uint8Array(columns * values.length);
  encoded.forEach((text, k) => {
    bytes.set(text, k * columns);
  });
  return { name, type: 'i8', rows: values.length, columns, bytes };
}

/** Positions in a box around the origin, and the boxes that particles have left; along open axes nothing is wrapped. */
function centered({ count, position, image, lattice, origin, periodic }: ParticleFrame) {
  const [lx, , , xy, ly, , xz, yz, lz] = lattice as number[];
  const center = [0, 1, 2].map(
    (axis) => origin[axis]! + (lattice![axis]! + lattice![3 + axis]! + lattice![6 + axis]!) / 2,
  );
  const [cx, cy, cz] = center as [number, number, number];
  const out = new Float32Array(memoryOf(12 * count));
  const images = new Int32Array(memoryOf(12 * count));
  for (let k = 0; k < 3 * count; k += 3) {
    let x = position[k]! - cx;
    let y = position[k + 1]! - cy;
    let z = position[k + 2]! - cz;
    const c = periodic[2] ? Math.floor(z / lz! + 0.5) : 0;
    x -= c * xz!;
    y -= c * yz!;
    z -= c * lz!;
    const b = periodic[1] ? Math.floor((y - (z * yz!) / lz!) / ly! + 0.5) : 0;
    x -= b * xy!;
    y -= b * ly!;
    const along = z / lz!;
    const side = (y - along * yz!) / ly!;
    const a = periodic[0] ? Math.floor((x - along * xz! - side * xy!) / lx! + 0.5) : 0;
    out[k] = x - a * lx!;
    out[k + 1] = y;
    out[k + 2] = z;
    images[k] = asInteger(a + (image ? image[k]! : 0), k);
    images[k + 1] = asInteger(b + (image ? image[k + 1]! : 0), k);
    images[k + 2] = asInteger(c + (image ? image[k + 2]! : 0), k);
  }
  return { position: out, image: images };
}

function asInteger(boxes: number, place: number): number {
  if (!(Math.abs(boxes) >= 2 ** 31)) return boxes; // NaN becomes 0
  throw new CorpuscleError(
    'INVALID_VALUE',
    `particle ${place / 3} is ${boxes} boxes away, and GSD counts boxes in 32 bits: look for a particle that was lost, or write another format`,
  );
}
