import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { OutputFolder } from '../../src/io/OutputFolder.js';
import { fresh, inFreshFolders, read } from './fixture.js';

inFreshFolders();

describe('the files of a run', () => {
  it('are one for each name', async () => {
    const folder = fresh();
    const output = new OutputFolder(folder);
    for (let k = 0; k < 4; k++) output.open(k % 2 ? './a.txt' : 'a.txt').write(`${k}\n`);
    await output.close();
    expect(read(folder, 'a.txt')).toBe('0\n1\n2\n3\n');
  });

  it('tell where they are, and go on there', async () => {
    const folder = fresh();
    const before = new OutputFolder(folder);
    before.open('a.txt').write('1\n');
    before.open('sub/b.txt').write('one\n');
    await before.flush({ durable: true });
    const positions = before.positions();
    expect(positions).toEqual({ 'a.txt': 2, 'sub/b.txt': 4 });
    before.open('a.txt').write('2\n');
    await before.close();
    const after = new OutputFolder(folder, { resumeAt: positions });
    expect(after.open('a.txt').position).toBe(2);
    after.open('a.txt').write('two\n');
    after.open('new.txt').write('x');
    await after.close();
    expect(read(folder, 'a.txt')).toBe('1\ntwo\n');
    expect(readdirSync(folder).sort()).toEqual(['a.txt', 'new.txt', 'sub']);
  });

  it('that a restart continues are cut to their length before anything is written', async () => {
    const folder = fresh();
    const before = new OutputFolder(folder);
    before.open('rare.txt').write('1\n');
    await before.flush();
    const positions = before.positions();
    before.open('rare.txt').write('2\n');
    await before.close();
    const between = new OutputFolder(folder, { resumeAt: positions });
    between.resume();
    expect(between.positions()).toEqual(positions);
    await between.close();
    expect(read(folder, 'rare.txt')).toBe('1\n');
  });

  it('written whole appear at once, and may go on', async () => {
    const folder = fresh();
    const output = new OutputFolder(folder);
    await output.writeWhole('a.txt', 'one\n');
    expect(readdirSync(folder).sort()).toEqual(['.corpuscle.lock', 'a.txt']);
    output.open('a.txt').write('two\n');
    await output.close();
    expect(read(folder, 'a.txt')).toBe('one\ntwo\n');
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  it('lose what a killed run has left of them, and nothing else does', async () => {
    const folder = fresh();
    const others = [
      '.a.json.0123456789ab.partial.txt',
      '.b.json.0123456789ab.partial',
      '.a.json.partial',
    ];
    for (const name of ['.a.json.0123456789ab.partial', '.c.h5.ba9876543210.partial', ...others])
      writeFileSync(path.join(folder, name), 'x');
    const output = new OutputFolder(folder);
    await output.writeWhole('a.json', '{}');
    output.claim('c.h5');
    await output.close();
    expect(readdirSync(folder).sort()).toEqual([...others, 'a.json'].sort());
  });

  it('written whole fail the run, and are no mistake of its input, where their place has changed', async () => {
    const folder = fresh();
    const output = new OutputFolder(folder);
    output.check('sub/a.json');
    writeFileSync(path.join(folder, 'sub'), '');
    await expect(output.writeWhole('sub/a.json', '{}')).rejects.toMatchObject({
      code: 'OUTPUT_FAILED',
      message: expect.stringContaining('a part of its path is a file'),
    });
    await output.close();
  });

  it('of earlier runs are kept once, whatever this run replaces itself', async () => {
    const folder = fresh();
    writeFileSync(path.join(folder, 'a.json'), 'old');
    const notices: string[] = [];
    const output = new OutputFolder(folder, { onNotice: (text) => notices.push(text) });
    await output.writeWhole('a.json', '1');
    await output.writeWhole('a.json', '2');
    await output.close();
    expect(read(folder, '#a.json.1#')).toBe('old');
    expect(readdirSync(folder).sort()).toEqual(['#a.json.1#', 'a.json']);
    expect(notices).toHaveLength(1);
  });

  it('are completed each for itself, and all failures are told', async () => {
    const folder = fresh();
    const output = new OutputFolder(folder);
    for (const name of ['a', 'b', 'c']) output.open(name).write('complete\n');
    for (const name of ['a', 'b'])
      renameSync(path.join(folder, name), path.join(folder, `${name}2`));
    const error = await output.close().then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error).toMatchObject({ code: 'OUTPUT_FAILED' });
    expect(error!.message).toMatch(/\/a: it has been removed.*; .*\/b: it has been removed/);
    expect(read(folder, 'c')).toBe('complete\n');
  });

  it('are those of one run at a time, unless the folder is shared', async () => {
    const folder = fresh();
    const run = new OutputFolder(folder);
    run.open('a.txt').write('1\n');
    const other = new OutputFolder(folder);
    expect(() => other.open('b.txt').write('1\n')).toThrowError(
      expect.objectContaining({ code: 'OUTPUT_FAILED' }),
    );
    const converter = new OutputFolder(folder, { use: 'shared' });
    await converter.writeWhole('c.txt', '1\n');
    await converter.close();
    await run.close();
    expect(readdirSync(folder).sort()).toEqual(['a.txt', 'c.txt']);
    await other.close();
  });

  it('may not have the name of the lock', () => {
    const output = new OutputFolder(fresh());
    const refused = expect.objectContaining({ code: 'UNWRITABLE' });
    for (const name of ['.corpuscle.lock', 'other/.corpuscle.lock'])
      expect(() => output.check(name)).toThrowError(refused);
  });

  it('are checked without leaving a trace', () => {
    const folder = fresh();
    new OutputFolder(folder).check('deep/er/a.txt');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['folder', 'file/a.txt', '/proc/no/a.txt'])('say that %s is unwritable', (name) => {
    const folder = fresh();
    mkdirSync(path.join(folder, 'folder'));
    writeFileSync(path.join(folder, 'file'), '');
    const output = new OutputFolder(folder);
    const unwritable = expect.objectContaining({ name: 'CorpuscleError', code: 'UNWRITABLE' });
    expect(() => output.check(name)).toThrowError(unwritable);
    expect(() => output.open(name).write('x')).toThrowError(unwritable);
    expect(readdirSync(folder).sort()).toEqual(['file', 'folder']);
  });
});

it('says for how long the run has waited for the disk, unless the writer does', async () => {
  const notices: string[] = [];
  const output = new OutputFolder(fresh(), {
    onNotice: (text) => notices.push(text),
  });
  for (const name of ['slow.csv', 'told.dump', 'fast.csv']) output.open(name).write('1\n');
  output.open('slow.csv').stalled = 1234; // a disk that is slow cannot be had
  Object.assign(output.open('told.dump'), { stalled: 1234, isWaitTold: true });
  await output.close();
  expect(notices).toEqual(['the run waited 1.2 s for the disk to take slow.csv']);
});
