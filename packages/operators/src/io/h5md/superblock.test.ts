import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { isMarked, lookup3 } from './superblock.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-superblock-'));
afterAll(() => rmSync(folder, { recursive: true }));

const head = Buffer.from(
  '894844460d0a1a0a030808000000000000000000ffffffffffffffffc13dba00000000003000000000000000b6eec5c7',
  'hex',
);

it('has the checksum of a head that HDF5 has written', () => {
  expect(lookup3(head.subarray(0, 44))).toBe(head.readUInt32LE(44));
});

it('sees the mark of an open writer in an intact superblock only', () => {
  const marked = Buffer.from(head);
  marked[11] = 5;
  const file = join(folder, 'marked.h5');
  writeFileSync(file, marked);
  expect(isMarked(file)).toBe(false);
  marked.writeUInt32LE(lookup3(marked.subarray(0, 44)), 44);
  writeFileSync(file, marked);
  expect(isMarked(file)).toBe(true);
});
