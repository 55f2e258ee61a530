import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CorpuscleError } from '@corpuscle/core';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyFrame, readFrames, writeFrames } from '../../../../../test/support/frames.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { textOf } from '../text/textTable.js';
import { formatLammpsDump } from './formatLammpsDump.js';
import { lammpsDump } from './lammpsDump.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-dump-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'a.dump');

const read = async (text: string, types?: readonly string[]) => {
  writeFileSync(file, text);
  return readFrames(lammpsDump, file, types);
};

/** What a dump says of a frame, to be compared as a whole. */
const said = (frame: ParticleFrame) => ({
  names: Array.from(frame.type, (t) => frame.species[t]),
  step: frame.step,
  id: frame.id,
  position: frame.position,
  velocity: frame.velocity,
  force: frame.force,
  energy: frame.energy,
  charge: frame.charge,
  mass: frame.mass,
  molecule: frame.molecule,
  image: frame.image,
});

const all = ['velocity', 'force', 'energy', 'charge', 'molecule', 'image'] as const;

describe('a dump', () => {
  it.each(['a.dump', 'a.dump.gz'])('reads back to the same bits: %s', async (name) => {
    const path = join(folder, name);
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyFrame({ columns: all }), { minLength: 1, maxLength: 3 }),
        async (frames) => {
          const bytes = await writeFrames(lammpsDump, path, frames);
          const { frames: back, notes } = await readFrames(lammpsDump, path);
          expect(notes).toEqual([]);
          expect(back.map(said)).toEqual(frames.map(said));
          // Bounds hold sums with the tilts: rounding of these is all that is lost.
          back.forEach((frame, k) => {
            const { lattice } = frames[k]!;
            const size = Math.max(...lattice!.map(Math.abs));
            frame.lattice!.forEach((value, c) => {
              expect(Math.abs(value - lattice![c]!)).toBeLessThanOrEqual(4e-16 * 3 * size);
            });
          });
          const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
          expect(text.match(/ITEM: TIMESTEP/g)).toHaveLength(frames.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  const box = 'ITEM: BOX BOUNDS pp pp ff\n0 4\n-1 5\n0 6\n';
  const head = (count: number) => `ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n${count}\n${box}`;

  it('gives scaled and unwrapped positions', async () => {
    const { frames } = await read(`${head(1)}ITEM: ATOMS id type xs ys zs\n3 1 0.5 0.25 1\n`);
    expect(frames[0]).toMatchObject({ origin: [0, -1, 0], periodic: [true, true, false] });
    expect([...frames[0]!.position]).toEqual([2, 0.5, 6]);
    const other = await read(`${head(1)}ITEM: ATOMS id type xu yu zu\n3 1 9 9 9\n`);
    expect([...other.frames[0]!.position]).toEqual([9, 9, 9]);
    expect([...other.frames[0]!.image!]).toEqual([0, 0, 0]);
    const both = await read(`${head(1)}ITEM: ATOMS id xu yu zu ix iy iz\n3 9 9 9 2 1 0\n`);
    expect([...both.frames[0]!.image!]).toEqual([0, 0, 0]);
    const tilted: ParticleFrame = {
      ...frames[0]!,
      lattice: [4, 0, 0, 1, 5, 0, 0.5, -0.5, 6],
      origin: [0, 0, 0],
      image: Int32Array.of(1, 2, -1),
      position: Float64Array.of(1, 2, 3),
    };
    const text = textOf(formatLammpsDump(tilted, ['xu', 'yu', 'zu', 'xs', 'ys', 'zs']));
    const last = text.trim().split('\n').at(-1)!.split(' ').map(Number);
    expect(last.slice(0, 3)).toEqual([1 + 4 + 2 - 0.5, 2 + 10 + 0.5, 3 - 6]);
    const [a, b, c] = last.slice(3) as [number, number, number];
    expect([4 * a + b + 0.5 * c, 5 * b - 0.5 * c, 6 * c]).toEqual([1, 2, 3]);
  });

  it('names types by the particle types of a run, in their order', async () => {
    const text = `${head(2)}ITEM: ATOMS id type x y z\n1 2 0 0 0\n2 1 0 0 0\n`;
    expect((await read(text)).frames[0]!.species).toEqual(['1', '2']);
    expect((await read(text, ['Ar', 'Kr', 'Xe'])).frames[0]!.species).toEqual(['Ar', 'Kr', 'Xe']);
    await expect(read(text, ['Ar'])).rejects.toMatchObject({ code: 'UNKNOWN_TYPE' });
  });

  it('turns a box in general position, and refuses a left-handed one', async () => {
    const { frames } = await read(`${head(1)}ITEM: ATOMS id type x y z\n1 1 1 2 3\n`);
    const turned = {
      ...frames[0]!,
      lattice: [0, 4, 0, 0, 0, 5, 6, 0, 0],
      origin: [0, 0, 0] as const,
    };
    writeFileSync(file, textOf(formatLammpsDump(turned)));
    const [back] = (await readFrames(lammpsDump, file)).frames;
    expect(back!.lattice).toEqual([4, 0, 0, 0, 5, 0, 0, 0, 6]);
    expect([...back!.position]).toEqual([2, 3, 1]);
    const left = { ...turned, lattice: [0, 4, 0, 6, 0, 0, 0, 0, 5] };
    expect(() => [...formatLammpsDump(left)]).toThrow(/left-handed/);
  });

  it('skips a torn last frame with a note, and refuses a torn first one', async () => {
    const frame = `${head(2)}ITEM: ATOMS id type x y z\n1 1 0.5 0 0\n2 1 0 0 0.25\n`;
    const lastValue = frame.lastIndexOf('0.25');
    for (let cut = 1; cut <= lastValue; cut++) {
      const { frames, notes } = await read(frame + frame.slice(0, cut));
      expect(frames).toHaveLength(1);
      expect(notes).toEqual([`'${file}' ends within a frame, which is left out: 1 are whole`]);
    }
    // A line that lacks nothing but its end is taken as it is.
    const { frames, notes } = await read(frame + frame.trimEnd());
    expect(frames[1]!.position).toEqual(frames[0]!.position);
    expect(notes).toEqual([
      `the last line of '${file}' has no end: its last value is taken as it is there`,
    ]);
    await expect(read(frame.slice(0, 90))).rejects.toMatchObject({ code: 'FILE_FORMAT' });
  });

  it.each([
    ['no head', 'abc\n', /ITEM: TIMESTEP here, not 'abc'/],
    ['a count that the file cannot hold', `${head(1e9)}ITEM: ATOMS id x y z\n`, /too short/],
    ['no positions', `${head(1)}ITEM: ATOMS id type\n1 1\n`, /has no positions/],
    ['a missing column', `${head(1)}ITEM: ATOMS id x y z\n1 2 3\n`, /3 columns, not 4/],
    ['NaN', `${head(1)}ITEM: ATOMS id x y z\n1 2 nan 4\n`, /y is 'nan': it must be finite/],
    ['hexadecimal', `${head(1)}ITEM: ATOMS id x y z\n1 2 0x1 4\n`, /a number is needed/],
    ['a fractional id', `${head(1)}ITEM: ATOMS id x y z\n1.5 2 1 4\n`, /whole number/],
    ['a column twice', `${head(1)}ITEM: ATOMS id x y z x\n1 2 1 4 4\n`, /'x' is there twice/],
    ['a flat box', `${head(1).replace('0 6', '6 6')}ITEM: ATOMS id x y z\n1 2 1 4\n`, /no volume/],
  ])('says what is wrong: %s', async (_, text, message) => {
    const error = (await read(text).catch((thrown: unknown) => thrown)) as CorpuscleError;
    expect(error.message).toMatch(message);
    expect(error.code).toBe('FILE_FORMAT');
    expect(error.location?.line).toBeGreaterThan(0);
  });

  it('a compressed file that is cut is an error if the caller takes no notes', async () => {
    const path = join(folder, 'cut.dump.gz');
    const { frames } = await read(`${head(1)}ITEM: ATOMS id type x y z\n1 1 1 2 3\n`);
    const bytes = await writeFrames(lammpsDump, path, [...frames, ...frames]);
    writeFileSync(path, bytes.subarray(0, bytes.length - 4));
    expect((await readFrames(lammpsDump, path)).frames).toHaveLength(2);
    const all = async () => {
      for await (const { step } of lammpsDump.read(path)) expect(step).toBe(frames[0]!.step);
    };
    await expect(all()).rejects.toMatchObject({ code: 'FILE_FORMAT' });
    expect(readFileSync(path)).toHaveLength(bytes.length - 4);
  });
});
