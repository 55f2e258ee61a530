import { type CorpuscleError, FieldBlock, type Grid, imageFlags } from '@corpuscle/core';
import { notFinite } from '../../plan/refusals.js';
import type { CpuServices } from '../CpuServices.js';
import { chooseSlabs } from './CellLines.js';
import { cellGeometry, type Extent } from './cellGeometry.js';
import { binKernel } from './kernels/binKernel.js';
import { coordinatesKernel, permuteKernel } from './kernels/sortKernels.js';
import { inChunks, launch } from './launch.js';
import type { NeighborState } from './NeighborState.js';
import { sortByCell } from './sortByCell.js';

/** Where padding rows are: so far outside that no cutoff reaches them, and squares of it stay finite. */
export const FAR = 1e9;

/**
 * Sorts the particles of a grid by cell: wraps positions into the box and counts that in image flags, bins, permutes every
 * block, and records the coordinates that the search and the displacement test refer to.
 *
 * @throws CorpuscleError NOT_FINITE naming the id of a particle whose position is NaN or infinite.
 */
export function sortParticles(
  services: CpuServices,
  state: NeighborState,
  grid: Grid,
  radius: number,
): void {
  const { domain, count } = grid;
  const position = grid.block('position');
  const extent = fractionalExtent(grid);
  const geometry = cellGeometry(domain, extent, count, radius);
  state.extent = extent;
  state.geometry = geometry;
  const lines = state.lines.order(geometry.dims, chooseSlabs(geometry.dims, services.parts, count));
  const numbered = (name: string, values: readonly number[]) =>
    Object.fromEntries(values.map((value, k) => [`${name}${k}`, value]));

  const keys = state.keys.reserve(4 * count);
  const bad = state.scratch.reserve(4 * services.pool.threads);
  services.heap.i32(bad, services.pool.threads).fill(-1);
  launch(
    services,
    state.record,
    binKernel(),
    {
      position: position.address,
      keys,
      bad,
      place: state.lines.addresses.place,
      images: grid.blocks.get(imageFlags.name)?.address ?? 0,
      ...numbered('origin', domain.origin),
      ...numbered('inverse', domain.inverse),
      ...numbered('matrix', domain.matrix),
      ...numbered('periodic', domain.periodic.map(Number)),
      ...numbered('lower', geometry.lower),
      ...numbered('scale', geometry.scale),
      ...numbered('dims', geometry.dims),
    },
    { end: count, schedule: inChunks },
  );
  const row = services.heap.i32(bad, services.pool.threads).find((value) => value >= 0);
  if (row !== undefined) throw lostParticle(grid, row);

  grid.cells.resize(geometry.dims, lines.line);
  sortByCell(services, state, grid);
  permute(services, state, grid);
  padRows(grid);
  grid.cells.sortVersion = ++grid.sortVersion;
  state.sorted = { domain, count };
  state.box = domain;
}

/** Bytes from the record of one kernel to that of the next. */
const RECORD_BYTES = 128;

/** Brings all blocks into the order of cells, and notes where particles are, in one pass over the rows. */
function permute(services: CpuServices, state: NeighborState, grid: Grid): void {
  const blocks = [...grid.blocks.values()];
  const coordinates = coordinatesRecord(state, grid, grid.block('position').spareAddress);
  const records = state.record.reserve(RECORD_BYTES * (blocks.length + 1));
  const order = state.order.address;
  const work = blocks.map((block, k) => {
    const [source, target] = [block.address, block.spareAddress];
    return {
      kernel: permuteKernel(),
      record: records + RECORD_BYTES * k,
      values: { source, target, order, bytes: block.bytesPerRow },
    };
  });
  const last = { kernel: coordinatesKernel(), record: records + RECORD_BYTES * blocks.length };
  const all = [...work, { ...last, values: coordinates }];
  for (const { kernel, record, values } of all) kernel.args.write(services.heap, record, values);
  services.rows.runTogether(all, grid.count);
  for (const block of blocks) {
    block.swap();
    block.hostWritten();
  }
}

/** Fills the rows after the last particle: dummies out of reach, and zeros everywhere else: type 0, no charge. */
export function padRows(grid: Grid): void {
  for (const block of grid.blocks.values()) {
    const { array } = block;
    const { width } = block.spec;
    const from = grid.count * width;
    const to = (grid.count + FieldBlock.DUMMIES) * width;
    if (array instanceof BigUint64Array) array.fill(0n, from, to);
    else array.fill(block.spec.name === 'position' ? FAR : 0, from, to);
  }
}

/** Notes where particles are: what the search and the displacement test refer to. */
export function recordCoordinates(services: CpuServices, state: NeighborState, grid: Grid): void {
  const values = coordinatesRecord(state, grid, grid.block('position').address);
  launch(services, state.record, coordinatesKernel(), values, {
    end: grid.count,
    schedule: inChunks,
  });
}

/** @param position address of the rows that are noted. */
function coordinatesRecord(state: NeighborState, { count }: Grid, position: number) {
  // The search reads up to three coordinates past the end, the fill loop up to 16 bytes.
  const bytes = 4 * (count + FieldBlock.PADDING);
  const [reference0, reference1, reference2] = state.geometry!.reference;
  return {
    position,
    backup: state.backup.reserve(32 * count),
    x: state.x.reserve(bytes),
    y: state.y.reserve(bytes),
    z: state.z.reserve(bytes),
    reference0,
    reference1,
    reference2,
  };
}

// Open axes have no box to go by: the particles' own extent is tiled.
function fractionalExtent(grid: Grid): Extent {
  const { domain, count } = grid;
  const lower: [number, number, number] = [0, 0, 0];
  const upper: [number, number, number] = [1, 1, 1];
  if (count === 0 || domain.periodic.every(Boolean)) return { lower, upper };
  const positions = grid.block('position').array as Float64Array;
  const s: [number, number, number] = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    if (!domain.periodic[axis]) [lower[axis], upper[axis]] = [Infinity, -Infinity];
  }
  for (let row = 0; row < count; row++) {
    domain.toFractional(positions[4 * row]!, positions[4 * row + 1]!, positions[4 * row + 2]!, s);
    for (let axis = 0; axis < 3; axis++) {
      if (domain.periodic[axis]) continue;
      if (!Number.isFinite(s[axis])) throw lostParticle(grid, row);
      lower[axis] = Math.min(lower[axis]!, s[axis]!);
      upper[axis] = Math.max(upper[axis]!, s[axis]!);
    }
  }
  return { lower, upper };
}

/** The error for a particle whose position is not a number, or infinite. */
export function lostParticle(grid: Grid, row: number): CorpuscleError {
  const positions = grid.block('position').array as Float64Array;
  return notFinite(grid, row, [0, 1, 2].map((k) => positions[4 * row + k]).join(' '));
}
