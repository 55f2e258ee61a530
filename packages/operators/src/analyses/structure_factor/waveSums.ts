import { blockFunctor } from '@corpuscle/patterns';

/** Lanes of a block. */
export const WAVE_LANES = 64;

/**
 * Amplitudes of density waves, ρ(n) = Σ exp(2πi n · s) over the particles of each type. A block has a wave vector; its lanes share the
 * particles.
 *
 *   x, y, z   [ type 0 … | type 1 … ]      lattice coordinates; `start` has the first of each type
 *   n         [ n0x n0y n0z | n1x … ]      wave vectors in multiples of the reciprocal lattice
 *   re, im    [ n0: type 0 | type 1 … ‖ n1: … ]
 *
 * Whole turns are taken off before the angle is made, so that single precision keeps its digits. Each lane adds up a part.
 */
export const waveSums = blockFunctor(
  {
    name: 'wave_sums',
    arrays: { re: 'real', im: 'real' },
    read: { x: 'real', y: 'real', z: 'real', n: 'real', start: 'u32' },
    params: { types: 'u32' },
    blockShared: { c: `real[${WAVE_LANES}]`, s: `real[${WAVE_LANES}]` },
  },
  (b, a, p, h) => {
    const [nx, ny, nz] = [a.n[3 * b.index]!, a.n[3 * b.index + 1]!, a.n[3 * b.index + 2]!];
    for (let t = 0; t < p.types; t++) {
      let [c, s] = [h.real(0), h.real(0)];
      for (let k = a.start[t]! + b.lane; k < a.start[t + 1]!; k += b.size) {
        const turns = nx * a.x[k]! + ny * a.y[k]! + nz * a.z[k]!;
        const angle = 6.283185307179586 * (turns - Math.floor(turns));
        c += Math.cos(angle);
        s += Math.sin(angle);
      }
      b.c[b.lane] = c;
      b.s[b.lane] = s;
      b.barrier();
      if (b.lane === 0) {
        for (let lane = 1; lane < b.size; lane++) {
          c += b.c[lane]!;
          s += b.s[lane]!;
        }
        a.re[b.index * p.types + t] = c;
        a.im[b.index * p.types + t] = s;
      }
      b.barrier();
    }
  },
);
