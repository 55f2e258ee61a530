type Triple = readonly [number, number, number];

/**
 * The order in which lines of cells along x are numbered, and with them the rows of particles. The box is cut into slabs across z;
 * lines of a slab follow along z first, then along y. So a part, whose cells are numbered one after the other, fills a bar rather
 * than a layer, and has fewer neighbors in other parts:
 *
 *   slabs of one layer: 0 1 2 3 │ 4 5 6 7 │ …         slabs of three layers, y to the right:   0 3 6  9
 *   (y first, then z)                                                                          1 4 7 10
 *                                                                                              2 5 8 11
 */
export class CellLines {
  readonly dims: Triple;
  readonly slabs: number;
  /** By line, y + ny·z: its place in the order. */
  readonly place: Int32Array;
  /** By place: the line. */
  readonly line: Int32Array;
  /** By z: the slab. */
  readonly slab: Int32Array;

  constructor(dims: Triple, slabs: number) {
    this.dims = dims;
    this.slabs = slabs;
    const [, ny, nz] = dims;
    this.slab = Int32Array.from({ length: nz }, (_, z) => Math.floor((z * slabs) / nz));
    this.place = new Int32Array(ny * nz);
    this.line = new Int32Array(ny * nz);
    let at = 0;
    for (let first = 0, end = 0; first < nz; first = end) {
      while (end < nz && this.slab[end] === this.slab[first]) end++;
      for (let y = 0; y < ny; y++)
        for (let z = first; z < end; z++) {
          this.place[z * ny + y] = at;
          this.line[at++] = z * ny + y;
        }
    }
  }

  /** Whether it is an order of so many slabs for these cells. */
  isFor(dims: Triple, slabs: number): boolean {
    return this.slabs === slabs && this.dims.every((n, k) => n === dims[k]);
  }
}

/**
 * Rows of all parts together up to which these are bars. Where two parts name rows of a third, each has a buffer for all particles,
 * and nearly all bars do: larger systems have layers, whose buffers are few.
 */
const MOST_ROWS = 2 ** 22;

/**
 * How many slabs make bars with the fewest neighbors in others; as many as there are layers of cells where parts are layers: few
 * parts, or many particles.
 */
export function chooseSlabs([, ny, nz]: Triple, parts: number, count: number): number {
  let best = nz;
  if (parts < 3 || parts * count > MOST_ROWS) return best;
  let least = (0.9 * parts) / nz;
  for (let slabs = 1; slabs <= Math.min(nz, parts); slabs++) {
    if (parts % slabs !== 0) continue;
    const cuts = (slabs > 1 ? slabs / nz : 0) + (parts > slabs ? parts / slabs / ny : 0);
    if (cuts >= least) continue;
    best = slabs;
    least = cuts;
  }
  return best;
}
