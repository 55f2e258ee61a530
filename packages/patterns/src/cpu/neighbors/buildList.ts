import {
  FieldBlock,
  type Grid,
  imageCount,
  type ListSegment,
  type NeighborList,
  type NeighborListKind,
} from '@corpuscle/core';
import type { CpuServices } from '../CpuServices.js';
import { HeapBuffer } from './HeapBuffer.js';
import { SEGMENT_BYTES, searchThread } from './kernels/search/SearchSetting.js';
import { fullSearchKernel, halfSearchKernel } from './kernels/searchKernel.js';
import { launch } from './launch.js';
import type { NeighborState } from './NeighborState.js';
import { rowsNamed } from './rowsNamed.js';
import { StencilTable, stencilKey } from './StencilTable.js';

/** Dummy rows from one segment's to the next: eight of the narrowest fields, of eight bytes, fill a line of memory. */
const DUMMY_STEP = 8;

/** Rows whose work is added up to be passed over together. */
const WEIGHED = 256;

/** Cells handed to the search at once. */
const CHUNK = 64;

/**
 * Builds a list of the given kind from the coordinates recorded at the last sort. Segments and stencil buffers
 * that turn out too small are grown and the search is done again: nothing is ever cut off.
 *
 * @param bounds ranges of cells of each part; default: of equal work
 */
export function buildList(
  services: CpuServices,
  state: NeighborState,
  grid: Grid,
  kind: NeighborListKind,
  bounds = cellBounds(state, grid, services.parts, kind),
): NeighborList {
  const { heap } = services;
  const parts = bounds.length - 1;
  const geometry = state.geometry!;
  const { radius } = state.lists;
  const list = state.lists.open(kind);
  list.padding = grid.count;
  // Coordinates are those of the sort, whatever the box has become since.
  const { domain } = state.sorted!;
  if (state.stencil?.key !== stencilKey(domain, geometry, radius)) {
    state.stencil?.free();
    state.stencil = new StencilTable(heap, domain, geometry, radius);
  }
  const { stencil } = state;
  const met = state.lines.met(stencil.list, kind);
  state.bounds[kind] = bounds;
  const [nx, ny, nz] = geometry.dims;
  const [reachX, reachY, reachZ] = stencil.reach;
  list.images = imageCount(geometry.images);
  const header = SEGMENT_BYTES * stencil.imageCount;
  const limit = (radius + geometry.rounding) ** 2 * (1 + 1e-6);
  const sizes = initialSizes(state, grid, kind, parts);
  for (;;) {
    const records = threadRecords(state, grid, list, sizes, { bounds, header });
    launch(
      services,
      state.record,
      kind === 'half' ? halfSearchKernel() : fullSearchKernel(),
      {
        start: grid.cells.startAddress,
        ...state.lines.addresses,
        x: state.x.address,
        y: state.y.address,
        z: state.z.address,
        slots: state.slots[kind].reserve(4 * grid.count),
        rows: stencil.rows,
        rowCount: stencil.rowCount,
        center: stencil.center,
        images: stencil.images,
        imageCount: kind === 'half' ? stencil.halfImageCount : stencil.imageCount,
        header,
        compress: stencil.compress,
        nx,
        ny,
        nz,
        reachX,
        reachY,
        reachZ,
        limit,
        threads: state.scratch.address,
      },
      { end: grid.cells.count, schedule: { kind: 'static', bounds, chunk: CHUNK } },
    );
    let overflow = 0;
    for (let t = 0; t < parts; t++) {
      const record = records.subarray((searchThread.bytes / 4) * t);
      overflow |= told(record, 'overflow');
      const segment = list.segments[t]!;
      fillSegment(segment, record);
      const part = { first: bounds[t]!, end: bounds[t + 1]! };
      segment.borderRows = rowsNamed(grid.cells, met, part);
    }
    if (overflow === 0) break;
    if (overflow & 1) {
      sizes.entries = Math.ceil(sizes.entries * 1.5);
      sizes.indices = Math.ceil(sizes.indices * 1.5);
    }
    if (overflow & 2) sizes.buffer *= 2;
  }
  state.slotCount[kind] = grid.count;
  return list;
}

/** Room for what each part of a search finds, as the kernel reads it. */
function threadRecords(
  state: NeighborState,
  { heap, count, cells }: Grid,
  list: NeighborList,
  sizes: Sizes,
  { bounds, header }: { readonly bounds: readonly number[]; readonly header: number },
): Int32Array {
  const words = searchThread.bytes / 4;
  const parts = bounds.length - 1;
  const threads = state.scratch.reserve(searchThread.bytes * parts);
  const records = heap.i32(threads, words * parts);
  for (let t = 0; t < parts; t++) {
    const segment = list.reserve(t, sizes.entries, sizes.indices);
    segment.padding = count + ((DUMMY_STEP * t) % FieldBlock.DUMMIES);
    state.stencilBuffers[t] ??= new HeapBuffer(heap);
    const buffer = state.stencilBuffers[t]!.reserve(header + 16 * sizes.buffer);
    records.set(
      [
        heap.word(segment.entries),
        segment.entryCapacity,
        0,
        heap.word(segment.indices),
        segment.indexCapacity,
        0,
        heap.word(buffer),
        sizes.buffer,
        0,
        segment.padding,
        cells.start[bounds[t]!]!,
        cells.start[bounds[t + 1]!]!,
        0,
      ],
      words * t,
    );
  }
  return records;
}

const told = (record: Int32Array, name: keyof typeof searchThread): number =>
  record[searchThread[name] / 4]!;

/** What a search has told of its segment. */
function fillSegment(segment: ListSegment, record: Int32Array): void {
  segment.entryCount = told(record, 'entryCount');
  segment.indexCount = told(record, 'indexCount');
  segment.borderCount = told(record, 'borderCount');
  segment.border = segment.entries + 16 * (segment.entryCapacity - segment.borderCount);
}

/** Room for a part of a search: entries, indices, and coordinates in the stencil buffer. */
interface Sizes {
  entries: number;
  indices: number;
  buffer: number;
}

/**
 * Ranges of cells with equal work: by the slots each row had in the previous search of this kind (rows move little between
 * two sorts), by the number of particles in the first one.
 */
function cellBounds(
  state: NeighborState,
  grid: Grid,
  threads: number,
  kind: NeighborListKind,
): readonly number[] {
  const { count } = grid;
  const slots = state.slots[kind];
  const cells = grid.cells.count;
  const bounds = [0];
  if (threads > 1) {
    const known = state.slotCount[kind] === count && slots.address !== 0;
    const weights = known ? grid.heap.i32(slots.address, count) : null;
    const blocks = new Float64Array(Math.floor(count / WEIGHED));
    let total = 0;
    for (let row = 0, before = 0; row < count; row++) {
      total += weights ? weights[row]! + 1 : 1;
      if ((row + 1) % WEIGHED > 0) continue;
      blocks[(row + 1) / WEIGHED - 1] = total - before;
      before = total;
    }
    const { start } = grid.cells;
    let sum = 0;
    let row = 0;
    let cell = 0;
    for (let t = 1; t < threads; t++) {
      while (row < count && sum * threads < total * t) {
        const block = row % WEIGHED === 0 ? blocks[row / WEIGHED] : undefined;
        if (block !== undefined && (sum + block) * threads < total * t) {
          sum += block;
          row += WEIGHED;
        } else {
          sum += weights ? weights[row]! + 1 : 1;
          row++;
        }
      }
      while (cell < cells && start[cell + 1]! <= row) cell++;
      bounds.push(Math.max(bounds[t - 1]!, cell));
    }
  }
  bounds.push(cells);
  return bounds;
}

function initialSizes(
  state: NeighborState,
  grid: Grid,
  kind: NeighborListKind,
  threads: number,
): Sizes {
  const { count } = grid;
  const geometry = state.geometry!;
  const cellVolume =
    state.sorted!.domain.volume / Math.abs(geometry.scale.reduce((a, b) => a * (b || 1), 1));
  const density = count / (cellVolume * grid.cells.count);
  const sphere =
    (4 / 3) * Math.PI * state.lists.radius ** 3 * density * (kind === 'half' ? 0.5 : 1);
  const candidates = count * state.stencil!.imageCount;
  const perRow = Math.min(candidates, sphere) * 1.1 + 8;
  const share = (count / threads) * (threads > 1 ? 1.15 : 1);
  return {
    entries: Math.ceil(share * 1.5) + 64,
    indices: Math.ceil(share * perRow) + 1024,
    buffer: Math.min(candidates * 4, Math.ceil(40 * density * state.lists.radius ** 3)) + 1024,
  };
}
