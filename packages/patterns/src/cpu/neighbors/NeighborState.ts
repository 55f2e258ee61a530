import { type Domain, type Grid, type NeighborListKind, NeighborLists } from '@corpuscle/core';
import { perGrid } from '../perGrid.js';
import type { CellGeometry, Extent } from './cellGeometry.js';
import { HeapBuffer } from './HeapBuffer.js';
import { LineTable } from './LineTable.js';
import type { SkinTuner } from './SkinTuner.js';
import type { StencilTable } from './StencilTable.js';

/**
 * What the CPU engine keeps of a grid between two neighbor updates. Everything refers to the last sort:
 *
 *   backup        f64 rows of four: positions at the build, for the displacement test
 *   x, y, z       f32: the same positions relative to the middle of the region, for the search
 *   slots         i32: list slots of each row in the last search of a kind, for balancing threads
 */
export class NeighborState {
  readonly lists: NeighborLists;
  readonly backup: HeapBuffer;
  readonly x: HeapBuffer;
  readonly y: HeapBuffer;
  readonly z: HeapBuffer;
  readonly keys: HeapBuffer;
  readonly order: HeapBuffer;
  /** By kind: how a half list is divided, and so the order of sums, must not depend on calls that ask for a full one. */
  readonly slots: Readonly<Record<NeighborListKind, HeapBuffer>>;
  readonly scratch: HeapBuffer;
  /** Stencil buffers of the search, one per thread. */
  readonly stencilBuffers: HeapBuffer[] = [];
  /** Argument record of the kernel that is running. */
  readonly record: HeapBuffer;
  /** Argument record of the displacement test. */
  readonly displacement: HeapBuffer;
  /** Extent of the particles at the last sort, and the cells that tile it. */
  extent: Extent | null = null;
  geometry: CellGeometry | null = null;
  /** The order of the lines of these cells. */
  readonly lines: LineTable;
  stencil: StencilTable | null = null;
  /** Rows that `slots` holds numbers for. */
  readonly slotCount: Record<NeighborListKind, number> = { half: 0, full: 0 };
  /** Ranges of cells that threads searched in the last search of a kind. */
  readonly bounds: Record<NeighborListKind, readonly number[]> = { half: [], full: [] };
  /** What the lists were last asked for. */
  requested = { rcut: 0, skin: 0 };
  /** Chooses the skin; null where the caller does. */
  tuner: SkinTuner | null = null;
  /** The box that the lists were last found good for; they stay so under small strains. */
  box: Domain | null = null;
  /** The box and the number of particles of the last sort. */
  sorted: { readonly domain: Domain; readonly count: number } | null = null;

  constructor(grid: Grid) {
    const { heap } = grid;
    this.lists = new NeighborLists(heap);
    this.backup = new HeapBuffer(heap);
    this.x = new HeapBuffer(heap);
    this.y = new HeapBuffer(heap);
    this.z = new HeapBuffer(heap);
    this.keys = new HeapBuffer(heap);
    this.order = new HeapBuffer(heap);
    this.slots = { half: new HeapBuffer(heap), full: new HeapBuffer(heap) };
    this.scratch = new HeapBuffer(heap);
    this.record = new HeapBuffer(heap);
    this.lines = new LineTable(heap);
    this.displacement = new HeapBuffer(heap);
  }

  free(): void {
    this.lists.free();
    this.stencil?.free();
    this.lines.free();
    this.stencil = null;
    const { backup, x, y, z, keys, order, slots, scratch, record, displacement } = this;
    const { half, full } = slots;
    const buffers = [backup, x, y, z, keys, order, half, full, scratch, record, displacement];
    for (const buffer of [...buffers, ...this.stencilBuffers]) buffer.free();
  }
}

/** The neighbor state of a grid, made on first use. */
export const neighborState = perGrid((grid) => new NeighborState(grid));
