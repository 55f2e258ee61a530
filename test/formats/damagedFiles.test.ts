import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CorpuscleError } from '@corpuscle/core';
import { frameFormats } from '@corpuscle/operators';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyFrame, readFrames, writeFrames } from '../support/frames.js';
import { mutator } from '../support/mutator.js';
import { runs } from '../support/runs.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-damaged-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Formats that are read only. */
const texts: Readonly<Record<string, string>> = {
  gro: `Water, t= 0.5 step= 7\n    2\n    1WATER  OW1    1   0.126   1.624   1.679  0.1227 -0.0580  0.0434\n    1WATER  HW2    2   0.190   1.661   1.747  0.8085  0.3191 -0.7791\n   1.82060   1.82061   1.82062   0.00000   0.00000   0.10000   0.00000  -0.20000   0.30000\n`,
  pdb: `CRYST1   10.000   20.000   30.000  90.00  90.00  60.00 P 1           1\nMODEL        1\nATOM      1  N   ALA A   1      11.104   6.134  -6.504  1.00  0.00           N\nHETATM    4 CL    CL A   2      -1.000   2.000   3.000\nENDMDL\nEND\n`,
  poscar: `title\n 1.0\n 4 0 0\n 0 5 0\n 1 0 6\nGa As\n1 2\nSelective dynamics\nDirect\n0.5 0.5 0.5 T T F\n0 0 0.25 F F F\n0.1 0.2 0.3 T T T\n`,
};

/** Milliseconds; a quiet machine takes a hundredth of it. */
const PATIENCE = 2000;

describe.each(frameFormats.filter(({ read }) => read))('a damaged file of $name', (format) => {
  it('is read, or refused with a sentence, soon', async () => {
    const file = join(folder, `a.${format.name}`);
    const all = ['velocity', 'charge', 'molecule', 'image', 'force', 'energy'] as const;
    const frames = fc.sample(anyFrame({ columns: all, minimum: 12 }), { numRuns: 2, seed: 1 });
    const text = texts[format.name];
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
