import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, expect, it, vi } from 'vitest';
import { H5mdReading } from './H5mdReading.js';
import { loadH5wasm } from './loadH5wasm.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-memory-'));
afterAll(() => rmSync(folder, { recursive: true }));
vi.spyOn(console, 'error').mockReturnValue(); // The module of HDF5 tells there what it is refused.
const file = join(folder, 'packed.h5md');

/** A file whose steps are packed, beside bytes that nobody reads. */
async function writePacked(bytes: Buffer): Promise<Buffer> {
  const h5 = await loadH5wasm();
  const packed = new h5.File(file, 'w');
  packed.create_group('h5md').create_attribute('version', [1, 1]);
  const position = packed.create_group('particles').create_group('all').create_group('position');
  position.create_dataset({ name: 'value', data: new Float64Array(6), shape: [1, 2, 3] });
  const place = { shape: [1], maxshape: [null], chunks: [9], compression: 'gzip' as const };
  position.create_dataset({ name: 'step', data: Int32Array.of(7), ...place });
  packed.create_dataset({ name: 'bytes', data: new Uint8Array(bytes) });
  packed.close();
  return readFileSync(file);
}

it('a part that unpacks to more than it may is refused before the memory is taken', async () => {
  const h5 = await loadH5wasm();
  const module = await h5.ready;
  const bomb = deflateSync(Buffer.alloc(2 ** 26));
  const bytes = await writePacked(bomb);
  const sound = new H5mdReading(h5, file);
  expect(sound.read(0)).toMatchObject({ step: 7, count: 2 });
  sound.close();
  //  TREE: 24 bytes, then of a chunk: bytes u32, mask u32, where u64, u64, address u64
  const chunk = bytes.indexOf('TREE\x01') + 24;
  bytes.writeUInt32LE(bomb.length, chunk);
  bytes.writeBigUInt64LE(BigInt(bytes.indexOf(bomb)), chunk + 24);
  writeFileSync(file, bytes);
  const before = module.HEAPU8.byteLength;
  expect(() => new H5mdReading(h5, file)).toThrow(
    /packed\.h5md' is damaged, .*: it takes more than \d+ bytes of memory$/,
  );
  expect(module.HEAPU8.byteLength - before).toBeLessThan(4 * bytes.length + 2 ** 24);
});
