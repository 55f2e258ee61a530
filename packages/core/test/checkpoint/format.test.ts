import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  checkpointFiles,
  checkpointName,
  clearCheckpoints,
  newestCheckpoint,
  pruneCheckpoints,
} from '../../src/checkpoint/checkpointFiles.js';
import { encodeCheckpoint } from '../../src/checkpoint/encodeCheckpoint.js';
import { readCheckpoint } from '../../src/checkpoint/readCheckpoint.js';
import { checkSaved, packSaved, type Saved, unpackSaved } from '../../src/checkpoint/Saved.js';

const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-checkpoint-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytesOf = (saved: Saved): Buffer => Buffer.concat([...encodeCheckpoint(saved)]);
async function readBytes(bytes: Uint8Array): Promise<Saved> {
  const file = path.join(folder, 'one.ckpt');
  writeFileSync(file, bytes);
  return readCheckpoint(file);
}

const SAVED = {
  step: 1000,
  empty: new Float64Array(0),
  values: Float64Array.of(-0, 0.1, Number.NaN, Number.NEGATIVE_INFINITY, 5e-324),
  ids: BigUint64Array.of(0n, 2n ** 64n - 1n),
  nested: [{ flags: Uint8Array.of(1, 2, 3), text: 'ä\u0000"' }, null, [true, -0, Infinity]],
};

describe('a checkpoint file', () => {
  it('gives back every bit of numbers, texts and arrays', async () => {
    const read = await readBytes(bytesOf(SAVED));
    expect(read).toEqual(SAVED);
    const { values } = read as typeof SAVED;
    expect(new BigUint64Array(values.buffer)).toEqual(new BigUint64Array(SAVED.values.buffer));
  });

  it('gives back any plain data', async () => {
    const leaf = fc.oneof(
      fc.double(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.float64Array(),
      fc.uint32Array(),
      fc.bigUint64Array(),
    );
    const { tree } = fc.letrec<{ tree: Saved }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(
          fc.string().map((name) => `k${name}`),
          tie('tree'),
          { maxKeys: 4 },
        ),
      ),
    }));
    fc.assert(
      fc.property(tree, (saved) => {
        const { json, arrays } = packSaved(saved);
        const back = unpackSaved(
          JSON.parse(JSON.stringify(json)),
          arrays.map(({ array }) => array),
        );
        expect(back).toEqual(saved);
      }),
    );
  });

  it('is a header, arrays and a SHA-256 of all before it', () => {
    const bytes = bytesOf({ x: Float32Array.of(1, 2, 3) });
    expect(bytes.toString('latin1', 0, 8)).toBe('CPSCKPT\n');
    expect([bytes.readUInt32LE(8), bytes.readUInt32LE(12) % 8]).toEqual([1, 0]);
    const end = 16 + bytes.readUInt32LE(12);
    expect(JSON.parse(bytes.toString('utf8', 16, end))).toEqual({
      arrays: [{ name: 'x', type: 'f32', length: 3 }],
      saved: { x: { $array: 0 } },
    });
    expect([0, 4, 8].map((at) => bytes.readFloatLE(end + at))).toEqual([1, 2, 3]);
    expect(bytes.length).toBe(end + 16 + 32);
    const hash = createHash('sha256').update(bytes.subarray(0, -32)).digest();
    expect(hash.equals(bytes.subarray(-32))).toBe(true);
  });

  it.each([
    ['a map', new Map([[1, 2]])],
    ['a date', new Date(0)],
    ['a function', () => 1],
    ['an array of 16 bits', Int16Array.of(1)],
  ])('takes no %s, of which it would hold nothing', (_, value) => {
    const refused = expect.objectContaining({
      code: 'INVALID_VALUE',
      message: expect.stringMatching(/^own\.rows\.0 cannot be saved: a checkpoint takes numbers/),
    });
    const saved = { own: { rows: [value as never] } };
    expect(() => packSaved(saved)).toThrow(refused);
    expect(() => checkSaved(saved.own, 'own')).toThrow(refused);
  });

  it('is refused in a sentence wherever it is cut or a bit is wrong', async () => {
    const bytes = bytesOf(SAVED);
    const refused = {
      code: 'FILE_FORMAT',
      message: expect.stringMatching(/^the checkpoint .*one\.ckpt cannot be used: \S/),
    };
    for (let end = 0; end < bytes.length; end += 7)
      await expect(readBytes(bytes.subarray(0, end))).rejects.toMatchObject(refused);
    for (let at = 0; at < bytes.length; at += 5) {
      const wrong = Buffer.from(bytes);
      wrong[at]! ^= 1 << (at % 8);
      await expect(readBytes(wrong), `byte ${at}`).rejects.toMatchObject(refused);
    }
    await expect(readBytes(Buffer.concat([bytes, Buffer.alloc(8)]))).rejects.toMatchObject(refused);
  });

  it('is refused if it claims sizes that it does not have', async () => {
    const forged = (header: unknown): Buffer => {
      const text = Buffer.from(JSON.stringify(header));
      const prefix = Buffer.from('CPSCKPT\n\u0001\0\0\0\0\0\0\0', 'latin1');
      prefix.writeUInt32LE(text.length, 12);
      const body = Buffer.concat([prefix, text]);
      return Buffer.concat([body, createHash('sha256').update(body).digest()]);
    };
    const huge = { arrays: [{ name: 'x', type: 'f64', length: 2 ** 50 }], saved: {} };
    await expect(readBytes(forged(huge))).rejects.toThrow(
      /has 0 bytes of data, and its header tells of/,
    );
    for (const entry of [{ type: 'f64', length: -1 }, { type: 'constructor', length: 0 }, null])
      await expect(readBytes(forged({ arrays: [entry], saved: {} }))).rejects.toThrow(/no sense/);
    await expect(readBytes(forged({ arrays: [], saved: { $array: 3 } }))).rejects.toThrow(
      /no array 3/,
    );
    let deep: unknown = 1;
    for (let k = 0; k < 1000; k++) deep = [deep];
    await expect(readBytes(forged({ arrays: [], saved: deep }))).rejects.toThrow(/deeper/);
    const other = bytesOf({});
    other.writeUInt32LE(2, 8);
    await expect(readBytes(other)).rejects.toThrow(/version 2, and this program reads version 1/);
  });
});

describe('the checkpoints of a run', () => {
  const write = (name: string, steps: readonly number[]): string => {
    const file = path.join(folder, name);
    for (const step of steps) writeFileSync(checkpointName(file, step), bytesOf({ step }));
    return file;
  };
  const steps = (file: string) => checkpointFiles(file).map(({ step }) => step);

  it('are found by their steps, the newest first, and the oldest are removed', () => {
    const file = write('a.ckpt', [1000, 9, 200]);
    write('a.b.ckpt', [5000]);
    expect(steps(file)).toEqual([1000, 200, 9]);
    pruneCheckpoints(file, 2);
    expect(steps(file)).toEqual([1000, 200]);
  });

  it('are passed over if they are damaged, with a note', async () => {
    const file = write('c.ckpt', [1, 2, 3]);
    const notes: string[] = [];
    writeFileSync(checkpointName(file, 3), 'CPSCKPT');
    writeFileSync(checkpointName(file, 2), readFileSync(checkpointName(file, 2)).subarray(0, 60));
    const found = await newestCheckpoint(file, (text) => notes.push(text));
    expect(found).toMatchObject({ saved: { step: 1 } });
    expect(notes).toHaveLength(2);
    expect(notes[0]).toMatch(/c\.3\.ckpt cannot be used: .*; the one before it is taken$/);
    writeFileSync(checkpointName(file, 1), '');
    await expect(newestCheckpoint(file, () => {})).rejects.toThrow(/c\.1\.ckpt cannot be used/);
    expect(await newestCheckpoint(path.join(folder, 'none.ckpt'), () => {})).toBeNull();
  });

  it('are files: a pipe of such a name is not waited for, and a folder not removed', async () => {
    const file = write('e.ckpt', [1, 2]);
    mkdirSync(checkpointName(file, 3));
    execFileSync('mkfifo', [checkpointName(file, 4)]);
    expect(await newestCheckpoint(file, () => {})).toMatchObject({ saved: { step: 2 } });
    pruneCheckpoints(file, 1);
    expect(steps(file)).toEqual([2]);
    for (const step of [3, 4])
      await expect(readCheckpoint(checkpointName(file, step))).rejects.toThrow(/no file|a folder/);
  });

  it('of later steps are kept under numbered names', () => {
    const file = write('d.ckpt', [10, 20, 30]);
    expect(clearCheckpoints(file, 10)).toBe(2);
    expect(steps(file)).toEqual([10]);
    expect(readFileSync(path.join(folder, '#d.30.ckpt.1#')).length).toBeGreaterThan(48);
    expect(clearCheckpoints(file, -1, 'replace')).toBe(1);
    expect(steps(file)).toEqual([]);
  });
});
