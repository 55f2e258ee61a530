import { readFileSync } from 'node:fs';
import { readExtendedXyz } from '@corpuscle/operators';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli, Workplace } from '../../../../test/support/runCli.js';
import { parseFrameRange } from '../../src/commands/frameRange.js';

const work = new Workplace();
afterAll(() => work.remove());
const convert = (from: string, to: string, ...options: readonly string[]) =>
  runCli(['convert', work.path(from), work.path(to), ...options]);

const frame = (k: number) =>
  `2\nLattice="9 0 0 1 8 0 0 0 7" Properties=species:S:1:pos:R:3:velo:R:3:id:I:1:forces:R:3 step=${k}\nAr ${k} 1 1 .1 .2 .3 5 1 2 3\nKr 2 1 0.1 0 0 0 3 0 0 0\n`;
work.write({ 'a.xyz': [0, 1, 2, 3, 4, 5].map(frame).join('') });
const steps = (name: string) => {
  const found: string[] = [];
  for (let k = 0; ; k++)
    try {
      found.push(readExtendedXyz(work.path(name), { frame: k }).properties.get('step')!);
    } catch {
      return found.map(Number);
    }
};

const pdb = `CRYST1    9.000    8.000    7.000  90.00  90.00  90.00 P 1           1
ATOM      1  AR  AR  A   1       1.000   2.000   3.000  1.00  0.00          Ar
END
`;

describe('corpuscle convert', () => {
  it('takes files with a byte order mark, and one frame without the end of its last line', async () => {
    expect((await convert('a.xyz', 'one.dump', '--frames', '0')).code).toBe(0);
    const dump = readFileSync(work.path('one.dump'), 'utf8');
    const texts = { xyz: frame(0), dump, pdb };
    for (const [ending, text] of Object.entries(texts)) {
      const [plain, other] = [`plain.${ending}`, `other.${ending}`];
      work.write({ [plain]: text, [other]: `\ufeff${text.trimEnd()}` });
      const written = [plain, other].map(async (name) => {
        const { code, err } = await convert(name, `${name}.xyz`);
        expect({ code, err }).toEqual({ code: 0, err: '' });
        return readFileSync(work.path(`${name}.xyz`), 'utf8');
      });
      const [expected, found] = await Promise.all(written);
      expect(found).toBe(expected);
    }
  });

  it('carries everything from xyz to a dump and back', async () => {
    const there = await convert('a.xyz', 'b.dump.gz');
    expect(there.code, there.err).toBe(0);
    expect(there.out).toMatch(/6 frames of 2 particles, extended_xyz to lammps_dump/);
    const back = await convert('b.dump.gz', 'c.xyz');
    expect(back.code, back.err).toBe(0);
    for (const k of [0, 5]) {
      const [a, c] = ['a.xyz', 'c.xyz'].map((name) =>
        readExtendedXyz(work.path(name), { frame: k, keep: ['forces'] }),
      );
      expect({ ...c!, source: null, properties: null }).toEqual({
        ...a!,
        source: null,
        properties: null,
      });
    }
    expect(steps('c.xyz')).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it.each([
    ['1:5:2', [1, 3]],
    ['2', [2]],
    ['-1', [5]],
    ['-3:-1', [3, 4]],
    [':2', [0, 1]],
    ['4:', [4, 5]],
    ['::4', [0, 4]],
  ])('takes the frames %s', async (frames, expected) => {
    const { code, err } = await convert('a.xyz', 'd.xyz', '--frames', frames);
    expect(code, err).toBe(0);
    expect(steps('d.xyz')).toEqual(expected);
  });

  it('writes the last of many frames where a file holds one, and says so', async () => {
    const { code, out, err } = await convert('a.xyz', 'e.data', '--frames', '1:5');
    expect(code, err).toBe(0);
    expect(out).toMatch(
      /e\.data: the last of 4 frames of 2 particles, extended_xyz to lammps_data/,
    );
    expect(work.files().filter((name) => name.includes('e.data'))).toEqual(['e.data']);
    await convert('e.data', 'e.xyz');
    expect(readExtendedXyz(work.path('e.xyz')).position[0]).toBe(4);
  });

  it('says what is wrong, and writes nothing', async () => {
    work.write({ 'b.pdb': 'TITLE\n', file: '' });
    const before = work.files();
    const said = async (...argv: Parameters<typeof convert>) => {
      const { code, err } = await convert(...argv);
      expect(code).toBe(2);
      return err;
    };
    expect(await said('a.xyz', 'e.foo')).toMatch(
      /does not tell its format: give one of extended_xyz/,
    );
    expect(await said('a.xyz', 'e.foo', '--to', 'lamps_dump')).toMatch(
      /did you mean 'lammps_dump'/,
    );
    expect(await said('a.xyz', 'a.xyz')).toMatch(/the same file/);
    expect(await said('a.xyz', 'e.xyz', '--frames', '7:')).toMatch(/has 6 frames: none/);
    expect(await said('a.xyz', 'e.xyz', '--frames', '3:3')).toMatch(/asks for no frame: b must be/);
    expect(await said('a.xyz', 'e.xyz', '--frames', '-9:-8')).toMatch(
      /no frame of the 6 that there/,
    );
    expect(await said('a.xyz', 'e.xyz', '--frames', 'x')).toMatch(/is not a:b:c/);
    for (const name of ['e.data', 'e.pvd', 'e.h5md', 'e.xyz'])
      expect(await said('a.xyz', `file/${name}`)).toMatch(/a part of its path is a file/);
    expect(await said('b.pdb', 'e.xyz')).toMatch(/b\.pdb' has no frames/);
    expect(await said('none.xyz', 'e.xyz')).toMatch(/no such file/);
    expect(await said('a.xyz', 'e.xyz', '--from', 'lammps_dump')).toMatch(/ITEM: TIMESTEP/);
    expect(work.files()).toEqual(before);
  });
});

it.each(['', '1:2:3:4', '1:2:0', '1.5', 'a', '::-1'])('%j is no range of frames', (text) => {
  expect(parseFrameRange(text)).toBeNull();
});
