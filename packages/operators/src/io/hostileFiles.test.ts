import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CorpuscleError, limits } from '@corpuscle/core';
import { afterAll, describe, expect, it } from 'vitest';
import { readSetfl } from '../potentials/eam/readSetfl.js';
import { readStillingerWeber } from '../potentials/stillinger_weber/readStillingerWeber.js';
import { readPairTable } from '../potentials/tabulated/readPairTable.js';
import { readExtendedXyz } from './extended_xyz/readExtendedXyz.js';
import { frameFormats } from './frames/formats.js';
import { LineReader } from './LineReader.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Milliseconds; a quiet machine takes a tenth of it. */
const PATIENCE = 8000;

/** The error of an action that must end soon. */
function failure(action: () => unknown): CorpuscleError {
  const start = performance.now();
  try {
    action();
  } catch (error) {
    expect(performance.now() - start).toBeLessThan(PATIENCE);
    expect(error).toBeInstanceOf(CorpuscleError);
    return error as CorpuscleError;
  }
  throw new Error('nothing was refused');
}

function fileOf(text: string): string {
  const file = join(folder, 'a.txt');
  writeFileSync(file, text);
  return file;
}

const xyz = (text: string) => failure(() => readExtendedXyz(fileOf(text)));

describe('files that lie about their size', () => {
  it('Properties with a huge repeat is refused before anything is made', () => {
    const error = xyz('1\nProperties=species:S:1:pos:R:3:x:R:5000000000\nA 0 0 0\n');
    expect(error.code).toBe('FILE_FORMAT');
    expect(error.message).toContain('columns');
    expect(error.location).toMatchObject({ line: 2, column: 12 });
  });

  it('a count of particles that the file has no room for is refused', () => {
    const text = `100000\nProperties=species:S:1:pos:R:3:x:R:60000\n${'A 0 0 0\n'.repeat(100_000)}`;
    expect(xyz(text).message).toContain('too short');
  });

  it('a few particles of many columns are refused where the file is short', () => {
    const text = '2\nProperties=species:S:1:pos:R:3:x:R:24294\nA 0 0 0 1\nA 0 0 0 1\n';
    expect(xyz(text).message).toContain('too short');
  });

  it('a section of a pair table with a huge N ends at the end of the file', () => {
    const file = fileOf('OTHER\nN 77835200000000\n\n1 1 1 1\n');
    expect(failure(() => readPairTable(file, 'MINE'))).toMatchObject({
      code: 'FILE_FORMAT',
      location: { line: 2 },
    });
    expect(failure(() => readPairTable(file, 'OTHER')).code).toBe('FILE_FORMAT');
  });

  it('a setfl file with a huge Nr is an error with a place', () => {
    const error = failure(() =>
      readSetfl(fileOf('c\nc\nc\n1 Cu\n5 0.1 9007199254740991 0.1 5\nCu\n1 1 1 1 1\n')),
    );
    expect(error).toMatchObject({ code: 'FILE_FORMAT', location: { line: 7 } });
  });
});

describe('lines', () => {
  it('one line of 200 MB is refused at once', () => {
    const file = fileOf('');
    writeFileSync(file, Buffer.alloc(200_000_000, 'x'));
    const error = failure(() => readExtendedXyz(file));
    expect(error.code).toBe('FILE_FORMAT');
    expect(error.message).toContain(String(limits.lineLength));
    expect(error.location).toMatchObject({ line: 1, column: 1 });
  });

  it('a line of exactly the limit is read, one character more is not', () => {
    const line = 'y'.repeat(limits.lineLength);
    const reader = new LineReader(fileOf(`a\n${line}\n${line}z\n`));
    expect(reader.next()).toBe('a');
    expect(reader.next()).toBe(line);
    expect(failure(() => reader.next()).location?.line).toBe(3);
    reader.close();
  });

  it.each([
    ['without =', 'x'.repeat(1_000_000)],
    ['of blanks', ' '.repeat(1_000_000)],
    ['of open braces', 'a={'.repeat(300_000)],
    ['of open quotes', 'a="\\'.repeat(250_000)],
    ['of equal signs', '='.repeat(1_000_000)],
  ])('a comment of a million characters %s is read soon', (_, comment) => {
    const start = performance.now();
    expect(readExtendedXyz(fileOf(`1\n${comment}\nA 0 0 0\n`)).count).toBe(1);
    expect(performance.now() - start).toBeLessThan(PATIENCE);
  });

  it('a million blanks after a frame are told soon', () => {
    expect(xyz(`1\n\nA 0 0 0\n${' '.repeat(1_000_000)}x\n`).location?.line).toBe(4);
  });

  it('a line of 300,000 words is no entry of a Stillinger-Weber file', () => {
    const file = fileOf('1 '.repeat(300_000));
    expect(failure(() => readStillingerWeber(file, { Si: 'Si' })).code).toBe('FILE_FORMAT');
  });

  it('a word of a megabyte is cut in the message', () => {
    expect(xyz(`${'x'.repeat(1_000_000)}\n`).message.length).toBeLessThan(500);
    expect(xyz(`1\npbc="${'x'.repeat(900_000)}"\nA 0 0 0\n`).message.length).toBeLessThan(500);
  });
});

/** Memory of a process as a file: it can be opened, and its first byte cannot be read (EIO), like a disk that fails. */
const failing = '/proc/self/mem';
describe.skipIf(!existsSync(failing))('a disk that fails', () => {
  it('gives one sentence when a text file is read whole', () => {
    const { code, message } = failure(() => readExtendedXyz(failing));
    expect([code, message]).toEqual(['FILE_FORMAT', expect.stringMatching(/cannot be read.*EIO/)]);
  });

  it.each(['lammps_dump', 'lammps_data', 'gro', 'pdb', 'poscar', 'gsd', 'dcd', 'h5md'])(
    'is one sentence of a file of %s',
    async (name) => {
      const { read } = frameFormats.find((format) => format.name === name)!;
      const frames = async () => {
        for await (const frame of read!(failing, { onNote: () => {} })) return frame;
      };
      await expect(frames()).rejects.toMatchObject({
        code: expect.stringMatching(/FILE_FORMAT|FILE_NOT_FOUND/),
        message: expect.stringContaining(failing),
      });
    },
  );
});

describe('names', () => {
  it.each(['constructor', '__proto__', 'toString'])('a column may be called %s', (name) => {
    const file = fileOf(`1\nProperties=species:S:1:pos:R:3:${name}:R:1\n${name} 1 2 3 4\n`);
    const frame = readExtendedXyz(file, { keep: [name] });
    expect(frame.extra.get(name)?.values).toEqual(new Float64Array([4]));
    expect(frame.species).toEqual([name]);
  });

  it('a column of as many species as particles is refused', () => {
    const lines = Array.from({ length: 10_000 }, (_, k) => `s${k} 0 0 0`).join('\n');
    expect(xyz(`10000\n\n${lines}\n`).message).toContain('species');
  });
});
