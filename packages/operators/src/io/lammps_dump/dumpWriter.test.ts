import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { OutputFolder } from '@corpuscle/core';
import { afterAll, expect, it } from 'vitest';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { bareFrame } from '../frames/bareFrame.js';
import { outputTarget } from '../frames/outputTarget.js';
import { textOf } from '../text/textRows.js';
import { dumpWriter } from './dumpWriter.js';
import { formatLammpsDump } from './formatLammpsDump.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-dump-'));
afterAll(() => rmSync(folder, { recursive: true }));

const columns = ['id', 'element', 'x', 'y', 'z'];
const frame = (step: number, count: number): ParticleFrame => {
  const position = Float64Array.from({ length: 3 * count }, (_, k) => Math.sin(k + step) + 2);
  return { ...bareFrame(position, [9, 0, 0, 0, 9, 0, 0, 0, 9], ['A']), step };
};
/** Frames that are made in the thread, and others between them. */
const counts = [10_000, 5, 9000, 20_000, 3, 4, 10_000, 12_000, 10_000];
const expected = counts.map((count, k) => textOf(formatLammpsDump(frame(k, count), columns)));

it.each(['a.dump', 'a.dump.gz'])('frames of all sizes are in %s in their order', async (name) => {
  const output = new OutputFolder(folder, { older: 'replace' });
  const writer = dumpWriter(outputTarget(output, name), columns);
  for (const [k, count] of counts.entries()) await writer.write(frame(k, count));
  await writer.save!(); // all frames so far are in the file, as for a checkpoint
  const bytes = output.positions()[name]!;
  await output.flush();
  expect(readFileSync(join(folder, name))).toHaveLength(bytes);
  await writer.write(frame(0, counts[0]!));
  await writer.close();
  await output.close();
  const file = readFileSync(join(folder, name));
  const text = (name.endsWith('.gz') ? gunzipSync(file) : file).toString();
  expect(text).toBe([...expected, expected[0]].join(''));
});

it('frames on their way are written when a run fails', async () => {
  const output = new OutputFolder(folder, { older: 'replace' });
  const writer = dumpWriter(outputTarget(output, 'b.dump'), columns);
  for (const k of [0, 2, 3]) void writer.write(frame(k, counts[k]!));
  await writer.abandon!();
  await output.close();
  expect(readFileSync(join(folder, 'b.dump'), 'utf8')).toBe(
    [expected[0], expected[2], expected[3]].join(''),
  );
});

it('what a frame lacks is one error, in the next call', async () => {
  const output = new OutputFolder(folder, { older: 'replace' });
  const writer = dumpWriter(outputTarget(output, 'c.dump'), ['id', 'q']);
  await writer.write(frame(0, 10_000));
  await expect(writer.close()).rejects.toMatchObject({
    code: 'INVALID_VALUE',
    message: expect.stringMatching(/nothing for the column 'q'/),
  });
  await output.close();
});
