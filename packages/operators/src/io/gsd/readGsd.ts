import type { Bond } from '../../bonds/Bonds.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { FrameReadOptions } from '../frames/FrameFormat.js';
import { tornNote } from '../frames/tornNote.js';
import { GsdFile, textOf } from './GsdFile.js';
import { types } from './layout.js';

/**
 * Reads the frames of a GSD file in the HOOMD schema: box, types, positions, velocities, masses, charges, images and bonds. Ids
 * are those of `log/particles/id`, or count from 0.
 *
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT
 */
export async function* readGsd(
  file: string,
  options: FrameReadOptions = {},
): AsyncGenerator<ParticleFrame, void> {
  const gsd = await GsdFile.open(file);
  try {
    if (gsd.schema !== 'hoomd') gsd.source.fail(`the schema '${gsd.schema}' is not hoomd`);
    for (let frame = 0; frame < gsd.frames; frame++) {
      if (frame > 0 && frame === gsd.whole && options.onNote)
        return options.onNote(tornNote(file, frame));
      yield await readFrame(gsd, frame, options);
    }
  } finally {
    await gsd.source.close();
  }
}

const READ: Readonly<Record<number, (view: DataView, k: number) => number>> = {
  [types.u8]: (view, k) => view.getUint8(k),
  [types.u32]: (view, k) => view.getUint32(4 * k, true),
  [types.u64]: (view, k) => Number(view.getBigUint64(8 * k, true)),
  [types.i32]: (view, k) => view.getInt32(4 * k, true),
  [types.f32]: (view, k) => view.getFloat32(4 * k, true),
  [types.f64]: (view, k) => view.getFloat64(8 * k, true),
};

async function readFrame(
  gsd: GsdFile,
  frame: number,
  options: FrameReadOptions,
): Promise<ParticleFrame> {
  const { source } = gsd;
  /** Numbers of a part that must have so many; null where it is absent, or belongs to another number of particles. */
  const numbers = async (name: string, length: number): Promise<Float64Array | null> => {
    const entry = gsd.find(frame, name);
    if (!entry) return null;
    const found = entry.rows * entry.columns;
    if (found !== length) {
      if (entry.frame !== frame) return null;
      source.fail(`${name} of frame ${frame} has ${found} numbers, not ${length}`);
    }
    const read = READ[entry.type] ?? source.fail(`${name} has the type ${entry.type}`);
    const view = await gsd.read(entry, name);
    const out = new Float64Array(length);
    for (let k = 0; k < length; k++) out[k] = read(view, k);
    if (!out.every(Number.isFinite)) source.fail(`${name} of frame ${frame} is not finite`);
    return out;
  };
  const count = (await numbers('particles/N', 1))?.[0] ?? 0;
  const position =
    (await numbers('particles/position', 3 * count)) ??
    source.fail(`frame ${frame} has no positions`);
  const box = (await numbers('configuration/box', 6)) ?? Float64Array.of(1, 1, 1, 0, 0, 0);
  const [lx, ly, lz, xy, xz, yz] = box as unknown as number[];
  const lattice = [lx!, 0, 0, xy! * ly!, ly!, 0, xz! * lz!, yz! * lz!, lz!];
  if (!(lx! > 0 && ly! > 0 && lz! > 0)) source.fail(`the box of frame ${frame} has no volume`);
  const typeid = (await numbers('particles/typeid', count)) ?? new Float64Array(count);
  const species = (await texts(gsd, frame, 'particles/types')) ?? [options.types?.[0] ?? 'A'];
  const wrong = typeid.find((type) => !(type < species.length));
  if (wrong !== undefined) source.fail(`frame ${frame} has type ${wrong}, of ${species.length}`);
  const image = await numbers('particles/image', 3 * count);
  const id = await numbers('log/particles/id', count);
  return {
    count,
    lattice,
    origin: [0, 1, 2].map((k) => -(lattice[k]! + lattice[3 + k]! + lattice[6 + k]!) / 2) as never,
    periodic: [true, true, true],
    species,
    type: Uint32Array.from(typeid),
    position,
    velocity: await numbers('particles/velocity', 3 * count),
    id,
    mass: await numbers('particles/mass', count),
    charge: await numbers('particles/charge', count),
    image: image && Int32Array.from(image),
    bonds: await readBonds(gsd, frame, numbers, id),
    extra: new Map(),
    properties: new Map(),
    step: (await numbers('configuration/step', 1))?.[0] ?? 0,
    time: (await numbers('log/time', 1))?.[0],
  };
}

async function texts(gsd: GsdFile, frame: number, name: string): Promise<string[] | null> {
  const entry = gsd.find(frame, name);
  if (!entry) return null;
  const bytes = new Uint8Array((await gsd.read(entry, name)).buffer);
  const { rows, columns } = entry;
  return Array.from({ length: rows }, (_, k) =>
    textOf(bytes.subarray(k * columns, (k + 1) * columns)),
  );
}

async function readBonds(
  gsd: GsdFile,
  frame: number,
  numbers: (name: string, length: number) => Promise<Float64Array | null>,
  id: Float64Array | null,
): Promise<readonly Bond[] | null> {
  const count = (await numbers('bonds/N', 1))?.[0] ?? 0;
  const group = count > 0 ? await numbers('bonds/group', 2 * count) : null;
  if (!group) return null;
  const kinds = await numbers('bonds/typeid', count);
  const idOf = (row: number): number =>
    id ? (id[row] ?? gsd.source.fail(`a bond of frame ${frame} names row ${row}`)) : row;
  return Array.from({ length: count }, (_, k) => ({
    ids: [idOf(group[2 * k]!), idOf(group[2 * k + 1]!)] as const,
    kind: kinds?.[k] ?? 0,
  }));
}
