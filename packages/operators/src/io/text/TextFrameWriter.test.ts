import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutputFolder } from '@corpuscle/core';
import { afterAll, expect, it } from 'vitest';
import { extendedXyzPieces, type WriteFrame } from '../extended_xyz/formatExtendedXyz.js';
import { outputTarget } from '../frames/outputTarget.js';
import { TextFrameWriter } from './TextFrameWriter.js';
import { textOf } from './textRows.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

const frame = (count: number): WriteFrame => ({
  count,
  lattice: null,
  periodic: [false, false, false],
  columns: [
    { name: 'species', type: 'S', width: 1, values: new Float64Array(count), names: ['Ä'] },
    {
      name: 'pos',
      type: 'R',
      width: 3,
      values: Float64Array.from({ length: 3 * count }, Math.sin),
      factor: 2,
    },
    {
      name: 'id',
      type: 'I',
      width: 1,
      values: BigUint64Array.from({ length: count }, (_, k) => BigInt(k)),
    },
  ],
});

it('extended xyz is the same from the thread, in the order of the frames', async () => {
  const counts = [9000, 5, 10_000, 3];
  const output = new OutputFolder(folder);
  const writer = new TextFrameWriter(outputTarget(output, 'a.xyz.gz'), { plain: true });
  for (const count of counts) await writer.write({ format: 'extended_xyz', frame: frame(count) });
  await writer.close();
  await output.close();
  const expected = counts.map((count) => textOf(extendedXyzPieces(frame(count))));
  expect(readFileSync(join(folder, 'a.xyz.gz'), 'utf8')).toBe(expected.join(''));
});
