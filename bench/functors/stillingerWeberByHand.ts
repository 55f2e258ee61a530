import { pairOutputs } from '@corpuscle/operators';
import { neighborhoodFunctor } from '@corpuscle/patterns';

/**
 * Stillinger and Weber's potential of pairs and triplets (Phys. Rev. B 31, 5262, 1985), with parameters for each pair and
 * triplet of types. Each particle is the corner of the triplets that it is called for, and hands its neighbors their
 * share of the forces; its pairs it sees from its own side only.
 *
 *   u₂ = A ε (B (σ/r)ᵖ − (σ/r)^q) exp(σ / (r − aσ))
 *   u₃ = λ ε (cos θ − cos θ₀)² g(r_ij) g(r_ik),    g(r) = exp(γσ / (r − aσ))
 *
 * Tables: a pair i j has number i · types + j, a triplet with corner i number (i · types + j) · types + k. The energy of a
 * triplet is shared evenly by its particles.
 */
export const stillingerWeberByHand = neighborhoodFunctor(
  {
    name: 'stillinger_weber_by_hand',
    central: pairOutputs,
    read: { type: 'u32' },
    neighbor: { type: 'u32' },
    scatter: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' },
    work: { r: 'real', g: 'real', slope: 'real' },
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
      b.r[j] = r;
      b.g[j] = 0;
      b.slope[j] = 0;
      if (r < p.reach[pair]!) {
        const inverse = 1 / (r - p.cut[pair]!);
        const s = p.sigma[pair]! / r;
        const repulsion = p.b[pair]! * s ** p.p[pair]!;
        const attraction = s ** p.q[pair]!;
        const e = p.depth[pair]! * Math.exp(p.sigma[pair]! * inverse);
        const u = e * (repulsion - attraction);
        const tail = p.sigma[pair]! * inverse * inverse;
        const f =
          (e * (p.p[pair]! * repulsion - p.q[pair]! * attraction)) / (r * r) + (u * tail) / r;
        const [x, y, z] = [b.dx[j]!, b.dy[j]!, b.dz[j]!];
        i.fx += f * x;
        i.fy += f * y;
        i.fz += f * z;
        i.ep += 0.5 * u;
        const half = 0.5 * f;
        i.vxx += half * x * x;
        i.vyy += half * y * y;
        i.vzz += half * z * z;
        i.vxy += half * x * y;
        i.vxz += half * x * z;
        i.vyz += half * y * z;
        const g = Math.exp(p.gammaSigma[pair]! * inverse);
        b.g[j] = g;
        b.slope[j] = -p.gammaSigma[pair]! * inverse * inverse * g;
      }
    }
    for (let j = 0; j < b.count; j++) {
      if (b.g[j]! === 0) continue;
      const pair = i.type * p.types + b.type[j]!;
      const [ux, uy, uz, ru] = [b.dx[j]!, b.dy[j]!, b.dz[j]!, b.r[j]!];
      for (let k = j + 1; k < b.count; k++) {
        if (b.g[k]! === 0) continue;
        const triplet = pair * p.types + b.type[k]!;
        const [vx, vy, vz, rv] = [b.dx[k]!, b.dy[k]!, b.dz[k]!, b.r[k]!];
        const rr = 1 / (ru * rv);
        const cos = (ux * vx + uy * vy + uz * vz) * rr;
        const bend = cos - p.angle[triplet]!;
        const strength = p.strength[triplet]! * bend;
        const turn = 2 * strength * b.g[j]! * b.g[k]!;
        // Forces on j: along u and across, along v; on k likewise.
        const across = turn * rr;
        const alongU = (strength * bend * b.slope[j]! * b.g[k]!) / ru - (turn * cos) / (ru * ru);
        const alongV = (strength * bend * b.slope[k]! * b.g[j]!) / rv - (turn * cos) / (rv * rv);
        const [fx, gx] = [alongU * ux + across * vx, alongV * vx + across * ux];
        const [fy, gy] = [alongU * uy + across * vy, alongV * vy + across * uy];
        const [fz, gz] = [alongU * uz + across * vz, alongV * vz + across * uz];
        b.fx[j] += fx;
        b.fy[j] += fy;
        b.fz[j] += fz;
        b.fx[k] += gx;
        b.fy[k] += gy;
        b.fz[k] += gz;
        i.fx -= fx + gx;
        i.fy -= fy + gy;
        i.fz -= fz + gz;
        const third = (turn * bend) / 6;
        i.ep += third;
        b.ep[j] += third;
        b.ep[k] += third;
        i.vxx -= ux * fx + vx * gx;
        i.vyy -= uy * fy + vy * gy;
        i.vzz -= uz * fz + vz * gz;
        i.vxy -= ux * fy + vx * gy;
        i.vxz -= ux * fz + vx * gz;
        i.vyz -= uy * fz + vy * gz;
      }
    }
  },
);
