import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readBonds } from './readBonds.js';

const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-bonds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bondsOf(text: string) {
  const file = path.join(folder, 'bonds.txt');
  writeFileSync(file, text);
  return readBonds(file);
}

it('reads ids and kinds, kinds from 1, around comments and empty lines', () => {
  expect(bondsOf('# header\n0 1\n\n 7   12 3 # the third kind\n2 3 1')).toEqual([
    { ids: [0, 1], kind: 0 },
    { ids: [7, 12], kind: 2 },
    { ids: [2, 3], kind: 0 },
  ]);
});

it.each(['4', '1 2 0', '1 2 3 4', '1 -2', '1 2.5', 'a b', '1 2 1.5'])(
  'refuses the line "%s" with its number',
  (line) => {
    expect(() => bondsOf(`0 1\n${line}\n`)).toThrowError(
      expect.objectContaining({
        code: 'FILE_FORMAT',
        location: expect.objectContaining({ line: 2 }),
      }),
    );
  },
);
