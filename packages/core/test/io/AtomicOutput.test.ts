import { spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/functor/error';
import { afterAll, describe, expect, it } from 'vitest';
import { AtomicOutput } from '../../src/io/AtomicOutput.js';

const root = mkdtempSync(path.join(tmpdir(), 'corpuscle-io-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let serial = 0;
const fresh = (): string => {
  const folder = path.join(root, String(serial++));
  mkdirSync(folder);
  return folder;
};
const read = (...parts: string[]) => readFileSync(path.join(...parts), 'utf8');

describe('AtomicOutput', () => {
  it('shows files only when committed', () => {
    const folder = fresh();
    writeFileSync(path.join(folder, 'a.txt'), 'old');
    const output = new AtomicOutput(folder);
    output.open('a.txt').write('new');
    output.open('sub/b.txt').write('b');
    expect(read(folder, 'a.txt')).toBe('old');
    expect(existsSync(path.join(folder, 'sub/b.txt'))).toBe(false);
    output.commit();
    expect(read(folder, 'a.txt')).toBe('new');
    expect(read(folder, 'sub/b.txt')).toBe('b');
    expect(readdirSync(folder).sort()).toEqual(['a.txt', 'sub']);
  });

  it('writes to devices, and through links, instead of replacing them', () => {
    const folder = fresh();
    writeFileSync(path.join(folder, 'real.txt'), 'old');
    symlinkSync('real.txt', path.join(folder, 'link.txt'));
    spawnSync('mkfifo', [path.join(folder, 'pipe')]);
    const pipe = openSync(path.join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
    const output = new AtomicOutput(folder);
    output.open('link.txt').write('new');
    output.open('pipe').write('to whom it may concern');
    output.open('/dev/null').write('nobody');
    expect(read(folder, 'real.txt')).toBe('old');
    output.commit();
    expect(read(folder, 'real.txt')).toBe('new');
    expect(lstatSync(path.join(folder, 'link.txt')).isSymbolicLink()).toBe(true);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    const bytes = Buffer.alloc(99);
    expect(bytes.toString('utf8', 0, readSync(pipe, bytes))).toBe('to whom it may concern');
    closeSync(pipe);
    expect(readdirSync(folder).sort()).toEqual(['link.txt', 'pipe', 'real.txt']);
  });

  it('leaves nothing when discarded, folders included', () => {
    const folder = fresh();
    const output = new AtomicOutput(path.join(folder, 'x/y'));
    output.open('z/a.txt').write('new');
    output.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps a folder that another process uses meanwhile', () => {
    const folder = fresh();
    const output = new AtomicOutput(path.join(folder, 'x'));
    output.open('a.txt').write('new');
    writeFileSync(path.join(folder, 'x', 'other'), '');
    output.discard();
    expect(readdirSync(path.join(folder, 'x'))).toEqual(['other']);
  });

  it('gives the same file for the same name, and streams long ones', () => {
    const folder = fresh();
    const output = new AtomicOutput(folder);
    const line = `${'0123456789'.repeat(20)}é\n`;
    for (let k = 0; k < 2000; k++) output.open(k % 2 ? './a.txt' : 'a.txt').write(line);
    output.open('a.txt').writeBytes(new Uint8Array([65, 10]));
    output.commit();
    expect(read(folder, 'a.txt')).toBe(`${line.repeat(2000)}A\n`);
  });

  it('checks without leaving a trace', () => {
    const folder = fresh();
    new AtomicOutput(folder).check('deep/er/a.txt');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses to write to a closed file', () => {
    const output = new AtomicOutput(fresh());
    const file = output.open('a.txt');
    output.commit();
    expect(() => file.write('late')).toThrowError(expect.objectContaining({ code: 'CLOSED' }));
  });

  it.each(['folder', 'file/a.txt', '/proc/no/a.txt'])('says that %s is unwritable', (name) => {
    const folder = fresh();
    mkdirSync(path.join(folder, 'folder'));
    writeFileSync(path.join(folder, 'file'), '');
    for (const action of ['check', 'open'] as const) {
      const output = new AtomicOutput(folder);
      expect(() => output[action](name)).toThrowError(CorpuscleError);
      expect(() => output[action](name)).toThrowError(
        expect.objectContaining({ code: 'UNWRITABLE' }),
      );
      output.discard();
    }
    expect(readdirSync(folder).sort()).toEqual(['file', 'folder']);
  });
});

it('a process that exits in the middle of a run leaves no partial files', () => {
  const folder = fresh();
  const module = new URL('../../src/io/AtomicFile.ts', import.meta.url).href;
  const script = `const { AtomicFile } = await import(${JSON.stringify(module)});
    new AtomicFile(${JSON.stringify(path.join(folder, 'a.txt'))}).write('half');
    process.exit(130);`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', script],
    {
      encoding: 'utf8',
    },
  );
  expect(stderr).toBe('');
  expect(status).toBe(130);
  expect(readdirSync(folder)).toEqual([]);
});
