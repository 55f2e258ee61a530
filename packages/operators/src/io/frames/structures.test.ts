import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { formatOf, readFrames } from '../../../../../test/support/frames.js';
import { askPython, pythonWith } from '../../../../../test/support/oracles.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-structures-'));
afterAll(() => rmSync(folder, { recursive: true }));
const read = (name: string, text: string, types?: readonly string[]) => {
  const file = join(folder, `a.${name}`);
  writeFileSync(file, text);
  return readFrames(formatOf(name), file, types);
};

describe('a GRO file', () => {
  const text = `Water, t= 0.5 step= 7
    3
    1WATER  OW1    1   0.126   1.624   1.679  0.1227 -0.0580  0.0434
    1WATER  HW2    2   0.190   1.661   1.747  0.8085  0.3191 -0.7791
    1WATER  HW3    3   0.177  -1.568   1.613 -0.9045 -2.6469  1.3180
   1.82060   1.82061   1.82062   0.00000   0.00000   0.10000   0.00000  -0.20000   0.30000
`;

  it('is read by its columns', async () => {
    const [frame] = (await read('gro', text)).frames;
    expect(frame).toMatchObject({ species: ['OW1', 'HW2', 'HW3'], time: 0.5, step: 7 });
    expect([...frame!.position.subarray(6)]).toEqual([0.177, -1.568, 1.613]);
    expect([...frame!.velocity!.subarray(0, 3)]).toEqual([0.1227, -0.058, 0.0434]);
    expect(frame!.lattice).toEqual([1.8206, 0, 0, 0.1, 1.82061, 0, -0.2, 0.3, 1.82062]);
  });

  it('has any precision, and no velocities', async () => {
    const wide = `x\n1\n    1SOL     OW    1   0.1234567-111.6240001   1.0000000\n 1 2 3\n`;
    const [frame] = (await read('gro', wide)).frames;
    expect([...frame!.position]).toEqual([0.1234567, -111.6240001, 1]);
    expect(frame!.velocity).toBeNull();
  });

  it('gives all frames, and leaves out a torn one', async () => {
    expect((await read('gro', text + text)).frames).toHaveLength(2);
    const { frames, notes } = await read('gro', text + text.slice(0, 120));
    expect(frames).toHaveLength(1);
    expect(notes[0]).toMatch(/ends within a frame/);
    await expect(read('gro', text.replace('    3\n', '    3000\n'))).rejects.toMatchObject({
      code: 'FILE_FORMAT',
    });
    await expect(read('gro', text.replace('1.624', '1.x24'))).rejects.toThrow(/a number is needed/);
  });
});

describe('a PDB file', () => {
  const text = `REMARK nothing
CRYST1   10.000   20.000   30.000  90.00  90.00  60.00 P 1           1
MODEL        1
ATOM      1  N   ALA A   1      11.104   6.134  -6.504  1.00  0.00           N
ATOM      2  CA AALA A   1      11.639   6.071  -5.147  1.00  0.00           C
ATOM      3  CA BALA A   1      99.639   6.071  -5.147  1.00  0.00           C
HETATM    4 CL    CL A   2      -1.000   2.000   3.000
ENDMDL
MODEL        2
ATOM      1  N   ALA A   1       1.000   2.000   3.000  1.00  0.00           N
ENDMDL
END
`;

  it('is read by its columns: models, elements, the first of alternate locations', async () => {
    const { frames } = await read('pdb', text);
    expect(frames).toHaveLength(2);
    const [first] = frames;
    expect(Array.from(first!.type, (t) => first!.species[t])).toEqual(['N', 'C', 'Cl']);
    expect([...first!.position]).toEqual([11.104, 6.134, -6.504, 11.639, 6.071, -5.147, -1, 2, 3]);
    const expected = [10, 0, 0, 10, Math.sqrt(300), 0, 0, 0, 30];
    first!.lattice!.forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k]!, 12);
    });
    const open = await read('pdb', text.replace(/CRYST1.*\n/, ''));
    expect(open.frames[0]!.lattice).toBeNull();
    await expect(read('pdb', text.replace('11.104', '11.1x4'))).rejects.toThrow(
      /a number is needed/,
    );
  });
});

describe('a POSCAR file', () => {
  const text = (scale: string, mode: string) =>
    `title\n ${scale}\n 4 0 0\n 0 5 0\n 1 0 6\nGa As\n1 2\nSelective dynamics\n${mode}\n0.5 0.5 0.5 T T F\n0 0 0.25 F F F\n0.1 0.2 0.3 T T T\n\n1 2 3\n`;

  it('is read along the box and not, with any scale', async () => {
    const [direct] = (await read('poscar', text('2.0', 'Direct'))).frames;
    expect(direct!.lattice).toEqual([8, 0, 0, 0, 10, 0, 2, 0, 12]);
    expect([...direct!.position.subarray(0, 6)]).toEqual([5, 5, 6, 0.5, 0, 3]);
    expect(Array.from(direct!.type, (t) => direct!.species[t])).toEqual(['Ga', 'As', 'As']);
    const [cartesian] = (await read('poscar', text('-960', 'Cartesian'))).frames;
    expect(cartesian!.lattice![0]).toBeCloseTo(8, 12);
    expect(cartesian!.position[0]).toBeCloseTo(1, 12);
    const three = (await read('poscar', text('1 2 3', 'Cartesian'))).frames[0]!;
    expect(three.lattice).toEqual([4, 0, 0, 0, 10, 0, 1, 0, 18]);
    expect([...three.position.subarray(0, 3)]).toEqual([0.5, 1, 1.5]);
  });

  it('without names has the types of a run', async () => {
    const old = text('1', 'D').replace('Ga As\n', '');
    expect((await read('poscar', old, ['X', 'Y'])).frames[0]!.species).toEqual(['X', 'Y']);
    expect((await read('poscar', old)).frames[0]!.species).toEqual(['1', '2']);
  });

  it.each([
    ['no volume', text('0', 'D'), /no volume/],
    ['more particles than bytes', text('1', 'D').replace('1 2\n', '1 9999999\n'), /too short/],
    ['a name too few', text('1', 'D').replace('Ga As', 'Ga'), /1 types and 2 numbers/],
    ['too few positions', text('1', 'D').replace('1 2\n', '1 9\n'), /is needed|three numbers|ends/],
  ])('says what is wrong: %s', async (_, wrong, message) => {
    await expect(read('poscar', wrong)).rejects.toMatchObject({
      code: 'FILE_FORMAT',
      message: expect.stringMatching(message),
    });
  });
});

const python = pythonWith('ase');

describe.skipIf(python === null)('ASE', () => {
  it.each([
    ['gro', 'gromacs', 1e-3, 10],
    ['pdb', 'proteindatabank', 1e-3, 1],
    ['poscar', 'vasp', 1e-9, 1],
  ])(
    'writes a file that we read to the resolution of the format: %s',
    async (name, ase, most, factor) => {
      const file = join(folder, `ase.${name}`);
      const position = fc.sample(fc.double({ min: 0, max: 9, noNaN: true }), {
        numRuns: 30,
        seed: 1,
      });
      const script = `import sys, json, numpy as np
from ase import Atoms
from ase.io import write
x = np.array(json.loads(sys.argv[1])).reshape(-1, 3)
a = Atoms('ArNe4Ar5', positions=x, cell=[[12, 0, 0], [3, 11, 0], [1, 2, 10]], pbc=True)
write(sys.argv[2], a, format=sys.argv[3])
print('@json1')`;
      askPython(python!, script, JSON.stringify(position), file, ase);
      const [frame] = (await readFrames(formatOf(name), file)).frames;
      expect(frame!.count).toBe(10);
      expect(readFileSync(file, 'utf8').length).toBeGreaterThan(100);
      frame!.position.forEach((value, k) => {
        expect(Math.abs(value * factor - position[k]!)).toBeLessThan(most * factor);
      });
      const names = Array.from(frame!.type, (t) => frame!.species[t]);
      expect(names).toEqual(['Ar', 'Ne', 'Ne', 'Ne', 'Ne', 'Ar', 'Ar', 'Ar', 'Ar', 'Ar']);
      const lattice = [12, 0, 0, 3, 11, 0, 1, 2, 10];
      frame!.lattice!.forEach((value, k) => {
        expect(Math.abs(value * factor - lattice[k]!)).toBeLessThan(0.01);
      });
    },
  );
});
