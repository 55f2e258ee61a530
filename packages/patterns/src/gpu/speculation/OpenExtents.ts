import type { Domain, Grid } from '@corpuscle/core';
import type { Neighbors } from '../neighbors/Neighbors.js';
import type { Extent } from '../residency/PositionFrame.js';

/** An extent that was asked for so many windows before has arrived: the host is no farther ahead of the device. */
const LATER = 2;

/**
 * Where particles are along open axes, which the sort at the beginning of a window needs to know. Those that have gone farther since are
 * counted in the outermost cells.
 *
 *   window      0     1     2     3     4
 *   extent of   0     1     0     1     2      the first two are awaited
 */
export class OpenExtents {
  readonly #neighbors: Pick<Neighbors, 'extent'>;
  readonly #asked: Promise<Extent>[] = [];
  /** The box and the particles for which they were asked. */
  #box: Domain | null = null;
  #particles = '';

  constructor(neighbors: Pick<Neighbors, 'extent'>) {
    this.#neighbors = neighbors;
  }

  /** The present extent, which waits for the device; or an older one, which does not, where few particles have only been moved by steps since. */
  async next(grid: Grid, box: Domain, mayBeOlder: boolean): Promise<Extent> {
    const particles = `${grid.count} ${grid.block('position').hostVersion}`;
    if (!mayBeOlder || box !== this.#box || particles !== this.#particles) this.#asked.length = 0;
    this.#box = box;
    this.#particles = particles;
    const waits = this.#asked.length < LATER;
    const asked = this.#neighbors.extent(grid, waits);
    // It is looked at two windows later, if at all.
    asked.catch(() => undefined);
    this.#asked.push(asked);
    return waits ? asked : this.#asked.shift()!;
  }
}
