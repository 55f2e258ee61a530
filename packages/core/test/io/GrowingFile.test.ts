import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleScript } from '../../../../test/support/bundleScript.js';
import { GrowingFile } from '../../src/io/GrowingFile.js';
import { fresh, inFreshFolders, read } from './fixture.js';

inFreshFolders();

describe('a growing file', () => {
  it('has every record under its own name within a second, while it is open', async () => {
    const folder = fresh();
    const file = new GrowingFile(path.join(folder, 'a.txt'));
    file.write('1\n');
    file.write('2\n');
    expect(readdirSync(folder)).toEqual(['a.txt']);
    await sleep(600);
    expect(read(folder, 'a.txt')).toBe('1\n2\n');
    await file.close();
  });

  it('keeps the order of records of any size, and counts their bytes', async () => {
    const folder = fresh();
    const file = new GrowingFile(path.join(folder, 'a.txt'));
    const line = `${'0123456789'.repeat(20)}é\n`;
    for (let k = 0; k < 3000; k++) file.write(line);
    await file.writePieces(Array.from({ length: 100 }, () => line.repeat(500)));
    file.write(new Uint8Array([65, 10]));
    const all = `${line.repeat(53_000)}A\n`;
    expect(file.position).toBe(Buffer.byteLength(all));
    await file.flush();
    expect(read(folder, 'a.txt') === all).toBe(true);
    await file.close();
    expect(read(folder, 'a.txt') === all).toBe(true);
    expect(() => file.write('late')).toThrowError(expect.objectContaining({ code: 'CLOSED' }));
  });

  it('tells when the bytes of a record may change', async () => {
    const folder = fresh();
    const file = new GrowingFile(path.join(folder, 'a.txt'));
    const bytes = new Uint8Array(100_000).fill(65);
    const change = () => bytes.fill(66);
    file.write(bytes, change);
    await file.flush();
    expect(bytes[0]).toBe(66);
    await file.writePieces([bytes, bytes], () => bytes.fill(67));
    await file.flush();
    await file.close();
    expect(bytes[0]).toBe(67);
    expect(read(folder, 'a.txt') === 'A'.repeat(100_000) + 'B'.repeat(200_000)).toBe(true);
  });

  it('waits for the disk when too much waits in memory', async () => {
    const folder = fresh();
    const file = new GrowingFile(path.join(folder, 'a.txt'));
    const record = `${'x'.repeat(1 << 20)}\n`;
    for (let k = 0; k < 40; k++) file.write(record);
    expect(file.stalled).toBeGreaterThan(0);
    await file.close();
    expect(read(folder, 'a.txt') === record.repeat(40)).toBe(true);
  });

  it('has nothing of a record if making one of its pieces fails', async () => {
    const folder = fresh();
    const file = new GrowingFile(path.join(folder, 'a.txt'));
    file.write('first\n');
    function* pieces() {
      for (let k = 0; k < 12; k++) yield 'x'.repeat(1 << 20);
      throw new RangeError('no more');
    }
    await expect(file.writePieces(pieces())).rejects.toThrow(RangeError);
    file.write('second\n');
    await file.close();
    expect(read(folder, 'a.txt')).toBe('first\nsecond\n');
  });

  it('gives an older file a numbered name, or replaces it', async () => {
    const folder = fresh();
    const name = path.join(folder, 'a.txt');
    for (const text of ['one', 'two', 'three']) {
      const file = new GrowingFile(name);
      file.write(text);
      await file.close();
    }
    expect(readdirSync(folder).sort()).toEqual(['#a.txt.1#', '#a.txt.2#', 'a.txt']);
    expect([read(folder, '#a.txt.1#'), read(folder, '#a.txt.2#')]).toEqual(['one', 'two']);
    const file = new GrowingFile(name, { older: 'replace' });
    file.write('four');
    await file.close();
    expect(read(folder, 'a.txt')).toBe('four');
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it('goes on after a number of bytes, and cuts off the rest', async () => {
    const folder = fresh();
    const name = path.join(folder, 'a.txt');
    writeFileSync(name, '1\n2\n3\nto');
    const file = new GrowingFile(name, { resumeAt: 4 });
    expect(file.position).toBe(4);
    expect(read(folder, 'a.txt')).toBe('1\n2\n');
    file.write('three\n');
    await file.close();
    expect(read(folder, 'a.txt')).toBe('1\n2\nthree\n');
    expect(readdirSync(folder)).toEqual(['a.txt']);
    expect(() => new GrowingFile(name, { resumeAt: 99 })).toThrowError(
      expect.objectContaining({ code: 'FILE_FORMAT' }),
    );
  });

  it('writes to pipes', async () => {
    const folder = fresh();
    const name = path.join(folder, 'pipe');
    spawnSync('mkfifo', [name]);
    const pipe = openSync(name, constants.O_RDWR | constants.O_NONBLOCK);
    const file = new GrowingFile(name);
    file.write('to whom');
    file.write(' it may concern');
    await file.close();
    const bytes = Buffer.alloc(99);
    expect(bytes.toString('utf8', 0, readSync(pipe, bytes))).toBe('to whom it may concern');
    closeSync(pipe);
    expect(readdirSync(folder)).toEqual(['pipe']);
  });

  it('says that a device is full', async () => {
    const failures: string[] = [];
    const file = new GrowingFile('/dev/full', {
      onFailure: ({ message }) => failures.push(message),
    });
    file.write('x\n');
    await expect(file.flush()).rejects.toMatchObject({ code: 'OUTPUT_FAILED' });
    expect(failures).toEqual([
      'cannot go on writing /dev/full: the disk is full; what was written before is kept',
    ]);
    expect(() => file.write('y\n')).toThrow(/disk is full/);
    await expect(file.close()).rejects.toMatchObject({ code: 'OUTPUT_FAILED' });
    expect(file.isOpen).toBe(false);
  });

  it('notices that it has been renamed', async () => {
    const folder = fresh();
    const file = new GrowingFile(path.join(folder, 'a.txt'));
    file.write('1\n');
    file.checkName();
    expect(file.failure).toBe(null);
    renameSync(path.join(folder, 'a.txt'), path.join(folder, 'b.txt'));
    file.checkName();
    expect(file.failure).toMatchObject({ code: 'OUTPUT_FAILED' });
    await file.close().catch(() => undefined);
  });
});

const home = mkdtempSync(path.join(tmpdir(), 'corpuscle-growing-'));
const bundle = path.join(home, 'GrowingFile.mjs');
const source = fileURLToPath(new URL('../../src/io/GrowingFile.ts', import.meta.url));
beforeAll(() => bundleScript(source, bundle));
afterAll(() => rmSync(home, { recursive: true }));

/** Runs a script in its own process with a growing file `file` open. */
function withFile(name: string, script: string, wrap: readonly string[] = []) {
  const text = `const { GrowingFile } = await import(${JSON.stringify(bundle)});
    const file = new GrowingFile(${JSON.stringify(name)}); ${script}`;
  const node = [process.execPath, '--input-type=module', '-e', text];
  const [program, ...argv] = [...wrap, ...node];
  return spawn(program!, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
}

const endOf = (child: ReturnType<typeof spawn>) =>
  new Promise<number | null>((resolve) => child.on('close', resolve));

describe.concurrent('a process that ends', () => {
  it.each([
    ['by process.exit', 'process.exit(3);', 3],
    ['with an exception', 'throw new Error("no");', 1],
    ['because nothing is left to do', '', 0],
  ])('%s has written every record', async (_, end, code) => {
    const folder = fresh();
    const script = `for (let k = 0; k < 1000; k++) file.write(k + '\\n'); ${end}`;
    expect(await endOf(withFile(path.join(folder, 'a.txt'), script))).toBe(code);
    const lines = read(folder, 'a.txt').split('\n');
    expect(lines).toEqual([...Array.from({ length: 1000 }, (_, k) => String(k)), '']);
  });

  it('by SIGKILL has complete lines, and every one that is older than a second', async () => {
    const folder = fresh();
    // The loop gives timers and events a turn every 20 ms, as a run does, and prints what it has written.
    const script = `for (let k = 0; ; ) {
      const until = performance.now() + 20;
      while (performance.now() < until) { file.write('row ' + k++ + '\\n'); for (let j = 0; j < 1e4; j++); }
      process.stdout.write(Date.now() + ' ' + (k - 1) + '\\n');
      await new Promise(setImmediate);
    }`;
    const child = withFile(path.join(folder, 'a.txt'), script);
    let out = '';
    child.stdout!.on('data', (data) => {
      out += data;
    });
    const end = endOf(child);
    while (out.split('\n').length < 70) await sleep(20);
    child.kill('SIGKILL');
    const killed = Date.now();
    await end;
    const text = read(folder, 'a.txt');
    expect(text.endsWith('\n')).toBe(true);
    const lines = text.trimEnd().split('\n');
    expect(lines.every((line, k) => line === `row ${k}`)).toBe(true);
    const printed = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    const old = printed.findLast(([time]) => time! < killed - 1000);
    expect(lines.length).toBeGreaterThan(old![1]!);
  });

  it('at the limit of file sizes keeps complete records only', async () => {
    const folder = fresh();
    const script = `process.on('SIGXFSZ', () => {});
      for (let k = 0; k < 2000; k++) file.write(String(k).padStart(99) + '\\n');
      await file.close().catch((error) => process.stdout.write(error.code));`;
    const child = withFile(path.join(folder, 'a.txt'), script, [
      'bash',
      '-c',
      'ulimit -f 64; exec "$@"',
      '-',
    ]);
    let out = '';
    child.stdout!.on('data', (data) => {
      out += data;
    });
    expect(await endOf(child)).toBe(0);
    expect(out).toBe('OUTPUT_FAILED');
    const text = read(folder, 'a.txt');
    expect(text.length).toBe(65_500); // of 65,536 bytes
    expect(text.endsWith('\n')).toBe(true);
  });
});
