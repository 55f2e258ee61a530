import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyFrame, readFrames, writeFrames } from '../../../../../test/support/frames.js';
import { askPython, pythonWith } from '../../../../../test/support/oracles.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { BitReader } from './BitReader.js';
import { BitWriter } from './BitWriter.js';
import { bitsOfThree, type Packed, pack, unpack } from './coordinateBits.js';
import { xtc } from './xtc.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-xtc-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'a.xtc');

it('packs three numbers of up to 24 bits, and gives them back', () => {
  const size = fc.integer({ min: 1, max: 0xffffff });
  fc.assert(
    fc.property(
      size,
      size,
      size,
      fc.double({ min: 0, max: 0.999999, noNaN: true }),
      (a, b, c, f) => {
        const values = [a, b, c].map((n) => Math.floor(f * n)) as [number, number, number];
        const packed: Packed = { high: 0, low: 0 };
        pack(...values, b, c, packed);
        const bits = bitsOfThree([a, b, c]);
        const writer = new BitWriter(bits + 5);
        writer.write(21, 5);
        writer.writePacked(packed, bits);
        const reader = new BitReader(writer.finish(), () => expect.fail('too short'));
        expect(reader.read(5)).toBe(21);
        const back: Packed = { high: 0, low: 0 };
        reader.readPacked(bits, back);
        const out = [0, 0, 0];
        unpack(back, b, c, out);
        expect(out).toEqual(values);
      },
    ),
  );
});

/** Positions such that frames of few and many particles, and ranges of more than 24 bits, occur. */
const frames = fc.tuple(anyFrame(), fc.constantFrom(0.001, 0.1, 1)).map(
  ([frame, scale]): ParticleFrame => ({
    ...frame,
    time: 0.5,
    position: frame.position.map((x) => x * scale),
  }),
);

const near = (back: Float64Array, position: Float64Array, count: number) =>
  back.forEach((value, k) => {
    // Half a unit, and what f32 leaves of large numbers; up to nine particles are plain f32.
    const most = count > 9 ? 0.0005 + 1e-7 * Math.abs(position[k]!) : 6e-8 * Math.abs(position[k]!);
    expect(Math.abs(value - position[k]!)).toBeLessThanOrEqual(most + 1e-44);
  });

describe('an XTC file', () => {
  it('reads back to half a unit of its precision', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frames, { minLength: 1, maxLength: 3 }), async (list) => {
        await writeFrames(xtc, file, list);
        const { frames: back, notes } = await readFrames(xtc, file);
        expect(notes).toEqual([]);
        expect(back).toHaveLength(list.length);
        back.forEach((frame, k) => {
          near(frame.position, list[k]!.position, frame.count);
          expect(frame.lattice).toEqual(list[k]!.lattice!.map(Math.fround));
          expect([frame.step, frame.time]).toEqual([list[k]!.step, 0.5]);
        });
      }),
      { numRuns: 100 },
    );
  });

  it('leaves out a torn last frame with a note, wherever it is cut', async () => {
    const [frame] = fc.sample(anyFrame({ minimum: 20 }), { numRuns: 1, seed: 1 });
    const bytes = await writeFrames(xtc, file, [frame!, frame!]);
    for (let cut = bytes.length / 2 + 1; cut < bytes.length; cut += 7) {
      writeFileSync(file, bytes.subarray(0, cut));
      const { frames: back, notes } = await readFrames(xtc, file);
      expect(back).toHaveLength(1);
      expect(notes[0]).toMatch(/ends within a frame/);
    }
  });

  it('survives damage with a sentence', async () => {
    const [frame] = fc.sample(anyFrame({ minimum: 20 }), { numRuns: 1, seed: 1 });
    const bytes = await writeFrames(xtc, file, [frame!]);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, value) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = value;
        writeFileSync(file, damaged);
        const error = await readFrames(xtc, file).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        if (error) expect(error).toMatchObject({ code: 'FILE_FORMAT' });
      }),
      { numRuns: 500 },
    );
  });
});

const python = pythonWith('mdtraj');

describe.skipIf(python === null)('mdtraj', () => {
  /** One process for all files: Python takes most of a second to begin. */
  const readAll = (paths: readonly string[]) =>
    askPython<{ xyz: number[][][]; box: number[][][]; time: number[] }[]>(
      python!,
      `import sys, json
from mdtraj.formats import XTCTrajectoryFile as X
def read(path):
    with X(path) as f: xyz, time, step, box = f.read()
    return dict(xyz=xyz.tolist(), box=box.tolist(), time=time.tolist())
print('@json' + json.dumps([read(path) for path in sys.argv[1:]]))`,
      ...paths,
    );

  it('reads the same positions, box and time', async () => {
    const [list] = fc.sample(fc.array(frames, { minLength: 1, maxLength: 1 }), {
      numRuns: 1,
      seed: 3,
    });
    const all = [list![0]!, ...fc.sample(anyFrame({ minimum: 15 }), { numRuns: 10, seed: 8 })];
    const files = all.map((_, k) => join(folder, `ours${k}.xtc`));
    for (const [k, frame] of all.entries()) await writeFrames(xtc, files[k]!, [frame]);
    for (const [k, theirs] of readAll(files).entries()) {
      const { frames: ours } = await readFrames(xtc, files[k]!);
      expect(theirs.box.flat(2)).toEqual(ours[0]!.lattice);
      theirs.xyz.flat(2).forEach((value, n) => {
        // mdtraj multiplies by 1/precision in f32.
        const x = ours[0]!.position[n]!;
        expect(Math.abs(value - x)).toBeLessThan(1e-5 + 1.5e-7 * Math.abs(x));
      });
    }
  });

  it('writes small differences and water, which we read to the same numbers', async () => {
    const theirs = join(folder, 'theirs.xtc');
    const answer = askPython<{ xyz: number[][][] }>(
      python!,
      `import sys, json, numpy as np
from mdtraj.formats import XTCTrajectoryFile as X
rng = np.random.default_rng(1)
centers = rng.uniform(-5, 5, (400, 1, 3))
water = (centers + rng.normal(0, 0.05, (400, 3, 3))).reshape(-1, 3)
chain = np.cumsum(rng.normal(0, 0.08, (700, 3)), axis=0)
jumps = chain + (np.arange(700) % 50 == 0)[:, None] * rng.uniform(-900, 900, (700, 3))
xyz = np.concatenate([water, chain, jumps]).astype(np.float32)[None]
box = np.eye(3, dtype=np.float32)[None] * 10
with X(sys.argv[1], 'w') as f: f.write(xyz, time=np.array([2.5], np.float32), step=np.array([7]), box=box)
with X(sys.argv[1]) as f: xyz = f.read()[0]
print('@json' + json.dumps(dict(xyz=xyz.tolist())))`,
      theirs,
    );
    const { frames: back } = await readFrames(xtc, theirs);
    expect(back[0]).toMatchObject({ count: 2600, step: 7, time: 2.5 });
    const expected = answer.xyz.flat(2);
    back[0]!.position.forEach((value, k) => {
      expect(Math.abs(value - expected[k]!)).toBeLessThan(1e-4);
    });
  });
});
