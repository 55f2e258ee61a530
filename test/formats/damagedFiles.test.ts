import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CorpuscleError } from '@corpuscle/core';
import { frameFormats } from '@corpuscle/operators';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { fileTexts } from '../support/fileTexts.js';
import { anyFrame, readFrames, writeFrames } from '../support/frames.js';
import { mutator } from '../support/mutator.js';
import { runs } from '../support/runs.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-damaged-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Milliseconds; a quiet machine takes a hundredth of it. */
const PATIENCE = 2000;

describe.each(frameFormats.filter(({ read }) => read))('a damaged file of $name', (format) => {
  it('is read, or refused with a sentence, soon', async () => {
    const file = join(folder, `a.${format.name}`);
    const all = ['velocity', 'charge', 'molecule', 'image', 'force', 'energy'] as const;
    const frames = fc.sample(anyFrame({ columns: all, minimum: 12 }), { numRuns: 2, seed: 1 });
    const text = fileTexts[format.name];
    const good = text
      ? Buffer.from(text)
      : await writeFrames(format, file, format.name === 'dcd' ? [frames[0]!, frames[0]!] : frames);
    const damaged = join(folder, `b.${format.name}`);
    // A damaged file of HDF5 costs its thread; fuzzReaders.test.ts asks one for many.
    const count = format.name === 'h5md' ? runs(6, 150) : runs(100, 1500);
    for (let seed = 1; seed <= count; seed++) {
      const bytes = mutator(good, seed);
      writeFileSync(damaged, bytes);
      const begin = performance.now();
      try {
        const result = await readFrames(format, damaged);
        // What a file announces is not made before the file is found to hold it.
        for (const frame of result.frames)
          expect(frame.count, `seed ${seed}`).toBeLessThanOrEqual(4 * bytes.length);
      } catch (error) {
        if (!(error instanceof CorpuscleError)) {
          throw new Error(`seed ${seed} of ${format.name}`, { cause: error });
        }
        expect(['FILE_FORMAT', 'UNKNOWN_TYPE'], `seed ${seed}`).toContain(error.code);
      }
      expect(performance.now() - begin, `seed ${seed}`).toBeLessThan(PATIENCE);
    }
  }, 600_000);
});
