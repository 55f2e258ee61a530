import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as browser from '../../src/platform/browser.js';
import * as node from '../../src/platform/node.js';

const name = fc
  .array(fc.constantFrom('a', 'b.c', '..', '.', '', '.d', 'e.f.g'), { maxLength: 6 })
  .map((parts) => parts.join('/'));

describe('what a page has instead of Node', () => {
  it('has the names that Node has', () => {
    expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
    expect(Object.keys(browser.host).sort()).toEqual(Object.keys(node.host).sort());
  });

  it('reads names of files as Node does', () => {
    const { path } = browser;
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(path.normalize(a)).toBe(posix.normalize(a));
        expect(path.join(a, b)).toBe(posix.join(a, b));
        expect(path.resolve('/x', a, b)).toBe(posix.resolve('/x', a, b));
        expect(path.relative(`/${a}`, `/${b}`)).toBe(posix.relative(`/${a}`, `/${b}`));
        expect(path.isAbsolute(a)).toBe(posix.isAbsolute(a));
        if (a.endsWith('/') || a === '') return;
        const clean = posix.resolve('/', a);
        expect(path.dirname(clean)).toBe(posix.dirname(clean));
        expect(path.basename(a)).toBe(posix.basename(a));
        expect(path.extname(a)).toBe(posix.extname(a));
      }),
      { numRuns: 500 },
    );
    for (const one of ['/a/b.c', 'a/b', 'b.c.d', '/a', 'x'])
      expect(path.parse(one)).toEqual(posix.parse(one));
  });

  it('has the checksum of Node, whatever the pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), (pieces) => {
        const [ours, theirs] = [browser.createHash('sha256'), createHash('sha256')];
        for (const piece of pieces) {
          ours.update(piece);
          theirs.update(piece);
        }
        expect(Buffer.from(ours.digest()).toString('hex')).toBe(theirs.digest('hex'));
      }),
    );
  });

  it('has files that behave as those of the system', async () => {
    const folder = mkdtempSync(posix.join(tmpdir(), 'corpuscle-files-'));
    browser.mkdirSync('/files');
    const system = await outcomes(node as unknown as typeof browser, folder);
    const memory = await outcomes(browser, '/files');
    rmSync(folder, { recursive: true });
    expect(memory).toEqual(system);
    expect(memory).toContain('EEXIST');
  });
});

/** What calls on files give, or the codes of their errors. */
async function outcomes(fs: typeof browser, folder: string): Promise<unknown[]> {
  const found: unknown[] = [];
  const at = (file: string) => `${folder}/${file}`;
  const note = (call: () => unknown) => {
    try {
      found.push(call());
    } catch (error) {
      found.push((error as { code?: string }).code);
    }
  };
  const text = (file: string) => note(() => fs.readFileSync(at(file), 'utf8'));
  note(() => fs.writeFileSync(at('a'), 'first'));
  note(() => fs.writeFileSync(at('a'), 'again', { flag: 'wx' }));
  note(() => fs.writeFileSync(at('none/a'), ''));
  note(() => fs.mkdirSync(at('sub')));
  note(() => fs.mkdirSync(at('sub')));
  note(() => fs.mkdirSync(at('x/y')));
  note(() => fs.linkSync(at('a'), at('sub/b')));
  note(() => fs.linkSync(at('a'), at('sub/b')));
  note(() => fs.readFileSync(at('sub'), 'utf8'));
  note(() => fs.readFileSync(at('none'), 'utf8'));
  note(() => fs.rmdirSync(at('sub')));
  note(() => fs.renameSync(at('a'), at('c')));
  note(() => fs.statSync(at('a'), { throwIfNoEntry: false }));
  note(() => fs.statSync(at('c'))!.ino === fs.statSync(at('sub/b'))!.ino);
  const d = fs.openSync(at('c'), 'r+');
  note(() => fs.writeSync(d, Uint8Array.of(70), 0, 1, 0));
  note(() => fs.writevSync(d, [Uint8Array.of(65, 66), Uint8Array.of(67)], 7));
  text('sub/b');
  note(() => fs.ftruncateSync(d, 3));
  note(() => fs.ftruncateSync(d, 5));
  note(() => fs.fstatSync(d).size);
  const bytes = new Uint8Array(8);
  note(() => fs.readSync(d, bytes, 1, 2, null));
  note(() => fs.readSync(d, bytes, 3, 5, null));
  note(() => fs.readSync(d, bytes, 0, 1, 99));
  note(() => [...bytes]);
  note(() => fs.closeSync(d));
  note(() => fs.closeSync(d));
  text('c');
  note(() => fs.readdirSync(folder));
  note(() => fs.readdirSync(at('c')));
  const handle = await fs.open(at('e'), 'w');
  await handle.write(Uint8Array.of(72, 105), 0, 2);
  await handle.close();
  text('e');
  note(() => fs.rmSync(at('e')));
  note(() => fs.rmSync(at('e')));
  note(() => fs.rmSync(at('e'), { force: true }));
  note(() => fs.existsSync(at('e')));
  return found;
}
