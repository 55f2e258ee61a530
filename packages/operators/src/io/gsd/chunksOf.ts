import { CorpuscleError } from '@corpuscle/core';
import { utf8 } from '@corpuscle/core/platform';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { standardBox, withBox } from '../frames/standardBox.js';
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
  const isCounted = !id || id.every((value, k) => value === k);
  const chunk = (name: GsdName, type: GsdType, columns: number, values: Numbers): Chunk => ({
    ...{ name, type, columns, rows: values.length / columns },
    bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
  });
  const real = (name: GsdName, columns: number, values: Float64Array | null) =>
    values ? [chunk(name, 'f32', columns, new Float32Array(values))] : [];
  const box = [lx!, ly!, lz!, xy! / ly!, xz! / lz!, yz! / lz!];
  return [
    chunk('configuration/step', 'u64', 1, BigUint64Array.of(BigInt(step))),
    chunk('configuration/box', 'f32', 1, Float32Array.from(box)),
    chunk('particles/N', 'u32', 1, Uint32Array.of(count)),
    texts('particles/types', frame.species),
    chunk('particles/typeid', 'u32', 1, frame.type),
    ...real('particles/mass', 1, mass),
    ...real('particles/charge', 1, charge),
    ...real('particles/position', 3, position),
    ...real('particles/velocity', 3, velocity),
    chunk('particles/image', 'i32', 3, image),
    ...(bonds && bonds.length > 0 ? bondChunks(frame, chunk) : []),
    ...(time === undefined ? [] : [chunk('log/time', 'f64', 1, Float64Array.of(time))]),
    ...(isCounted
      ? []
      : [
          chunk(
            'log/particles/id',
            'u64',
            1,
            BigUint64Array.from(id, (value) => BigInt(value)),
          ),
        ]),
  ];
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
  const out = new Float64Array(3 * count);
  const images = image ? new Float64Array(image) : new Float64Array(3 * count);
  for (let k = 0; k < 3 * count; k += 3) {
    let x = position[k]! - center[0]!;
    let y = position[k + 1]! - center[1]!;
    let z = position[k + 2]! - center[2]!;
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
    images[k]! += a;
    images[k + 1]! += b;
    images[k + 2]! += c;
  }
  const far = images.findIndex((turns) => Math.abs(turns) >= 2 ** 31);
  if (far >= 0)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `particle ${(far - (far % 3)) / 3} is ${images[far]} boxes away, and GSD counts boxes in 32 bits: look for a particle that was lost, or write another format`,
    );
  return { position: out, image: new Int32Array(images) };
}
