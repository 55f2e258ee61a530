import {
  type BlockArray,
  type BlockSpec,
  CorpuscleError,
  Domain,
  Grid,
  type Saved,
  type StorageType,
} from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import { newestOnHost } from './newestOnHost.js';

/** A grid in a checkpoint: box, particles in their order, and what the engine knows of them. */
export type SavedGrid = {
  readonly count: number;
  readonly matrix: readonly number[];
  readonly origin: readonly number[];
  readonly periodic: readonly boolean[];
  /** @internal */
  readonly blocks: readonly SavedBlock[];
  /** The neighbor lists of the CPU; null where there are none. */
  readonly lists: Saved;
};

type SavedBlock = {
  readonly name: string;
  readonly type: string;
  readonly width: number;
  readonly members: readonly (string | null)[];
  readonly dimension: Readonly<Record<string, number>>;
  readonly values: BlockArray;
};

/**
 * Everything about a grid that a run needs to go on with the same bits. Arrays are those of the grid: write them before it is
 * used again. In a deterministic context a device forgets what it has learned, so that a run that goes on does as this one.
 */
export async function saveGrid(grid: Grid, ctx: ExecutionContext): Promise<SavedGrid> {
  await newestOnHost(grid, ctx);
  const { host, accelerator } = ctx.engines;
  const shared = host.copyShared?.(grid, [...grid.blocks.values()]);
  const { count, domain } = shared ?? grid;
  const blocks = [...grid.blocks.values()].map(({ spec, array }, k): SavedBlock => {
    const { name, type, width, members, dimension = {} } = spec;
    const values = shared
      ? new TYPES[type]!(shared.rows[k]!)
      : (array.subarray(0, count * width) as BlockArray);
    return { name, type, width, members, dimension: { ...dimension }, values };
  });
  // Lists of one of several processes are no use to another number of them.
  const lists = ctx.backend === host.name && !shared ? host.saveLists(grid) : null;
  if (ctx.deterministic) await accelerator?.device?.startAnew?.(grid);
  const { matrix, origin, periodic } = domain;
  return { count, matrix, origin, periodic, blocks, lists };
}

/** A new grid with the particles of a checkpoint. @throws CorpuscleError FILE_FORMAT for data that are no grid. */
export function gridOfCheckpoint(saved: Saved, { heap }: Pick<ExecutionContext, 'heap'>): Grid {
  const sound = savedGridOf(saved);
  const grid = new Grid(heap, domainOf(sound));
  grid.resize(sound.count);
  fill(grid, sound);
  return grid;
}

/**
 * Puts particles, their order and their lists back into a grid that `gridOfCheckpoint` has made.
 * @returns whether the lists are those of the checkpoint; otherwise the grid has none.
 */
export async function restoreGrid(
  grid: Grid,
  ctx: ExecutionContext,
  saved: Saved,
): Promise<boolean> {
  const sound = savedGridOf(saved);
  await newestOnHost(grid, ctx);
  const { host, accelerator } = ctx.engines;
  if (host.copyShared) {
    // Every process has all particles again, and divides them when lists are built.
    grid.domain = domainOf(sound);
    grid.resize(sound.count);
  }
  fill(grid, sound);
  if (ctx.backend === host.name)
    return host.restoreLists(grid, host.copyShared ? null : sound.lists);
  await accelerator?.device?.startAnew?.(grid);
  return false;
}

const domainOf = ({ matrix, origin, periodic }: SavedGrid): Domain =>
  Domain.triclinic(matrix, {
    origin: origin as [number, number, number],
    periodic: periodic as [boolean, boolean, boolean],
  });

function fill(grid: Grid, { blocks, count }: SavedGrid): void {
  for (const { name, type, width, members, dimension, values } of blocks) {
    const block = grid.addBlock({
      name,
      type: type as StorageType,
      width: width as BlockSpec['width'],
      members,
      dimension,
    });
    const { array } = block;
    if (block.spec.type !== type || block.spec.width !== width)
      throw new CorpuscleError(
        'CHECKPOINT_MISMATCH',
        `the field ${name} is ${block.spec.width} × ${block.spec.type}, and was ${width} × ${type} in the checkpoint`,
      );
    if (array instanceof BigUint64Array) array.set(values as BigUint64Array);
    else array.subarray(0, count * width).set(values as Float64Array);
    block.hostWritten();
  }
}

const TYPES: Readonly<Record<string, new (buffer: ArrayBuffer) => BlockArray>> = {
  f64: Float64Array,
  f32: Float32Array,
  u32: Uint32Array,
  i32: Int32Array,
  u64: BigUint64Array,
};

/** @throws CorpuscleError FILE_FORMAT for data that are no grid. */
function savedGridOf(saved: Saved): SavedGrid {
  const grid = (saved ?? {}) as Partial<SavedGrid>;
  const { count, blocks, matrix, origin, periodic } = grid;
  const isSound =
    Number.isSafeInteger(count) &&
    count! > 0 &&
    [matrix, origin, periodic].every(Array.isArray) &&
    origin!.length === 3 &&
    periodic!.length === 3 &&
    Array.isArray(blocks) &&
    (blocks as Partial<SavedBlock>[]).every((block) => isBlock(block, count!));
  if (isSound) return grid as SavedGrid;
  throw new CorpuscleError('FILE_FORMAT', 'the particles of the checkpoint make no sense');
}

function isBlock({ name, type, width, members, values }: Partial<SavedBlock>, count: number) {
  return (
    typeof name === 'string' &&
    typeof type === 'string' &&
    Object.hasOwn(TYPES, type) &&
    values?.constructor.name === TYPES[type]!.name &&
    (width === 1 || width === 4) &&
    Array.isArray(members) &&
    members.length <= width &&
    values.length === width * count
  );
}
