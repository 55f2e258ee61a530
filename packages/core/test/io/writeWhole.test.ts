import { lstatSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeWhole } from '../../src/io/writeWhole.js';
import { fresh, inFreshFolders, read } from './fixture.js';

inFreshFolders();

describe('a file that is written whole', () => {
  it('replaces an older one when it is complete, and leaves nothing else', async () => {
    const folder = fresh();
    const name = path.join(folder, 'a.txt');
    writeFileSync(name, 'old');
    function* pieces() {
      yield 'new';
      expect(read(name)).toBe('old');
      yield new Uint8Array([65]);
    }
    await writeWhole(name, pieces());
    expect(read(name)).toBe('newA');
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  it('leaves the older file when writing fails', async () => {
    const folder = fresh();
    const name = path.join(folder, 'a.txt');
    writeFileSync(name, 'old');
    function* pieces() {
      yield 'new';
      throw new RangeError('no more');
    }
    await expect(writeWhole(name, pieces())).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['a.txt']);
    expect(read(name)).toBe('old');
  });

  it('keeps the older one under a numbered name where asked', async () => {
    const folder = fresh();
    const name = path.join(folder, 'a.txt');
    const kept: string[] = [];
    for (const text of ['one', 'two', 'three'])
      await writeWhole(name, text, { older: 'keep', onKept: (file) => kept.push(file) });
    expect(kept).toEqual([path.join(folder, '#a.txt.1#'), path.join(folder, '#a.txt.2#')]);
    expect([...kept, name].map((file) => read(file))).toEqual(['one', 'two', 'three']);
  });

  it('makes folders, goes through links, and writes to devices', async () => {
    const folder = fresh();
    await writeWhole(path.join(folder, 'deep/er/real.txt'), 'old');
    symlinkSync('deep/er/real.txt', path.join(folder, 'link.txt'));
    await writeWhole(path.join(folder, 'link.txt'), 'new');
    expect(read(folder, 'deep/er/real.txt')).toBe('new');
    expect(lstatSync(path.join(folder, 'link.txt')).isSymbolicLink()).toBe(true);
    await writeWhole('/dev/null', 'nobody');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('says that there is no room', async () => {
    await expect(writeWhole('/dev/full', 'x')).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringContaining('the disk is full'),
    });
  });
});
