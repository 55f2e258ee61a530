import { blockFunctor } from '@corpuscle/patterns';

/** How far a coordinate is from a range. */
const gap = (at: number, low: number, high: number): number => Math.max(0, low - at, at - high);

/** Pairs whose bins are worked out together. */
const TILE = 128;

/**
 * Counts the distances of pairs. Block w takes runs w, w + blocks, … and counts into bins of its own:
 *
 *   start     [ cell 0: type 0 | type 1 | … ‖ cell 1: … ]           first particle of every run, which is of one type
 *   partner   [ run 0: itself, others | run 1: … ]                  from `first[run]` on; each two runs once for each image
 *   shift     [ x y z | x y z | … ]                                 of the images; `image` tells which one a partner is seen at
 *   kind      [ … ]                                                 which histogram a run and its partner count for
 *   bounds    [ lowest x y z, highest x y z | … ]                   of the particles of every run
 *   counts    [ block 0: kind 0: bins, beyond | kind 1: … ‖ block 1: … ]
 *
 * First the lanes share a tile of pairs and note their bins. Then a lane that is alone counts them one by one. Of several each
 * counts what fell into bins that are its own, so that no two lanes write one number.
 */
export const countPairs = blockFunctor(
  {
    name: 'count_pairs',
    arrays: { counts: 'u32' },
    read: {
      x: 'real',
      y: 'real',
      z: 'real',
      start: 'u32',
      first: 'u32',
      partner: 'u32',
      image: 'u32',
      shift: 'real',
      kind: 'u32',
      bounds: 'real',
    },
    params: {
      blocks: 'u32',
      runs: 'u32',
      bins: 'i32',
      width: 'u32',
      scale: 'real',
      rcut2: 'real',
    },
    helpers: { gap },
    blockShared: { bin: `i32[${TILE}]` },
    constants: { tile: TILE },
  },
  (b, a, p, h, c) => {
    for (let run = b.index; run < p.runs; run += p.blocks) {
      for (let s = a.first[run]!; s < a.first[run + 1]!; s++) {
        const other = a.partner[s]!;
        const isSelf = other === run && a.image[s] === 0;
        const at = 3 * a.image[s]!;
        const [dx, dy, dz] = [a.shift[at]!, a.shift[at + 1]!, a.shift[at + 2]!];
        const base = b.index * p.width + a.kind[s]! * h.u32(p.bins + 1);
        const end = a.start[other + 1]!;
        for (let i = a.start[run]!; i < a.start[run + 1]!; i++) {
          const [xi, yi, zi] = [a.x[i]! - dx, a.y[i]! - dy, a.z[i]! - dz];
          const gx = h.gap(xi, a.bounds[6 * other]!, a.bounds[6 * other + 3]!);
          const gy = h.gap(yi, a.bounds[6 * other + 1]!, a.bounds[6 * other + 4]!);
          const gz = h.gap(zi, a.bounds[6 * other + 2]!, a.bounds[6 * other + 5]!);
          if (gx * gx + gy * gy + gz * gz < p.rcut2) {
            for (let from = isSelf ? i + 1 : a.start[other]!; from < end; from += c.tile) {
              const size = Math.min(end - from, c.tile);
              for (let k = b.lane; k < size; k += b.size) {
                const x = xi - a.x[from + k]!;
                const y = yi - a.y[from + k]!;
                const z = zi - a.z[from + k]!;
                b.bin[k] = Math.min(h.i32(Math.sqrt(x * x + y * y + z * z) * p.scale), p.bins);
              }
              b.barrier();
              if (b.size === 1) {
                for (let k = 0; k < size; k++) a.counts[base + h.u32(b.bin[k]!)]! += 1;
              } else {
                for (let bin = h.i32(b.lane); bin < p.bins; bin += h.i32(b.size)) {
                  let found = 0;
                  for (let k = 0; k < size; k++) if (b.bin[k] === bin) found++;
                  if (found > 0) a.counts[base + h.u32(bin)]! += found;
                }
              }
              b.barrier();
            }
          }
        }
      }
    }
  },
);
