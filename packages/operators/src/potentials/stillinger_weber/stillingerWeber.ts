import { neighborhoodFunctor } from '@corpuscle/patterns';
import { energyGradient, pairOutputs } from '../pair/pairOutputs.js';

/**
 * Stillinger and Weber's potential of pairs and triplets (Phys. Rev. B 31, 5262, 1985), with parameters for each pair and
 * triplet of types. Each particle is the corner of the triplets that it is called for; its pairs it sees from its own side only.
 * It states its energy, from which forces and virials follow.
 *
 *   u₂ = A ε (B (σ/r)ᵖ − (σ/r)^q) exp(σ / (r − aσ))
 *   u₃ = λ ε (cos θ − cos θ₀)² g(r_ij) g(r_ik),    g(r) = exp(γσ / (r − aσ))
 *
 * Tables: a pair i j has number i · types + j, a triplet with corner i number (i · types + j) · types + k. The energy of a
 * triplet is shared evenly by its particles.
 */
export const stillingerWeber = neighborhoodFunctor(
  {
    name: 'stillinger_weber',
    central: pairOutputs,
    read: { type: 'u32' },
    neighbor: { type: 'u32' },
    scatter: { ep: 'real' },
    work: { inverse: 'real', g: 'real' },
    gradient: energyGradient,
    params: {
      types: 'u32',
      depth: 'real[]', // A ε
      b: 'real[]',
      p: 'real[]',
      q: 'real[]',
      sigma: 'real[]',
      gammaSigma: 'real[]',
      cut: 'real[]', // a σ, where the exponents have their pole
      reach: 'real[]', // where LAMMPS stops, with tol a little earlier
      strength: 'real[]', // λ ε of a triplet
      angle: 'real[]', // cos θ₀ of a triplet
    },
  },
  (i, b, p) => {
    for (let j = 0; j < b.count; j++) {
      const pair = i.type * p.types + b.type[j]!;
      const r = Math.sqrt(b.r2[j]!);
      b.inverse[j] = 1 / r;
      b.g[j] = 0;
      if (r < p.reach[pair]!) {
        const inverse = 1 / (r - p.cut[pair]!);
        const s = p.sigma[pair]! / r;
        const shape = p.b[pair]! * s ** p.p[pair]! - s ** p.q[pair]!;
        i.ep += 0.5 * p.depth[pair]! * shape * Math.exp(p.sigma[pair]! * inverse);
        b.g[j] = Math.exp(p.gammaSigma[pair]! * inverse);
      }
    }
    for (let j = 0; j < b.count; j++) {
      if (b.g[j]! === 0) continue;
      const pair = i.type * p.types + b.type[j]!;
      const [ux, uy, uz, u] = [b.dx[j]!, b.dy[j]!, b.dz[j]!, b.inverse[j]!];
      for (let k = j + 1; k < b.count; k++) {
        if (b.g[k]! === 0) continue;
        const triplet = pair * p.types + b.type[k]!;
        const dot = ux * b.dx[k]! + uy * b.dy[k]! + uz * b.dz[k]!;
        const bend = dot * u * b.inverse[k]! - p.angle[triplet]!;
        const third = (p.strength[triplet]! / 3) * b.g[j]! * b.g[k]! * bend * bend;
        i.ep += third;
        b.ep[j] += third;
        b.ep[k] += third;
      }
    }
  },
);
