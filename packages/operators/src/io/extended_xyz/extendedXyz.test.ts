import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CorpuscleError } from '@corpuscle/core';
import { createExecutionContext, updateNeighbors } from '@corpuscle/patterns';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createGrid } from '../../system/createGrid.js';
import { lattice } from '../../system/lattice/lattice.js';
import { initTemperature } from '../../system/velocities/initTemperature.js';
import { formatExtendedXyz } from './formatExtendedXyz.js';
import {
  countFrames,
  extendedXyzFrames,
  type ReadExtendedXyzOptions,
  readExtendedXyz,
} from './readExtendedXyz.js';
import { writeExtendedXyz } from './writeExtendedXyz.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-xyz-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'a.xyz');

function read(text: string, options?: ReadExtendedXyzOptions) {
  writeFileSync(file, text);
  return readExtendedXyz(file, options);
}

function failure(text: string, options?: ReadExtendedXyzOptions) {
  try {
    read(text, options);
  } catch (error) {
    const { code, message, location } = error as CorpuscleError;
    return { code, message, at: location && `${location.line}:${location.column}` };
  }
  return { code: 'none', message: '', at: '' };
}

describe('readExtendedXyz', () => {
  it('reads columns in any order, skips unknown ones and keeps those asked for', () => {
    const frame = read(
      '2\nProperties=id:I:1:tag:S:1:velo:R:3:species:S:1:pos:R:3:bond:R:2 Lattice="4 0 0 1 5 0 0 0 6" pbc="T F T" time=1.5 note="a b"\n' +
        '7 x 1 2 3 Ar 4 5 6 7 8\n3 y 1e-3 -2 +3 Kr .5 5. 6 9 10\n',
      { keep: ['bond', 'tag'] },
    );
    expect(frame.count).toBe(2);
    expect(frame.lattice).toEqual([4, 0, 0, 1, 5, 0, 0, 0, 6]);
    expect(frame.periodic).toEqual([true, false, true]);
    expect([...frame.id!]).toEqual([7, 3]);
    expect([...frame.position]).toEqual([4, 5, 6, 0.5, 5, 6]);
    expect([...frame.velocity!]).toEqual([1, 2, 3, 0.001, -2, 3]);
    expect(frame.species).toEqual(['Ar', 'Kr']);
    expect([...frame.type]).toEqual([0, 1]);
    expect(frame.extra.get('bond')!.values).toEqual(new Float64Array([7, 8, 9, 10]));
    expect(frame.extra.get('tag')!.values).toEqual(['x', 'y']);
    expect(frame.properties.get('time')).toBe('1.5');
    expect(frame.properties.get('note')).toBe('a b');
  });

  it('reads plain xyz with open boundaries and ignores what follows x, y, z', () => {
    const frame = read('1\n    cell: 10  10  10\nH 1 2 3 0.5\n\n\n');
    expect(frame.lattice).toBeNull();
    expect(frame.periodic).toEqual([false, false, false]);
    expect([...frame.position]).toEqual([1, 2, 3]);
  });

  it('reads Windows line ends, a byte order mark and a last line without an end', () => {
    const frame = read('\ufeff1\r\nLattice="2 0 0 0 2 0 0 0 2"\r\nA 1 2 3');
    expect(frame.periodic).toEqual([true, true, true]);
    expect([...frame.position]).toEqual([1, 2, 3]);
  });

  it('finds frames by number, from the end too, and gives all in turn', () => {
    const text = [1, 2, 3].map((k) => `${k}\n\n${`A ${k} 0 0\n`.repeat(k)}`).join('');
    expect(read(text, { frame: 1 }).count).toBe(2);
    expect(read(text, { frame: -1 }).count).toBe(3);
    expect(countFrames(file)).toBe(3);
    expect([...extendedXyzFrames(file)].map((frame) => frame.position[0])).toEqual([1, 2, 3]);
    expect(failure(text, { frame: 3 }).message).toMatch(/3 frames/);
    expect(failure(text, { frame: -4 }).message).toMatch(/3 frames/);
  });

  const header = 'Lattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:id:I:1';
  it.each([
    ['an empty file', '', '1:1', /empty/],
    ['a first line that is no count', 'abc\n\nA 1 2 3\n', '1:1', /number of particles/],
    ['a count that no file of that size can hold', '999999999\n\nA 1 2 3\n', '1:1', /too short/],
    ['a truncated file', '3\n\nA 1 2 3\nA 1 2 3\n', '4:1', /2 of 3/],
    ['a count that is too small', '1\n\nA 1 2 3\nA 1 2 4\n', '4:1', /more particles/],
    ['a malformed number', '1\n\nA 1 2.5.1 3\n', '3:5', /position y needs a number, not '2.5.1'/],
    ['a hexadecimal number', '1\n\nA 1 0x10 3\n', '3:5', /0x10/],
    ['NaN', '1\n\nA 1 2 NaN\n', '3:7', /position z is NaN/],
    ['Infinity', '1\n\nA -inf 2 3\n', '3:3', /position x is -inf/],
    ['an overflowing number', '1\n\nA 1e999 2 3\n', '3:3', /finite/],
    ['a missing column', `1\n${header}\nA 1 2 3\n`, '3:8', /4 columns and needs 5/],
    ['an extra column', `1\n${header}\nA 1 2 3 4 5\n`, '3:11', /more columns/],
    [
      'a repeated id',
      `3\n${header}\nA 1 2 3 4\nA 2 2 3 5\nA 3 2 3 4\n`,
      '5:9',
      /id 4 occurs twice, first on line 3/,
    ],
    ['a fractional id', `1\n${header}\nA 1 2 3 4.5\n`, '3:9', /whole number/],
    ['a negative id', `1\n${header}\nA 1 2 3 -4\n`, '3:9', /whole number/],
    ['a lattice of six numbers', '1\nLattice="1 2 3 4 5 6"\nA 1 2 3\n', '2:10', /9 numbers/],
    ['a flat lattice', '1\nLattice="1 0 0 2 0 0 0 0 1"\nA 1 2 3\n', '2:10', /no volume/],
    [
      'a wrong pbc',
      '1\nLattice="1 0 0 0 1 0 0 0 1" pbc="T X T"\nA 1 2 3\n',
      '2:34',
      /three of T or F/,
    ],
    ['pbc without a lattice', '1\npbc="T T T"\nA 1 2 3\n', '2:6', /no Lattice/],
    ['a wrong Properties', '1\nProperties=species:S:1:pos:R\nA 1 2 3\n', '2:12', /triples/],
    ['an unknown column type', '1\nProperties=species:S:1:pos:Q:3\nA 1 2 3\n', '2:12', /'Q'/],
    ['Properties without pos', '1\nProperties=species:S:1\nA\n', '2:1', /pos:R:3/],
    ['a pos of width 2', '1\nProperties=species:S:1:pos:R:2\nA 1 2\n', '2:1', /width 3/],
  ])('says where the fault is: %s', (_, text, at, message) => {
    const error = failure(text);
    expect(error.code).toBe('FILE_FORMAT');
    expect(error.at).toBe(at);
    expect(error.message).toMatch(message);
  });

  it('names the allowed types when a species is none of them', () => {
    const error = failure('2\n\nA 1 2 3\nX 1 2 3\n', { types: ['A', 'B'] });
    expect(error).toEqual({
      code: 'UNKNOWN_TYPE',
      message: "'X' is not a particle type: the types are A, B",
      at: '4:1',
    });
  });

  it('says so when there is no file', () => {
    expect(() => readExtendedXyz(join(folder, 'none.xyz'))).toThrow(/no such file/);
    expect(() => readExtendedXyz(folder)).toThrow(/it is a folder/);
  });
});

describe('formatExtendedXyz', () => {
  it('gives back every finite double, bit for bit', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(double, double, double), { minLength: 1, maxLength: 40 }),
        (rows) => {
          const position = Float64Array.from(rows.flat());
          const written = formatExtendedXyz({
            count: rows.length,
            lattice: [3, 0, 0, 0.1, 3, 0, 0.2, -0.3, 3],
            periodic: [true, true, false],
            columns: [
              {
                name: 'species',
                type: 'S',
                width: 1,
                values: rows.map(() => 1),
                names: ['A', 'B'],
              },
              { name: 'pos', type: 'R', width: 3, values: position },
              { name: 'id', type: 'I', width: 1, values: rows.map((_, k) => 5 * k) },
            ],
            properties: { step: 3, title: 'two words' },
          });
          writeFileSync(file, [...written].join(''));
          const frame = readExtendedXyz(file);
          expect(new BigUint64Array(frame.position.buffer)).toEqual(
            new BigUint64Array(position.buffer),
          );
          expect(frame.lattice).toEqual([3, 0, 0, 0.1, 3, 0, 0.2, -0.3, 3]);
          expect(frame.periodic).toEqual([true, true, false]);
          expect(frame.species).toEqual(['B']);
          expect(frame.properties.get('title')).toBe('two words');
        },
      ),
      { numRuns: 200 },
    );
  });

  it('writes in the order asked for', () => {
    const text = [
      ...formatExtendedXyz({
        count: 2,
        lattice: null,
        periodic: [false, false, false],
        columns: [{ name: 'pos', type: 'R', width: 3, values: [1, 2, 3, 4, 5, -0] }],
        order: [1, 0],
      }),
    ].join('');
    expect(text).toBe('2\nProperties=pos:R:3 pbc="F F F"\n4 5 -0\n1 2 3\n');
  });
});

it('writes a grid without YAML, and reads it back', async () => {
  await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const types = [{ name: 'A', mass: 1 }];
  const grid = createGrid(
    lattice({ structure: 'fcc', density: 0.8442, repeat: [3, 3, 3] }),
    types,
    ctx.heap,
  );
  initTemperature(grid, { temperature: 1.44, seed: 1 });
  await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.3 }); // sorts
  const path = join(folder, 'grid.xyz');
  await writeExtendedXyz(path, grid, ctx, { types: ['A'], properties: { step: 7 } });
  const frame = readExtendedXyz(path);
  expect(frame.properties.get('step')).toBe('7');
  expect([...frame.id!]).toEqual([...frame.id!.keys()]);
  const [ids, vx] = [grid.values('id'), grid.values('vx')];
  ids.forEach((id, row) => {
    expect(frame.velocity![3 * id]).toBe(vx[row]);
  });
  const bad = join(folder, 'grid.xyz', 'x.xyz');
  await expect(writeExtendedXyz(bad, grid, ctx)).rejects.toMatchObject({ code: 'UNWRITABLE' });
});
