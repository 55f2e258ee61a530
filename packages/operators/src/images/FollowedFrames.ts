import { type Grid, imageFlags, type SimulationState, stateKey } from '@corpuscle/core';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { newParticle } from '../analyses/motion/CarriedFields.js';
import { placeImages } from './countImages.js';

const fileImagesKey = stateKey<boolean>('image flags of a frame', 'a reader says so');

/** Notes whether the particles that were placed have image flags of their own. */
export const noteFileImages = (state: SimulationState, hasImages: boolean): void =>
  state.set(fileImagesKey, hasImages);

/**
 * Image flags of frames that follow each other in a file. Those that it has are right. Where it has none, a particle has gone to the
 * image that is nearest to its last place: it must move less than half a box from frame to frame.
 */
export class FollowedFrames {
  #last: Places | null = null;

  /** Looks at the particles of a frame, and gives them flags where they have none. @throws CorpuscleError INVALID_VALUE */
  async next(state: SimulationState, grid: Grid, ctx: ExecutionContext): Promise<void> {
    const hasOwn = state.find(fileImagesKey) === true;
    const fields = ['rx', 'ry', 'rz', 'id'];
    await newestOnHost(grid, ctx, hasOwn ? [...fields, 'ix', 'iy', 'iz'] : fields);
    if (!hasOwn) placeImages(grid, this.#found(grid));
    this.#last = placesOf(grid);
  }

  /** The flags of a frame that has none, in the order of its rows. */
  #found(grid: Grid): Int32Array {
    const images = new Int32Array(3 * grid.count);
    const last = this.#last;
    if (!last) return images;
    const { domain } = grid;
    const positions = grid.block('position').array as Float64Array;
    const ids = grid.block('id').array as BigUint64Array;
    for (let row = 0; row < grid.count; row++) {
      const from = last.rows.get(ids[row]!);
      if (from === undefined) throw newParticle(ids[row]!);
      const [x, y, z] = [0, 1, 2].map(
        (k) => domain.origin[k]! + positions[4 * row + k]! - last.positions[4 * from + k]!,
      ) as [number, number, number];
      domain.toFractional(x, y, z).forEach((boxes, k) => {
        const crossed = domain.periodic[k] ? Math.round(boxes) : 0;
        images[3 * row + k] = last.images[4 * from + k]! - crossed;
      });
    }
    return images;
  }
}

/** Where the particles of a frame are. */
interface Places {
  readonly rows: ReadonlyMap<bigint, number>;
  readonly positions: Float64Array;
  readonly images: Int32Array;
}

function placesOf(grid: Grid): Places {
  const ids = grid.block('id').array as BigUint64Array;
  return {
    rows: new Map(Array.from({ length: grid.count }, (_, row) => [ids[row]!, row])),
    positions: grid.block('position').array.slice() as Float64Array,
    images: grid.block(imageFlags.name).array.slice() as Int32Array,
  };
}
