import { blockFunctor, cellFunctor } from '@corpuscle/patterns';
import { boxParams } from '../../box/presentBox.js';

/** Particles of a tile, and lanes of a block: each lane has one of them. */
export const TILE = 64;

/** Where a particle is in lattice coordinates, and its type. */
export const latticePlace = {
  name: 'lattice_place',
  type: 'f64',
  width: 4,
  members: ['latticex', 'latticey', 'latticez', 'latticetype'],
} as const;

export const placeInLattice = cellFunctor(
  {
    name: 'place_in_lattice',
    fields: { latticex: 'real', latticey: 'real', latticez: 'real', latticetype: 'real' },
    read: { rx: 'real', ry: 'real', rz: 'real', type: 'u32' },
    params: boxParams,
  },
  (i, p, h) => {
    i.latticex = i.rx * p.ixx + i.ry * p.iyx + i.rz * p.izx;
    i.latticey = i.rx * p.ixy + i.ry * p.iyy + i.rz * p.izy;
    i.latticez = i.rx * p.ixz + i.ry * p.iyz + i.rz * p.izz;
    i.latticetype = h.real(i.type);
  },
);

/** The image of a coordinate that is next to another. */
const next = (at: number, to: number): number => at - Math.round(at - to);

/**
 * Brings the particles of a tile to their images next to its first particle, which comes into the box, and notes how far they reach:
 *
 *   place    [ x y z type | … ]                       lattice coordinates of rows
 *   bounds   [ lowest x y z, highest x y z | … ]      of each tile
 */
export const boundTiles = blockFunctor(
  {
    name: 'bound_tiles',
    arrays: { place: 'real', bounds: 'real' },
    params: { count: 'u32' },
    helpers: { next },
    constants: { tile: TILE },
  },
  (b, a, p, h, c) => {
    const from = c.tile * b.index;
    const end = Math.min(from + c.tile, p.count);
    for (let k = 0; k < 3; k++) {
      const at = a.place[4 * from + k]!;
      const first = at - Math.floor(at);
      let [low, high] = [first, first];
      for (let row = from; row < end; row++) {
        const s = h.next(a.place[4 * row + k]!, first);
        a.place[4 * row + k] = s;
        low = Math.min(low, s);
        high = Math.max(high, s);
      }
      a.bounds[6 * b.index + k] = low;
      a.bounds[6 * b.index + 3 + k] = high;
    }
  },
);

/**
 * Counts the distances of pairs, tile by tile: rows that follow each other are near each other where particles are sorted. Lane `own` counts in
 * bins of its own, so that no two write one number:
 *
 *   counts    [ kind 0: bin 0: lane 0, lane 1 … | bin 1: … ‖ kind 1: … ‖ particles of type 0: lane 0 … | … ]
 *   kind      [ … ]                   which histogram two types count for; `kinds` for none
 *
 * A block takes parts of tiles. Part m of tile A has the tiles A + m, A + m + parts, … Two tiles meet at all images n at which their bounds are within
 * reach: s_i − s_j − n for particles i and j. A tile meets itself at half of the images.
 */
export const countTilePairs = blockFunctor(
  {
    name: 'count_tile_pairs',
    arrays: { counts: 'u32' },
    read: { place: 'real', bounds: 'real', kind: 'u32' },
    params: {
      ...boxParams,
      blocks: 'u32',
      count: 'u32',
      tiles: 'u32',
      parts: 'u32',
      bins: 'i32',
      types: 'u32',
      kinds: 'u32',
      scale: 'real',
      rcut: 'real',
    },
    constants: { tile: TILE },
  },
  (b, a, p, h, c) => {
    const lanes = p.blocks * c.tile;
    const own = b.index * c.tile + b.lane;
    const ofTypes = p.kinds * h.u32(p.bins);
    for (let k = 0; k < ofTypes + p.types; k++)
      for (let lane = b.lane; lane < c.tile; lane += b.size)
        a.counts[k * lanes + b.index * c.tile + lane] = h.u32(0);
    const gx = p.rcut * Math.sqrt(p.ixx * p.ixx + p.iyx * p.iyx + p.izx * p.izx);
    const gy = p.rcut * Math.sqrt(p.ixy * p.ixy + p.iyy * p.iyy + p.izy * p.izy);
    const gz = p.rcut * Math.sqrt(p.ixz * p.ixz + p.iyz * p.iyz + p.izz * p.izz);
    for (let work = b.index; work < p.tiles * p.parts; work += p.blocks) {
      const tile = h.u32(work / p.parts);
      const part = work - tile * p.parts;
      const rows = Math.min(c.tile * (tile + 1), p.count);
      for (let i = c.tile * tile + b.lane; i < rows; i += b.size) {
        const [xi, yi, zi] = [a.place[4 * i]!, a.place[4 * i + 1]!, a.place[4 * i + 2]!];
        const type = h.u32(a.place[4 * i + 3]!);
        if (part === 0) a.counts[(ofTypes + type) * lanes + own]! += 1;
        for (let other = tile + part; other < p.tiles; other += p.parts) {
          const [mine, its] = [6 * tile, 6 * other];
          const lowX = h.i32(Math.ceil(a.bounds[mine]! - a.bounds[its + 3]! - gx));
          const highX = h.i32(Math.floor(a.bounds[mine + 3]! - a.bounds[its]! + gx));
          const lowY = h.i32(Math.ceil(a.bounds[mine + 1]! - a.bounds[its + 4]! - gy));
          const highY = h.i32(Math.floor(a.bounds[mine + 4]! - a.bounds[its + 1]! + gy));
          const lowZ = h.i32(Math.ceil(a.bounds[mine + 2]! - a.bounds[its + 5]! - gz));
          const highZ = h.i32(Math.floor(a.bounds[mine + 5]! - a.bounds[its + 2]! + gz));
          const end = Math.min(c.tile * (other + 1), p.count);
          const isSelf = other === tile;
          for (let nz = isSelf ? 0 : lowZ; nz <= highZ; nz++) {
            for (let ny = isSelf && nz === 0 ? 0 : lowY; ny <= highY; ny++) {
              for (let nx = isSelf && nz === 0 && ny === 0 ? 0 : lowX; nx <= highX; nx++) {
                const isHere = isSelf && nz === 0 && ny === 0 && nx === 0;
                const [ox, oy, oz] = [xi - h.real(nx), yi - h.real(ny), zi - h.real(nz)];
                for (let j = isHere ? i + 1 : c.tile * other; j < end; j++) {
                  const sx = ox - a.place[4 * j]!;
                  const sy = oy - a.place[4 * j + 1]!;
                  const sz = oz - a.place[4 * j + 2]!;
                  const x = sx * p.mxx + sy * p.myx + sz * p.mzx;
                  const y = sx * p.mxy + sy * p.myy + sz * p.mzy;
                  const z = sx * p.mxz + sy * p.myz + sz * p.mzz;
                  const bin = h.i32(Math.sqrt(x * x + y * y + z * z) * p.scale);
                  if (bin < p.bins) {
                    const kind = a.kind[type * p.types + h.u32(a.place[4 * j + 3]!)]!;
                    if (kind < p.kinds)
                      a.counts[(kind * h.u32(p.bins) + h.u32(bin)) * lanes + own]! += 1;
                  }
                }
              }
            }
          }
        }
      }
    }
  },
);

/** Adds up what all lanes have counted, into one row of `rows`: a block a number. */
export const addLanes = blockFunctor(
  {
    name: 'add_lanes',
    arrays: { rows: 'u32' },
    read: { counts: 'u32' },
    params: { lanes: 'u32', from: 'u32' },
    blockShared: { part: `u32[${TILE}]` },
  },
  (b, a, p, h) => {
    let sum = h.u32(0);
    for (let k = b.lane; k < p.lanes; k += b.size) sum += a.counts[b.index * p.lanes + k]!;
    b.part[b.lane] = sum;
    b.barrier();
    if (b.lane === 0) {
      for (let lane = 1; lane < b.size; lane++) sum += b.part[lane]!;
      a.rows[p.from + b.index] = sum;
    }
  },
);
