import {
  type BlockArray,
  CorpuscleError,
  FieldBlock,
  type Grid,
  type SharedHeap,
  type StorageType,
} from '@corpuscle/core';
import { atCaller } from './atCaller.js';

/** Element types of arrays: `real` is f64 on the host, and f32 on the device. */
export type ArrayType = 'real' | Exclude<StorageType, 'u64'>;

/** A one-dimensional array for block functors, held where fields of a grid are, made by `createArray`. */
export class SharedArray {
  readonly type: ArrayType;
  readonly length: number;
  /** Storage and residency; rows are elements, or several of them in a block of a grid. */
  readonly block: FieldBlock;

  constructor(type: ArrayType, length: number, block: FieldBlock) {
    this.type = type;
    this.length = length;
    this.block = block;
  }

  /** The host copy, the newest one after `await newestOnHost(array, ctx)`. Take it again after each use: its memory may move. */
  get values(): Exclude<BlockArray, BigUint64Array> {
    return this.block.array.subarray(0, this.length) as Exclude<BlockArray, BigUint64Array>;
  }

  /**
   * Overwrites elements `offset … offset + values.length − 1` on the host.
   * @throws CorpuscleError INDEX_OUT_OF_RANGE; INVALID_VALUE when a part is written and the newest copy is on the device.
   */
  write(values: ArrayLike<number>, offset = 0): void {
    if (offset < 0 || offset + values.length > this.length) {
      throw new CorpuscleError(
        'INDEX_OUT_OF_RANGE',
        `elements ${offset} … ${offset + values.length - 1} do not fit in an array of length ${this.length}`,
      );
    }
    if (this.block.deviceVersion > this.block.hostVersion && values.length < this.length) {
      throw new CorpuscleError(
        'INVALID_VALUE',
        'the newest copy of the array is on the device: await newestOnHost(array, ctx) before writing a part of it',
      );
    }
    this.values.set(values, offset);
    this.block.hostWritten();
  }

  /** Gives the memory of the array back, on the host and on devices. */
  free(): void {
    this.block.free();
  }
}

/**
 * Makes an array of zeros that block functors can work on.
 * @throws CorpuscleError INVALID_VALUE
 * @example
 * const matrix = createArray(ctx, 'real', rows * columns);
 */
export function createArray(
  ctx: { readonly heap: SharedHeap },
  type: ArrayType,
  length: number,
): SharedArray {
  atCaller(createArray, () => checkArray(ctx, type, length));
  const block = new FieldBlock(ctx.heap, {
    name: 'array',
    type: type === 'real' ? 'f64' : type,
    width: 1,
    members: ['values'],
  });
  block.reserve(length);
  return new SharedArray(type, length, block);
}

const arrayTypes: readonly unknown[] = ['real', 'f64', 'f32', 'i32', 'u32'] satisfies ArrayType[];

function checkArray(ctx: unknown, type: unknown, length: unknown): void {
  if (typeof ctx !== 'object' || ctx === null || !('heap' in ctx))
    throw new CorpuscleError(
      'WRONG_TYPE',
      'createArray takes (ctx, type, length), and ctx is none: give an execution context',
    );
  if (!arrayTypes.includes(type))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `an array of ${type} cannot be made: give one of ${arrayTypes.join(', ')}`,
    );
  if (!Number.isInteger(length) || (length as number) < 0)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `an array of length ${length} cannot be made: give a whole number ≥ 0`,
    );
}

/** The rows of a block of a grid, without a copy, while the number of particles stays. @throws CorpuscleError WRONG_TYPE for positions and ids. */
export function arrayOfBlock(grid: Grid, name: string): SharedArray {
  const block = grid.block(name);
  const { type, width } = block.spec;
  if (type !== 'u64' && name !== 'position')
    return new SharedArray(type, width * grid.count, block);
  const what = `block '${name}' cannot be an array of a block functor`;
  throw new CorpuscleError('WRONG_TYPE', `${what}: copy it to another block with a cell functor`);
}
