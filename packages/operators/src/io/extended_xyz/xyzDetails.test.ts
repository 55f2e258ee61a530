import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SharedHeap } from '@corpuscle/core';
import { afterAll, describe, expect, it } from 'vitest';
import { createGrid } from '../../system/createGrid.js';
import { formatExtendedXyz } from './formatExtendedXyz.js';
import { frameOf } from './frameOf.js';
import { readExtendedXyz } from './readExtendedXyz.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-xyz-details-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'a.xyz');
const read = (text: string) => {
  writeFileSync(file, text);
  return readExtendedXyz(file);
};

it.each(['0x10', '0X1f', '0b11', '0B11', '0o17', '0O7'])(
  'refuses %s, which JavaScript reads as a number',
  (word) => {
    expect(Number.isFinite(Number(word))).toBe(true);
    expect(() => read(`1\n\nA 1 ${word} 3\n`)).toThrow(
      expect.objectContaining({
        code: 'FILE_FORMAT',
        message: `position y needs a number, not '${word}'`,
        location: expect.objectContaining({ line: 3, column: 5 }),
      }),
    );
  },
);

it('reads numbers that begin like those of other bases', () => {
  expect([...read('1\n\nA 0 00 0e1\n').position]).toEqual([0, 0, 0]);
});

describe('the origin of the box', () => {
  const text = (origin: string) =>
    `1\nLattice="4 0 0 0 5 0 0 0 6" ${origin}Properties=species:S:1:pos:R:3 pbc="T T T"\nA 1 2 3\n`;

  it('is read, and 0 where the file names none', () => {
    expect(read(text('Origin="-1 0.5 2" ')).origin).toEqual([-1, 0.5, 2]);
    expect(read(text('')).origin).toEqual([0, 0, 0]);
    expect(() => read(text('Origin="-1 0.5" '))).toThrow(/Origin needs 3 numbers/);
  });

  it('reaches the grid, and the file that is written from it, in the units of that file', () => {
    const frame = read(text('Origin="-1 0.5 2" '));
    const grid = createGrid(frame, [{ name: 'A', mass: 1 }], new SharedHeap(1));
    expect(grid.domain.origin).toEqual([-1, 0.5, 2]);
    expect([...formatExtendedXyz(frameOf(grid, ['A'], ['pos']))].join('')).toBe(
      text('Origin="-1 0.5 2" '),
    );
    const scaled = frameOf(grid, ['A'], ['pos'], { factors: { pos: 10 } });
    expect([...formatExtendedXyz(scaled)].join('')).toBe(
      '1\nLattice="40 0 0 0 50 0 0 0 60" Origin="-10 5 20" Properties=species:S:1:pos:R:3 pbc="T T T"\nA 10 20 30\n',
    );
  });
});

it('gives large frames in pieces of some hundred kilobytes, cut between lines', () => {
  const count = 100_000;
  const values = Float64Array.from(Array(count).keys());
  const columns = [{ name: 'id', type: 'I', width: 1, values }] as const;
  const frame = { count, lattice: null, periodic: [false, false, false], columns };
  const [head, ...pieces] = [...formatExtendedXyz(frame)];
  expect(head).toBe(`${count}\nProperties=id:I:1 pbc="F F F"\n`);
  expect(pieces.length).toBeGreaterThan(1);
  for (const piece of pieces) {
    expect(piece.length).toBeLessThan(300_000);
    expect(piece.endsWith('\n')).toBe(true);
  }
  expect(pieces.join('')).toBe(Array.from(values, (id) => `${id}\n`).join(''));
});
