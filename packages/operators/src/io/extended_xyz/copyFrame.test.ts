import { expect, it } from 'vitest';
import { textOf } from '../text/textRows.js';
import { copyFrame } from './copyFrame.js';
import { extendedXyzPieces, type WriteFrame } from './formatExtendedXyz.js';

it('a copy has the same text, also after the particles have moved', () => {
  const position = new Float64Array([1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0]);
  const frame: WriteFrame = {
    count: 3,
    lattice: [9, 0, 0, 0, 9, 0, 0, 0, 9],
    periodic: [true, true, true],
    columns: [
      { name: 'species', type: 'S', width: 1, values: [1, 0, 1], names: ['A', 'ü'] },
      { name: 'pos', type: 'R', width: 3, values: position, stride: 4, factor: 0.1 },
      { name: 'id', type: 'I', width: 1, values: BigUint64Array.of(7n, 2n ** 60n, 9n) },
    ],
    properties: { step: 3 },
    order: Uint32Array.of(2, 0, 1),
  };
  const before = textOf(extendedXyzPieces(frame));
  const copy = structuredClone(copyFrame(frame));
  position.fill(0);
  expect(textOf(extendedXyzPieces(copy))).toBe(before);
});
