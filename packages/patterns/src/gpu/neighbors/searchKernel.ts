import type { KernelSource } from '../device/GpuKernel.js';
import { cellVectorWgsl, cellWgsl } from '../wgsl/frameWgsl.js';
import { type Candidates, packedCandidates, wholeCandidates } from './candidates.js';
import { type EntryFormat, imageCodeWgsl, imageOfEntries } from './EntryFormat.js';
import {
  boxesText,
  cellDeclarations,
  searchBuffers,
  searchParams,
  TRIM,
  TRIM_OWN,
  WAVE,
} from './searchText.js';
import { storeWords } from './storeWords.js';

const LANES = 128;
/**
 * Words of tested bits a thread keeps before it turns them into entries. Liquids fill some twelve; the rarer case of more is
 * only slower.
 */
const WORDS = 16;
export interface SearchShape {
  readonly orthorhombic: boolean;
  /** Rows of cells are cut to what the sphere reaches: rectangular cells with all particles inside theirs. */
  readonly trimmed: boolean;
  /** Candidates are read as `packingText` makes them; trimmed kernels only. */
  readonly packed: boolean;
  readonly format: EntryFormat;
}

/**
 * The search for neighbors of sorted particles, one thread a particle. Rows of cells along x are contiguous runs of
 * particles; those that the sphere does not touch are left out, and so are the ends of a row that it does not reach. A row
 * that crosses a periodic face is two or three runs.
 *
 *   test     distances give bits, up to 32 of a run in a word, and no thread waits for others that have found something
 *   store    bits become entries, four written together, in the order of the candidates; threads write side by side
 *
 *   neighbor at cell c + o, wrapped by k boxes  ⇒  image −k is added to the central particle, d = x_i − x_j − o·edges
 *
 * Loops count down to zero, which Tint sees to end; to others it adds counters of 64 bits, which cost a tenth of the time.
 *
 * Positions are noted on the way: what lists were made for.
 *
 * With few cells along an axis the same cell comes up with several images; each is a pair of its own, told apart by its
 * image.
 */
export function searchKernel(shape: SearchShape): KernelSource {
  const { orthorhombic, trimmed, packed, format } = shape;
  const isFar = format.imageBits > 0;
  const candidates = packed ? packedCandidates : wholeCandidates(orthorhombic);
  return {
    label: 'neighbors: build lists',
    about: `Builds the neighbor list of each particle, one thread a particle; particles are sorted by cell.
  rows      rows of cells along x that the sphere reaches${trimmed ? ', cut to what it touches' : ''}
  run       a row is a run of particles; one that crosses a periodic face is two or three
  test      distances of 32 candidates give the bits of a word
  store     bits become entries, four written together`,
    workgroupSize: LANES,
    buffers: [...searchBuffers('vec4u'), ...candidates.buffers],
    params: searchParams(candidates),
    declarations: `${cellWgsl}${cellVectorWgsl(orthorhombic)}${imageCodeWgsl(format)}
var<workgroup> longest: atomic<u32>;
var<workgroup> imaged: array<atomic<u32>, ${LANES / WAVE}>;${cellDeclarations(isFar)}`,
    body: `
  // The particle of this thread; its position is noted: what the lists were made for.
  let own = P.first + index;
  var found = 0u;
  if (own < P.end) {
    let row = position[own];
    reference[own] = row;
    let xi = relative(row);
    let cell = unpackCell(row.w);
    var images = 0u;
    // Tested bits and the entry of the first of them; the last one is for dummies.
    var words: array<vec2u, ${WORDS + 1}>;
    var filled = 0u;
    var stored = 0u;
    ${trimmed ? TRIM_OWN : ''}
    ${candidates.own}
    ${rowsText(shape, candidates)}
    // Store what is left.
    ${storeWords(true)}
    if (${format.isOfCells ? 'images != 0u' : `images >= ${2 ** format.rowBits}u`}) { atomicOr(&imaged[lane / ${WAVE}u], 1u); }
  }
  atomicMax(&longest, found);
  workgroupBarrier();
  // One flag for each wave, so that its threads go the same way later.
  if (own < P.end) { counts[own] = min(found, P.capacity) | (atomicLoad(&imaged[lane / ${WAVE}u]) << 31u); }
  if (lane == 0u) {
    let here = atomicLoad(&longest);
    if (here > atomicLoad(&most[P.at])) { atomicMax(&most[P.at], here); }
  }`,
  };
}

/** Goes through the rows of cells that the sphere may reach. */
const rowsText = ({ trimmed, format }: SearchShape, candidates: Candidates): string =>
  `// Rows of cells that the sphere may reach.
    for (var planes = 2 * P.reach.z + 1; planes > 0; planes--) {
      let oz = P.reach.z + 1 - planes;
      let z = wrapped(cell.z + oz, P.dims.z, P.periodic.z);
      if (!z.valid) { continue; }
      for (var rows = 2 * P.reach.y + 1; rows > 0; rows--) {
        let oy = P.reach.y + 1 - rows;
        let y = wrapped(cell.y + oy, P.dims.y, P.periodic.y);
        if (!y.valid) { continue; }
        var low = cell.x - P.reach.x;
        var high = cell.x + P.reach.x;
        ${trimmed ? TRIM : ''}
        let xr = xi - cellVector(vec3i(0, oy, oz));
        ${candidates.row}
        let line = (z.cell * P.dims.y + y.cell) * P.dims.x;
        ${boxesText(format.imageBits > 0)}
          let head = max(low - box * P.dims.x, 0);
          let tail = min(high - box * P.dims.x, P.dims.x - 1);
          if (head > tail) { continue; }
          ${runText(format, candidates)}
        }
      }
    }`;

/** Tests a run of particles, up to 32 of them for a word. */
const runText = (format: EntryFormat, candidates: Candidates): string =>
  `// A run of particles, in one periodic image.
          let image = ${imageOfEntries(format, 'vec3i(-box, -y.box, -z.box)')};
          ${candidates.run}
          let end = start[u32(line + tail) + 1u];
          let begin = start[u32(line + head)];
          var j = begin${candidates.each === 2 ? ' & ~1u' : ''};
          for (var spans = (end - j + 31u) >> 5u; spans > 0u; spans--) {
            let bits = min(end - j, 32u);
            ${testText(candidates)}
            // Neither candidates after the run, nor the particle itself.
            near &= 0xffffffffu >> (32u - bits);
            ${candidates.each === 2 ? 'if (j < begin) { near &= ~1u; }' : ''}
            let code = j | image;
            if (own - code < 32u) { near &= ~(1u << (own - code)); }
            if (near != 0u) {
              images |= ${format.isOfCells ? 'select(0u, 1u, (box | y.box | z.box) != 0)' : 'code'};
              words[filled] = vec2u(near, code);
              filled++;
              found += countOneBits(near);
              if (filled == ${WORDS}u) { ${storeWords(false)} }
            }
            j += 32u;
          }`;

/** Distances of up to 32 candidates give the bits of `near`. */
const testText = (candidates: Candidates): string => {
  const { atOnce } = candidates;
  const tests = Array.from(
    { length: atOnce },
    (_, k) => `{
                ${candidates.distance(k)}
                some |= select(0u, ${2 ** k}u, ${candidates.isNear});
              }`,
  );
  return `// Distances of up to 32 candidates give bits.
            var near = 0u;
            var k = 0u;
            for (var chunks = (bits + ${atOnce - 1}u) / ${atOnce}u; chunks > 0u; chunks--) {
              ${candidates.read('j + k')}
              var some = 0u;
              ${tests.join('\n              ')}
              near |= some << k;
              k += ${atOnce}u;
            }`;
};
