import { pairFunctor } from '@corpuscle/patterns';

// Five interactions of different weight, as a user would write them; bench/cpp/functors.cpp has the same in C++.

const force = { fx: 'real', fy: 'real', fz: 'real' } as const;

/** u = 4ε ((σ/r)¹² − (σ/r)⁶): one division, no root. */
export const lennardJones = pairFunctor(
  {
    name: 'bench_lennard_jones',
    central: force,
    params: { epsilon: 'real', sigma2: 'real' },
    traits: { newton3: true },
  },
  (i, _j, d, p) => {
    const inverse = 1 / d.r2;
    const s2 = p.sigma2 * inverse;
    const s6 = s2 * s2 * s2;
    const f = 24 * p.epsilon * s6 * (2 * s6 - 1) * inverse;
    i.fx += f * d.x;
    i.fy += f * d.y;
    i.fz += f * d.z;
  },
);

/** u = D (1 − exp(−α (r − r0)))²: a root, an exponential, a division. */
export const morse = pairFunctor(
  {
    name: 'bench_morse',
    central: force,
    params: { depth: 'real', alpha: 'real', r0: 'real' },
    traits: { newton3: true },
  },
  (i, _j, d, p) => {
    const r = Math.sqrt(d.r2);
    const e = Math.exp(-p.alpha * (r - p.r0));
    const f = (-2 * p.alpha * p.depth * (1 - e) * e) / r;
    i.fx += f * d.x;
    i.fy += f * d.y;
    i.fz += f * d.z;
  },
);

/** u = A exp(−κ r) / r: a root, an exponential, two divisions. */
export const yukawa = pairFunctor(
  {
    name: 'bench_yukawa',
    central: force,
    params: { strength: 'real', kappa: 'real' },
    traits: { newton3: true },
  },
  (i, _j, d, p) => {
    const r = Math.sqrt(d.r2);
    const f = (p.strength * Math.exp(-p.kappa * r) * (p.kappa + 1 / r)) / d.r2;
    i.fx += f * d.x;
    i.fy += f * d.y;
    i.fz += f * d.z;
  },
);

/** Coordination number with the rational switching function (1 − (r/r0)⁶) / (1 − (r/r0)¹²), ½ at r0 itself. */
export const coordination = pairFunctor(
  {
    name: 'bench_coordination',
    central: { coordination: 'real' },
    params: { r02: 'real' },
    traits: { newton3: true },
  },
  (i, _j, d, p) => {
    const x2 = d.r2 / p.r02;
    const x6 = x2 * x2 * x2;
    i.coordination += Math.abs(1 - x6) < 1e-6 ? 0.5 : (1 - x6) / (1 - x6 * x6);
  },
);

/** Lennard-Jones with tables over pairs of types: two integer attributes and two table look-ups a pair. */
export const twoTypes = pairFunctor(
  {
    name: 'bench_two_types',
    central: force,
    read: { type: 'u32' },
    neighbor: { type: 'u32' },
    params: { epsilon: 'real[]', sigma2: 'real[]' },
    traits: { newton3: true },
  },
  (i, j, d, p) => {
    const pair = 2 * i.type + j.type;
    const inverse = 1 / d.r2;
    const s2 = p.sigma2[pair]! * inverse;
    const s6 = s2 * s2 * s2;
    const f = 24 * p.epsilon[pair]! * s6 * (2 * s6 - 1) * inverse;
    i.fx += f * d.x;
    i.fy += f * d.y;
    i.fz += f * d.z;
  },
);
