import type { KernelSource } from '../device/GpuKernel.js';
import { RECORD_WORDS } from '../neighbors/displacementText.js';
import { cellWgsl } from '../wgsl/frameWgsl.js';

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

const read = (name: string, holds: string, type = 'u32') =>
  ({ name, type: `array<${type}>`, access: 'read', holds }) as const;
const written = (name: string, holds: string, type = 'u32') =>
  ({ name, type: `array<${type}>`, access: 'read_write', holds }) as const;

const own = read('own', 'words of the particles of the rank');
const rowsFrom = read('rowsFrom', 'rows that are read');
const rowsTo = read('rowsTo', 'rows that are written');
const halo = written('halo', 'words of border particles and ghosts');

/** Side by side, what other ranks see. */
export const gatherRows = moving(
  'gather',
  'Packs the rows that other ranks see, one thread a word.',
  [own, rowsFrom, written('packed', 'rows that are sent')],
  'packed[index] = own[rowsFrom[k] * P.words + part];',
);

/** What has arrived, in the rows of the ghosts. */
export const scatterRows = moving(
  'scatter',
  'Puts what other ranks have sent into the rows of ghosts, one thread a word.',
  [read('packed', 'rows that have arrived'), rowsTo, halo],
  'halo[rowsTo[k] * P.words + part] = packed[index];',
);

/** What the border particles have. */
export const copyRows = moving(
  'copy border',
  'Copies rows of border particles from the grid of the rank, one thread a word.',
  [own, rowsFrom, rowsTo, halo],
  'halo[rowsTo[k] * P.words + part] = own[rowsFrom[k] * P.words + part];',
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

/** What border particles have received, added to what they have. */
export const addRows = moving(
  'add border',
  'Adds what border particles have received in the halo to what they have, one thread a number.',
  [
    read('halo', 'numbers of border particles', 'f32'),
    rowsFrom,
    rowsTo,
    written('own', 'numbers of the particles of the rank', 'f32'),
  ],
  'own[rowsFrom[k] * P.words + part] += halo[rowsTo[k] * P.words + part];',
);

/** What ghosts have received on another rank, added to what their particles have. The rows that one rank sees as one image are not twice there. */
export const addShares: KernelSource = {
  label: 'halo: add shares',
  about:
    'Adds what particles have received on other ranks as ghosts to what they have, one thread a number.',
  workgroupSize: LANES,
  buffers: [
    read('packed', 'numbers that have arrived', 'f32'),
    rowsTo,
    written('own', 'numbers of the particles of the rank', 'f32'),
  ],
  params: { first: 'u32', count: 'u32', words: 'u32' },
  body: `
  if (index < P.count * P.words) {
    let k = P.first + index / P.words;
    let part = index % P.words;
    own[rowsTo[k] * P.words + part] += packed[k * P.words + part];
  }`,
};

/** Rows of an origin: edges a, b, c and the shift, each in two parts. */
export const ORIGIN_ROWS = 8;

/**
 * Positions from the frame of one grid to that of another. Multiples of the high parts of edges and shifts are sums without rounding,
 * so that no digits are lost in large boxes (`ExactFrames`).
 *
 * @param source whether rows are packed one after the other with the origin of each, or those of the own grid, of origin 0
 */
function placeKernel(source: 'arrived' | 'border'): KernelSource {
  const isArrived = source === 'arrived';
  return {
    label: `halo: place ${source}`,
    about: `Positions of ${isArrived ? 'ghosts' : 'border particles'} from the frame ${isArrived ? 'of the rank that sends them' : 'of the own grid'} to that of the halo, one thread a row.`,
    workgroupSize: LANES,
    buffers: [
      read('positions', 'positions in the frames of their origins', 'vec4u'),
      read('rowsFrom', isArrived ? 'origin of each row' : 'rows that are read'),
      rowsTo,
      read('origins', 'frames in exact parts', 'vec4f'),
      written('placed', 'positions of the halo', 'vec4u'),
    ],
    params: {
      dims: 'vec4i',
      edgeA: 'vec4f',
      edgeB: 'vec4f',
      edgeC: 'vec4f',
      edgeALow: 'vec4f',
      edgeBLow: 'vec4f',
      edgeCLow: 'vec4f',
      inverseX: 'vec4f',
      inverseY: 'vec4f',
      inverseZ: 'vec4f',
      count: 'u32',
    },
    declarations: `${cellWgsl}
// A vector in cells.
fn inCells(v: vec3f) -> vec3f {
  return vec3f(dot(v, P.inverseX.xyz), dot(v, P.inverseY.xyz), dot(v, P.inverseZ.xyz));
}`,
    body: `
  if (index < P.count) {
    let row = positions[${isArrived ? 'index' : 'rowsFrom[index]'}];
    let o = ${isArrived ? `rowsFrom[index] * ${ORIGIN_ROWS}u` : '0u'};
    let c = vec3f(unpackCell(row.w));
    // High parts are whole multiples of one number: no rounding.
    let high = c.x * origins[o].xyz + c.y * origins[o + 2u].xyz + c.z * origins[o + 4u].xyz + origins[o + 6u].xyz;
    let low = c.x * origins[o + 1u].xyz + c.y * origins[o + 3u].xyz + c.z * origins[o + 5u].xyz + origins[o + 7u].xyz;
    let rest = relative(row) + low;
    let to = rowsTo[index];
    let cell = clamp(vec3i(round(inCells(high + rest))), vec3i(0), P.dims.xyz - 1);
    let t = vec3f(cell);
    let off = high - (t.x * P.edgeA.xyz + t.y * P.edgeB.xyz + t.z * P.edgeC.xyz);
    let x = off + (rest - (t.x * P.edgeALow.xyz + t.y * P.edgeBLow.xyz + t.z * P.edgeCLow.xyz));
    placed[to] = vec4u(bitcast<vec3u>(x), packCell(cell));
  }`,
  };
}

export const placeArrived = placeKernel('arrived');
export const placeBorder = placeKernel('border');

/** Rows of one block that take the places of others. */
export const moveRows = moving(
  'close gaps',
  'Moves rows from the end into the places of those that have left, one thread a word.',
  [rowsFrom, rowsTo, written('own', 'words of the particles of the rank')],
  'own[rowsTo[k] * P.words + part] = own[rowsFrom[k] * P.words + part];',
);

/** The rows that border particles and ghosts have at first: one after the other. */
export const firstRows: KernelSource = {
  label: 'halo: first rows',
  about:
    'Tells border particles and ghosts their rows before a sort, and ghosts their origins, one thread a row.',
  workgroupSize: LANES,
  buffers: [
    read('ends', 'where the ghosts of each origin end'),
    written('places', 'place of each row: border particles, then ghosts'),
    written('borderTo', 'rows of border particles'),
    written('ghostsTo', 'rows of ghosts'),
    written('ghostsFrom', 'origin of each ghost, from 1 on'),
  ],
  params: { count: 'u32', border: 'u32', origins: 'u32' },
  body: `
  if (index < P.count) {
    places[index] = index;
    if (index < P.border) {
      borderTo[index] = index;
    } else {
      let ghost = index - P.border;
      var origin = 1u;
      for (var left = P.origins; left > 0u; left--) { origin += select(0u, 1u, ghost >= ends[left - 1u]); }
      ghostsTo[ghost] = index;
      ghostsFrom[ghost] = origin;
    }
  }`,
};

/** The rows that border particles and ghosts have after a sort. */
export const findRows: KernelSource = {
  label: 'halo: find rows',
  about: 'Tells border particles and ghosts their rows after a sort, one thread a row.',
  workgroupSize: LANES,
  buffers: [
    read('places', 'place of each row before the sort: border particles, then ghosts'),
    written('borderTo', 'rows of border particles'),
    written('ghostsTo', 'rows of ghosts'),
    written('isGhost', '1 for the rows of ghosts'),
  ],
  params: { count: 'u32', border: 'u32' },
  body: `
  if (index < P.count) {
    let place = places[index];
    if (place < P.border) { borderTo[place] = index; } else { ghostsTo[place - P.border] = index; }
    isGhost[index] = select(0u, 1u, place >= P.border);
  }`,
};
