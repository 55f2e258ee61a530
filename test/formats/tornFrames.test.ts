import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { anyFrame, formatOf, readFrames, writeFrames } from '../support/frames.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-torn-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [frame] = fc.sample(anyFrame({ columns: ['velocity'], ids: 0, minimum: 15 }), {
  numRuns: 1,
  seed: 4,
});
const frames = [0, 1, 2].map((step) => ({
  ...frame!,
  step,
  position: frame!.position.map((x) => x / (1 + step)),
}));

it('a compressed dump that has lost its end only has all frames, and a note', async () => {
  const format = formatOf('lammps_dump');
  const path = join(folder, 'end.dump.gz');
  const whole = await writeFrames(format, path, frames);
  const sound = await readFrames(format, path);
  expect(sound.notes).toEqual([]);
  for (const lost of [1, 4, 8, 9]) {
    writeFileSync(path, whole.subarray(0, whole.length - lost));
    const { frames: found, notes } = await readFrames(format, path);
    expect(found).toEqual(sound.frames);
    expect(notes).toEqual([expect.stringMatching(/mark that gzip puts at the end.*its 3 frames/)]);
  }
});

it.each([
  ['extended_xyz', 'a.xyz'],
  ['lammps_dump', 'a.dump'],
  ['lammps_dump', 'a.dump.gz'],
  ['gsd', 'a.gsd'],
  ['dcd', 'a.dcd'],
  ['xtc', 'a.xtc'],
])(
  'a file of %s that was cut within a frame has those before, and a note: %s',
  async (name, file) => {
    const format = formatOf(name);
    const path = join(folder, file);
    const two = (await writeFrames(format, path, frames.slice(0, 2))).length;
    const whole = await writeFrames(format, path, frames);
    const { frames: sound } = await readFrames(format, path);
    expect(sound).toHaveLength(3);
    // Of a compressed frame the first bytes may hold no text yet, and the last ones hold none. A text without the end of its
    // last value looks complete.
    const lastValue = whole.toString('latin1').trimEnd().split(/\s/).at(-1)!;
    const [from, to] = file.endsWith('.gz')
      ? [two + 40, whole.length - 40]
      : [
          two + 1,
          whole.length - 1 - (name.endsWith('xyz') || name.endsWith('dump') ? lastValue.length : 0),
        ];
    for (let cut = from; cut <= to; cut += 29) {
      writeFileSync(path, whole.subarray(0, cut));
      const { frames: found, notes } = await readFrames(format, path);
      expect(found).toEqual(sound.slice(0, 2));
      expect(notes).toEqual([
        expect.stringContaining(`'${path}' ends within a frame, which is left out`),
      ]);
    }
    expect(from).toBeLessThan(to);
  },
);

it.each([
  ['extended_xyz', 'open.xyz'],
  ['lammps_dump', 'open.dump'],
])(
  'a file of %s without the end of its last line has all frames, and a note',
  async (name, file) => {
    const format = formatOf(name);
    const path = join(folder, file);
    const whole = await writeFrames(format, path, frames);
    const sound = await readFrames(format, path);
    expect(sound.frames).toHaveLength(3);
    writeFileSync(path, whole.toString().trimEnd());
    const { frames: found, notes } = await readFrames(format, path);
    expect(found).toEqual(sound.frames);
    expect(notes).toEqual([
      `the last line of '${path}' has no end: its last value is taken as it is there`,
    ]);
  },
);
