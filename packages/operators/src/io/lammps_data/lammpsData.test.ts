import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyFrame, readFrames, writeFrames } from '../../../../../test/support/frames.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { formatLammpsData } from './formatLammpsData.js';
import { lammpsData } from './lammpsData.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-data-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'a.data');
const read = async (text: string, types?: readonly string[]) => {
  writeFileSync(file, text);
  const { frames, notes } = await readFrames(lammpsData, file, types);
  return { frame: frames[0]!, notes };
};

const said = (frame: ParticleFrame) => ({
  names: Array.from(frame.type, (t) => frame.species[t]),
  id: frame.id,
  lattice: frame.lattice,
  position: frame.position,
  velocity: frame.velocity,
  mass: frame.mass,
  charge: frame.charge,
  molecule: frame.molecule,
  image: frame.image,
  bonds: frame.bonds ?? null,
});

describe('a data file', () => {
  it.each([
    ['atomic', ['velocity']],
    ['atomic', ['image']],
    ['charge', ['velocity', 'charge', 'image']],
    ['full', ['charge', 'molecule', 'velocity', 'image']],
  ] as const)('of style %s with %j reads back to the same bits', async (style, columns) => {
    const frames = anyFrame({ columns, minimum: 2 }).map((frame) => ({
      ...frame,
      bonds: style === 'full' ? [{ ids: [frame.id![0]!, frame.id![1]!] as const, kind: 1 }] : null,
    }));
    await fc.assert(
      fc.asyncProperty(frames, async (frame) => {
        // A charge of one particle at least, so that the style follows from the frame.
        if (frame.charge) frame.charge[0] = 0.5;
        const text = (await writeFrames(lammpsData, file, [frame])).toString();
        expect(text).toContain(`Atoms # ${style}\n`);
        const { frames: back, notes } = await readFrames(lammpsData, file);
        expect(notes).toEqual([]);
        expect(back.map(said)).toEqual([said(frame)]);
      }),
      { numRuns: 60 },
    );
  });

  const text = `a title # 5 atoms

2 atoms # how many
2 atom types
-1 3 xlo xhi
0 5.0 ylo yhi
0 6e0 zlo zhi
0.5 0 -0.25 xy xz yz

Masses

2 4.5
1 39.9   # Ar

Pair Coeffs # lj/cut

1 0.01 3.4
2 0.02 3.1

Atoms # full

2 1 2 -0.5 1 2 3 # the second
1 1 1 0.5 0 0 0

Velocities

1 1 2 3
2 4 5 6
`;

  it('is read as people write it', async () => {
    const { frame, notes } = await read(text);
    expect(frame).toMatchObject({
      lattice: [4, 0, 0, 0.5, 5, 0, 0, -0.25, 6],
      origin: [-1, 0, 0],
      species: ['Ar', '2'],
    });
    expect([...frame.id!]).toEqual([2, 1]);
    expect([...frame.type]).toEqual([1, 0]);
    expect([...frame.mass!]).toEqual([4.5, 39.9]);
    expect([...frame.charge!]).toEqual([-0.5, 0.5]);
    expect([...frame.velocity!]).toEqual([4, 5, 6, 1, 2, 3]);
    expect(notes).toEqual([`'${file}': Pair Coeffs are not taken from a data file`]);
    expect((await read(text, ['X', 'Y'])).frame.species).toEqual(['X', 'Y']);
    expect((await read(text, ['Ar', 'Kr'])).frame.species).toEqual(['Ar', 'Kr']);
  });

  it.each([
    ['nothing in it', '', /no line with the number of atoms/],
    ['another text', 'a shopping list\n\n2 apples\n', /no line with the number of atoms/],
    [
      'more atoms than lines',
      text.replace('2 atoms', '3 atoms'),
      /ends after 2 of the 3 lines that were/,
    ],
    ['more atoms than bytes', text.replace('2 atoms', '99999999 atoms'), /too short/],
    ['a type above the count', text.replace('2 1 2 -', '2 1 3 -'), /particle 2 has type 3, of 2/],
    ['an unknown style', text.replace('# full', '# sphere'), /style 'sphere'/],
    ['a missing number', text.replace('0.5 0 0 0', '0.5 0 0'), /6 columns, not 7/],
    ['no volume', text.replace('-1 3', '3 3'), /no volume/],
    ['a velocity of no atom', text.replace('1 1 2 3\n', '9 1 2 3\n'), /name id 9/],
    ['no number', text.replace('4 5 6', '4 x 6'), /'x': a number is needed/],
  ])('says what is wrong: %s', async (_, wrong, message) => {
    await expect(read(wrong)).rejects.toMatchObject({
      code: 'FILE_FORMAT',
      message: expect.stringMatching(message),
    });
  });

  it('refuses masses that a type cannot have, and bonds without a style for them', async () => {
    const { frame } = await read(text);
    const odd = { ...frame, type: Uint32Array.of(0, 0) };
    expect(() => [...formatLammpsData(odd)]).toThrow(/one mass for a type/);
    const bonded = { ...frame, bonds: [{ ids: [1, 2] as const }] };
    expect(() => [...formatLammpsData(bonded, 'charge')]).toThrow(/choose style full/);
  });
});
