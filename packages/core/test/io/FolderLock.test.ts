import { execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FolderLock } from '../../src/io/FolderLock.js';
import { fresh, inFreshFolders } from './fixture.js';

inFreshFolders();
const lockIn = (folder: string) => path.join(folder, '.corpuscle.lock');
const refused = expect.objectContaining({
  code: 'OUTPUT_FAILED',
  message: expect.stringContaining('is being written by'),
});

function writeSparse(file: string, bytes: number): void {
  writeFileSync(file, '');
  truncateSync(file, bytes);
}

/** A lock as this process would write it, but for some parts. */
function forge(folder: string, parts: object): void {
  const lock = new FolderLock(folder);
  const text = readFileSync(lockIn(folder), 'utf8');
  lock.release();
  writeFileSync(lockIn(folder), JSON.stringify({ ...JSON.parse(text), ...parts }));
}

it('is held by one at a time, and leaves nothing', () => {
  const folder = fresh();
  const lock = new FolderLock(folder);
  expect(() => new FolderLock(folder)).toThrowError(refused);
  expect(lock.look()).toBe(null);
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
  new FolderLock(folder).release();
});

it('is not taken from a process that lives', async () => {
  const folder = fresh();
  const child = spawn('sleep', ['60']);
  // The start of the other process is not known here: its number is enough.
  forge(folder, { pid: child.pid, start: null });
  expect(() => new FolderLock(folder)).toThrowError(refused);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.on('close', resolve));
  new FolderLock(folder).release();
});

it.each([
  ['of this process id, started at another time', { start: '1' }],
  ['of a process that is not there', { pid: 2 ** 22 + 1, start: null }],
  ['of an earlier boot', { boot: 'another' }],
])('%s is taken over', (_, parts) => {
  const folder = fresh();
  forge(folder, parts);
  new FolderLock(folder).release();
});

it.each([
  ['a pipe that nobody writes', (file: string) => execFileSync('mkfifo', [file])],
  ['a file of a terabyte', (file: string) => writeSparse(file, 2 ** 40)],
  ['a link to a device without end', (file: string) => symlinkSync('/dev/zero', file)],
  ['a text that says nothing', (file: string) => writeFileSync(file, '{"pid":"1"}')],
])('%s is no lock of a run', (_, make) => {
  const folder = fresh();
  make(lockIn(folder));
  new FolderLock(folder).release();
  expect(readdirSync(folder)).toEqual([]);
});

it('a folder in its place is told', () => {
  const folder = fresh();
  mkdirSync(lockIn(folder));
  const error = { code: 'UNWRITABLE', message: expect.stringMatching(/\.lock: it is a folder/) };
  expect(() => new FolderLock(folder)).toThrowError(expect.objectContaining(error));
});

it.runIf(process.platform === 'linux')(
  'of a process that has ended and waits for its parent is taken over',
  async () => {
    const folder = fresh();
    // The shell becomes a program that never asks how its child ended.
    const parent = spawn('bash', ['-c', 'sleep 0.3 & echo $!; exec sleep 60']);
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
    const fields = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    const start = fields()[19];
    forge(folder, { pid, start });
    expect(() => new FolderLock(folder)).toThrowError(refused);
    while (fields()[0] !== 'Z') await new Promise((resolve) => setTimeout(resolve, 20));
    new FolderLock(folder).release();
    parent.kill('SIGKILL');
  },
);

it.each(['', '{', '[]', '{"pid":"x"}'])('that says %j is taken over', (text) => {
  const folder = fresh();
  writeFileSync(lockIn(folder), text);
  new FolderLock(folder).release();
});

it('of another host is taken over after ten minutes without a sign of life', () => {
  const folder = fresh();
  forge(folder, { host: 'elsewhere' });
  expect(() => new FolderLock(folder)).toThrowError(refused);
  const before = new Date(Date.now() - 11 * 60_000);
  utimesSync(lockIn(folder), before, before);
  new FolderLock(folder).release();
});

it('notices that another run has taken it', () => {
  const folder = fresh();
  const lock = new FolderLock(folder);
  writeFileSync(lockIn(folder), JSON.stringify({ pid: 1, host: 'elsewhere', start: '1' }));
  expect(lock.look()).toEqual(refused);
  lock.release();
});
