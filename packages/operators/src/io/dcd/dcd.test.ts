import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyFrame, readFrames, writeFrames } from '../../../../../test/support/frames.js';
import { askPython, pythonWith } from '../../../../../test/support/oracles.js';
import { dcd } from './dcd.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-dcd-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'a.dcd');
const series = fc
  .tuple(anyFrame(), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 50 }))
  .map(([frame, count, stride]) =>
    Array.from({ length: count }, (_, k) => ({
      ...frame,
      step: 7 + k * stride,
      position: frame.position.map((x) => x + k),
    })),
  );

/** Changes an integer of a file. */
const integerAt = (position: number, value: number) => (bytes: Buffer) => {
  bytes.writeInt32LE(value, position);
  return bytes;
};

describe('a DCD file', () => {
  it('reads back to the nearest f32, and the box to rounding', async () => {
    await fc.assert(
      fc.asyncProperty(series, async (frames) => {
        await writeFrames(dcd, file, frames);
        const { frames: back, notes } = await readFrames(dcd, file);
        expect(notes).toEqual([]);
        expect(back).toHaveLength(frames.length);
        back.forEach((frame, k) => {
          expect(frame.position).toEqual(frames[k]!.position.map(Math.fround));
          const size = Math.max(...frames[k]!.lattice!.map(Math.abs));
          frame.lattice!.forEach((value, c) => {
            // A cosine near 1 says little of the height of a flat box.
            expect(Math.abs(value - frames[k]!.lattice![c]!)).toBeLessThan(1e-9 * size ** 2);
          });
        });
      }),
      { numRuns: 60 },
    );
  });

  it('leaves out a torn last frame with a note', async () => {
    const [frame] = fc.sample(anyFrame(), { numRuns: 1, seed: 1 });
    const bytes = await writeFrames(dcd, file, [frame!, frame!]);
    writeFileSync(file, bytes.subarray(0, bytes.length - 1));
    const { frames, notes } = await readFrames(dcd, file);
    expect(frames).toHaveLength(1);
    expect(notes[0]).toMatch(/ends within a frame, which is left out/);
  });

  it.each([
    ['text', () => Buffer.from('x'.repeat(200)), /no DCD file/],
    ['nothing', () => Buffer.alloc(0), /too short/],
    ['a count that no file holds', integerAt(188, 2e9), /too short for/],
    ['a damaged record', integerAt(252, 3), /does not have/],
  ])('says what is wrong: %s', async (_, change, message) => {
    const [frame] = fc.sample(anyFrame(), { numRuns: 1, seed: 1 });
    writeFileSync(file, change(await writeFrames(dcd, file, [frame!])));
    await expect(readFrames(dcd, file)).rejects.toMatchObject({
      code: 'FILE_FORMAT',
      message: expect.stringMatching(message),
    });
  });
});

const python = pythonWith('mdtraj');

describe.skipIf(python === null)('mdtraj', () => {
  it('reads the same positions and box, and we read what it writes', async () => {
    const [frames] = fc.sample(series, { numRuns: 1, seed: 5 });
    await writeFrames(dcd, file, frames!);
    const theirs = join(folder, 'theirs.dcd');
    const answer = askPython<{ xyz: number[][][]; lengths: number[][]; angles: number[][] }>(
      python!,
      `import sys, json
from mdtraj.formats import DCDTrajectoryFile as D
with D(sys.argv[1]) as f: xyz, l, a = f.read()
with D(sys.argv[2], 'w') as f: f.write(xyz, cell_lengths=l, cell_angles=a)
print('@json' + json.dumps(dict(xyz=xyz.tolist(), lengths=l.tolist(), angles=a.tolist())))`,
      file,
      theirs,
    );
    expect(answer.xyz.flat(2)).toEqual(frames!.flatMap((f) => [...f.position.map(Math.fround)]));
    expect(answer.lengths[0]![0]).toBeCloseTo(frames![0]!.lattice![0]!, 3);
    const { frames: back } = await readFrames(dcd, theirs);
    expect(back).toHaveLength(frames!.length);
    expect(back.at(-1)!.position).toEqual(frames!.at(-1)!.position.map(Math.fround));
    back[0]!.lattice!.forEach((value, k) => {
      expect(value).toBeCloseTo(frames![0]!.lattice![k]!, 2);
    });
  });
});
