import { expect, it } from 'vitest';
import { lookup3 } from './superblock.js';

it('has the checksum of a head that HDF5 has written', () => {
  const head = Buffer.from(
    '894844460d0a1a0a030808000000000000000000ffffffffffffffffc13dba00000000003000000000000000b6eec5c7',
    'hex',
  );
  expect(lookup3(head.subarray(0, 44))).toBe(head.readUInt32LE(44));
});
