import type { KernelSource } from '../device/GpuKernel.js';
import { RECORD_WORDS } from '../neighbors/displacementText.js';
import { read, written } from './rowBuffers.js';

const LANES = 128;

/** A kernel that moves words of rows, one thread a word. */
const moving = (
  label: string,
  about: string,
  buffers: KernelSource['buffers'],
  statement: string,
): KernelSource => ({
  label: `halo: ${label}`,
  about,
  workgroupSize: LANES,
  buffers,
  params: { count: 'u32', words: 'u32' },
  body: `
  if (index < P.count * P.words) {
    let k = index / P.words;
    let part = index - k * P.words;
    ${statement}
  }`,
});

const rowsFrom = read('rowsFrom', 'rows that are read');
const rowsTo = read('rowsTo', 'rows that are written');

/** Side by side, what is sent of some rows: from word `at` on, `stride` words a row, of which a block may have some. */
export const gatherRows: KernelSource = {
  ...moving(
    'gather',
    'Packs rows side by side, one thread a word.',
    [read('own', 'words of particles'), rowsFrom, written('packed', 'rows that are sent')],
    'packed[P.at + k * P.stride + part] = own[rowsFrom[k] * P.words + part];',
  ),
  params: { count: 'u32', words: 'u32', stride: 'u32', at: 'u32' },
};

/** Packed rows, where they belong. */
export const scatterRows = moving(
  'scatter',
  'Puts packed rows where they belong, one thread a word.',
  [read('packed', 'rows that have arrived'), rowsTo, written('placed', 'words of particles')],
  'placed[rowsTo[k] * P.words + part] = packed[index];',
);

/** Says of each particle whether others see it; zero before. */
export const markRows: KernelSource = {
  label: 'halo: mark border',
  about: 'Marks the rows that other ranks see, one thread a row.',
  workgroupSize: LANES,
  buffers: [rowsFrom, written('displacements', 'a record, and 1 for particles that wait')],
  params: { count: 'u32' },
  body: `
  if (index < P.count) { displacements[${RECORD_WORDS}u + rowsFrom[index]] = 1u; }`,
};

/** Rows of one block that take the places of others. */
export const moveRows = moving(
  'close gaps',
  'Moves rows from the end into the places of those that have left, one thread a word.',
  [rowsFrom, rowsTo, written('own', 'words of the particles of the rank')],
  'own[rowsTo[k] * P.words + part] = own[rowsFrom[k] * P.words + part];',
);

/** The rows that ghosts and border particles have at first: one after the other. */
export const firstRows: KernelSource = {
  label: 'halo: first rows',
  about:
    'Tells ghosts and border particles their rows before a sort, and their origins, one thread a row.',
  workgroupSize: LANES,
  buffers: [
    read('ends', 'where the ghosts of each origin end'),
    written('places', 'place of each row: ghosts, then border particles'),
    written('seenTo', 'rows of ghosts, then of border particles'),
    written('seenFrom', 'origin of each ghost, from 1 on, and 0 of border particles'),
  ],
  params: { count: 'u32', ghosts: 'u32', origins: 'u32' },
  body: `
  if (index < P.count) {
    places[index] = index;
    seenTo[index] = index;
    var origin = 0u;
    if (index < P.ghosts) {
      origin = 1u;
      for (var left = P.origins; left > 0u; left--) { origin += select(0u, 1u, index >= ends[left - 1u]); }
    }
    seenFrom[index] = origin;
  }`,
};

/** The rows that ghosts and border particles have after a sort. */
export const findRows: KernelSource = {
  label: 'halo: find rows',
  about: 'Tells ghosts and border particles their rows after a sort, one thread a row.',
  workgroupSize: LANES,
  buffers: [
    read('places', 'place of each row before the sort: ghosts, then border particles'),
    written('seenTo', 'rows of ghosts, then of border particles'),
    written('isGhost', '1 for the rows of ghosts'),
  ],
  params: { count: 'u32', ghosts: 'u32' },
  body: `
  if (index < P.count) {
    let place = places[index];
    seenTo[place] = index;
    isGhost[index] = select(0u, 1u, place < P.ghosts);
  }`,
};
