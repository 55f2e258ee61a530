import { neighborhoodFunctor } from '@corpuscle/patterns';
import { virialOutputs } from '../pair/pairOutputs.js';

/**
 * Shares of particles in the virial of Stillinger and Weber's potential, half of each pair's and a third of each triplet's, as in
 * LAMMPS. Parameters and formulas are those of `stillingerWeber`.
 *
 *   pair      W = −u₂′(r) d d / r
 *   triplet   W = −Σ over its two neighbors of d ∂u₃/∂d
 */
export const stillingerWeberShares = neighborhoodFunctor(
  {
    name: 'stillinger_weber_shares',
    central: virialOutputs,
    read: { type: 'u32' },
    neighbor: { type: 'u32' },
    scatter: virialOutputs,
    work: { inverse: 'real', g: 'real', slope: 'real' },
    params: {
      types: 'u32',
      depth: 'real[]',
      b: 'real[]',
      p: 'real[]',
      q: 'real[]',
      sigma: 'real[]',
      gammaSigma: 'real[]',
      cut: 'real[]',
      reach: 'real[]',
      strength: 'real[]',
      angle: 'real[]',
    },
  },
  (i, b, p) => {
    for (let j = 0; j < b.count; j++) {
      const pair = i.type * p.types + b.type[j]!;
      const r = Math.sqrt(b.r2[j]!);
      b.inverse[j] = 1 / r;
      b.g[j] = 0;
      b.slope[j] = 0;
      if (r < p.reach[pair]!) {
        const inverse = 1 / (r - p.cut[pair]!);
        const s = p.sigma[pair]! / r;
        const first = p.b[pair]! * s ** p.p[pair]!;
        const second = s ** p.q[pair]!;
        const falls =
          (p.q[pair]! * second - p.p[pair]! * first) / r -
          (first - second) * p.sigma[pair]! * inverse * inverse;
        const u = p.depth[pair]! * Math.exp(p.sigma[pair]! * inverse) * falls;
        const w = (-0.5 * u) / r;
        const [x, y, z] = [b.dx[j]!, b.dy[j]!, b.dz[j]!];
        i.vxx += w * x * x;
        i.vyy += w * y * y;
        i.vzz += w * z * z;
        i.vxy += w * x * y;
        i.vxz += w * x * z;
        i.vyz += w * y * z;
        b.g[j] = Math.exp(p.gammaSigma[pair]! * inverse);
        b.slope[j] = -p.gammaSigma[pair]! * inverse * inverse;
      }
    }
    for (let j = 0; j < b.count; j++) {
      if (b.g[j]! === 0) continue;
      const pair = i.type * p.types + b.type[j]!;
      const [x, y, z, u] = [b.dx[j]!, b.dy[j]!, b.dz[j]!, b.inverse[j]!];
      for (let k = j + 1; k < b.count; k++) {
        if (b.g[k]! === 0) continue;
        const triplet = pair * p.types + b.type[k]!;
        const [X, Y, Z, U] = [b.dx[k]!, b.dy[k]!, b.dz[k]!, b.inverse[k]!];
        const cosine = (x * X + y * Y + z * Z) * u * U;
        const bend = cosine - p.angle[triplet]!;
        const third = (p.strength[triplet]! / 3) * b.g[j]! * b.g[k]! * bend;
        // W = a d_j d_j + c (d_j d_k + d_k d_j) + e d_k d_k
        const c = -2 * third * u * U;
        const a = -third * u * (bend * b.slope[j]! - 2 * cosine * u);
        const e = -third * U * (bend * b.slope[k]! - 2 * cosine * U);
        const xx = a * x * x + 2 * c * x * X + e * X * X;
        const yy = a * y * y + 2 * c * y * Y + e * Y * Y;
        const zz = a * z * z + 2 * c * z * Z + e * Z * Z;
        const xy = a * x * y + c * (x * Y + X * y) + e * X * Y;
        const xz = a * x * z + c * (x * Z + X * z) + e * X * Z;
        const yz = a * y * z + c * (y * Z + Y * z) + e * Y * Z;
        i.vxx += xx;
        i.vyy += yy;
        i.vzz += zz;
        i.vxy += xy;
        i.vxz += xz;
        i.vyz += yz;
        b.vxx[j] += xx;
        b.vyy[j] += yy;
        b.vzz[j] += zz;
        b.vxy[j] += xy;
        b.vxz[j] += xz;
        b.vyz[j] += yz;
        b.vxx[k] += xx;
        b.vyy[k] += yy;
        b.vzz[k] += zz;
        b.vxy[k] += xy;
        b.vxz[k] += xz;
        b.vyz[k] += yz;
      }
    }
  },
);
