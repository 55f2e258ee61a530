import { blockFunctor } from '@corpuscle/patterns';
import type { Images } from './images.js';
import { functorsByShape, smoothHelpers, smoothSchema } from './smooth.js';

/** Numbers that `allPairs` leaves for every outer particle: cn, its derivative by x y z, box xx yy zz xy xz yz. */
export const SUMS = 10;
/** Outer particles of a block. */
export const EACH = 64;

/** `split`: positions come in two parts, for single precision. */
export const allPairsVariant = (kind: Images['kind'], split: boolean): string =>
  `${kind}${split ? '_split' : ''}`;

/**
 * Coordination of every outer particle with every inner one of another index. A particle is x, y, z and its weight; with
 * two parts the low parts follow behind all high ones. Partial sums over 256 inner particles keep single precision exact
 * to a few units of its last digit. With `paired`, slot k meets slot k only (and a block has one outer particle).
 */
export const allPairs = functorsByShape((s, variant) =>
  blockFunctor(
    {
      name: `coordination_all_pairs_${s.shape.name}_${variant}`,
      arrays: { sums: 'real' },
      read: { outer: 'real', inner: 'real', outerIndex: 'u32', innerIndex: 'u32' },
      params: {
        ...smoothSchema,
        each: 'u32',
        outerCount: 'u32',
        innerCount: 'u32',
        paired: 'u32',
        basis: 'real[]',
        basisLow: 'real[]',
        dual: 'real[]',
        shifts: 'real[]',
        shiftCount: 'u32',
        inner2: 'real',
      },
      helpers: smoothHelpers(s),
      constants: {
        split: variant.endsWith('_split') ? 1 : 0,
        orthorhombic: variant.startsWith('orthorhombic') ? 1 : 0,
        triclinic: variant.startsWith('triclinic') ? 1 : 0,
      },
    },
    (b, a, p, h, c) => {
      const first = b.index * p.each;
      const begin = p.paired !== 0 ? first : 0;
      const end = p.paired !== 0 ? first + 1 : p.innerCount;
      for (let k = b.lane; k < p.each; k += b.size) {
        const i = first + k;
        if (i < p.outerCount) {
          const index = a.outerIndex[i]!;
          const ox = a.outer[4 * i]!;
          const oy = a.outer[4 * i + 1]!;
          const oz = a.outer[4 * i + 2]!;
          const low = 4 * (p.outerCount + i);
          let cn = 0;
          let fx = 0;
          let fy = 0;
          let fz = 0;
          let bxx = 0;
          let byy = 0;
          let bzz = 0;
          let bxy = 0;
          let bxz = 0;
          let byz = 0;
          for (let start = begin; start < end; start += 256) {
            const stop = Math.min(start + 256, end);
            let partCn = 0;
            let partX = 0;
            let partY = 0;
            let partZ = 0;
            for (let j = start; j < stop; j++) {
              let x = ox - a.inner[4 * j]!;
              let y = oy - a.inner[4 * j + 1]!;
              let z = oz - a.inner[4 * j + 2]!;
              if (c.orthorhombic !== 0) {
                const kx = Math.floor(x * p.dual[0]! + 0.5);
                const ky = Math.floor(y * p.dual[4]! + 0.5);
                const kz = Math.floor(z * p.dual[8]! + 0.5);
                x -= kx * p.basis[0]!;
                y -= ky * p.basis[4]!;
                z -= kz * p.basis[8]!;
                if (c.split !== 0) {
                  x -= kx * p.basisLow[0]!;
                  y -= ky * p.basisLow[4]!;
                  z -= kz * p.basisLow[8]!;
                }
              }
              if (c.triclinic !== 0) {
                const ka = Math.floor(x * p.dual[0]! + y * p.dual[3]! + z * p.dual[6]! + 0.5);
                const kb = Math.floor(x * p.dual[1]! + y * p.dual[4]! + z * p.dual[7]! + 0.5);
                const kc = Math.floor(x * p.dual[2]! + y * p.dual[5]! + z * p.dual[8]! + 0.5);
                x -= ka * p.basis[0]! + kb * p.basis[3]! + kc * p.basis[6]!;
                y -= ka * p.basis[1]! + kb * p.basis[4]! + kc * p.basis[7]!;
                z -= ka * p.basis[2]! + kb * p.basis[5]! + kc * p.basis[8]!;
                if (c.split !== 0) {
                  x -= ka * p.basisLow[0]! + kb * p.basisLow[3]! + kc * p.basisLow[6]!;
                  y -= ka * p.basisLow[1]! + kb * p.basisLow[4]! + kc * p.basisLow[7]!;
                  z -= ka * p.basisLow[2]! + kb * p.basisLow[5]! + kc * p.basisLow[8]!;
                }
              }
              if (c.split !== 0) {
                const far = 4 * (p.innerCount + j);
                x += a.outer[low]! - a.inner[far]!;
                y += a.outer[low + 1]! - a.inner[far + 1]!;
                z += a.outer[low + 2]! - a.inner[far + 2]!;
              }
              let r2 = x * x + y * y + z * z;
              if (c.triclinic !== 0) {
                if (r2 > p.inner2) {
                  const [x0, y0, z0] = [x, y, z];
                  for (let q = 0; q < p.shiftCount; q++) {
                    const sx = x0 + p.shifts[3 * q]!;
                    const sy = y0 + p.shifts[3 * q + 1]!;
                    const sz = z0 + p.shifts[3 * q + 2]!;
                    const s2 = sx * sx + sy * sy + sz * sz;
                    if (s2 < r2) {
                      x = sx;
                      y = sy;
                      z = sz;
                      r2 = s2;
                    }
                  }
                }
              }
              if (r2 <= p.range2 && a.innerIndex[j]! !== index) {
                const [value, slope] = h.smooth(
                  r2,
                  p.d0,
                  p.inverse,
                  p.stretch,
                  p.shift,
                  p.a,
                  p.b,
                  p.c,
                  p.n,
                  p.m,
                  h,
                );
                const weight = a.inner[4 * j + 3]!;
                const g = weight * slope;
                partCn += weight * value;
                partX += g * x;
                partY += g * y;
                partZ += g * z;
                bxx -= g * x * x;
                byy -= g * y * y;
                bzz -= g * z * z;
                bxy -= g * x * y;
                bxz -= g * x * z;
                byz -= g * y * z;
              }
            }
            cn += partCn;
            fx += partX;
            fy += partY;
            fz += partZ;
          }
          const at = 10 * i;
          a.sums[at] = cn;
          a.sums[at + 1] = fx;
          a.sums[at + 2] = fy;
          a.sums[at + 3] = fz;
          a.sums[at + 4] = bxx;
          a.sums[at + 5] = byy;
          a.sums[at + 6] = bzz;
          a.sums[at + 7] = bxy;
          a.sums[at + 8] = bxz;
          a.sums[at + 9] = byz;
        }
      }
    },
  ),
);
