import {
  cellFunctor,
  neighborhoodFunctor,
  pairFunctor,
  reduceFunctor,
  valueFunctor,
} from '@corpuscle/functor';

const force = { fx: 'real', fy: 'real', fz: 'real' } as const;
const velocity = { vx: 'real', vy: 'real', vz: 'real' } as const;

/** Lennard-Jones forces and energy: every output of a pair is a sum. */
export const attract = pairFunctor(
  {
    name: 'attract',
    central: { ...force, ep: 'real' },
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
    i.ep += 2 * p.epsilon * s6 * (s6 - 1);
  },
);

/** A spring with a strength for each type of the neighbor: reads a field of it and a table. */
export const spring = pairFunctor(
  { name: 'spring', central: force, neighbor: { type: 'u32' }, params: { strength: 'real[]' } },
  (i, j, d, p) => {
    const f = p.strength[j.type]!;
    i.fx -= f * d.x;
    i.fy -= f * d.y;
    i.fz -= f * d.z;
  },
);

/** The square of the distance to the nearest neighbor: an output that is overwritten. */
export const nearest = pairFunctor({ name: 'nearest', central: { ep: 'real' } }, (i, _j, d) => {
  if (d.r2 < i.ep) i.ep = d.r2;
});

/** Half of the pairs' displacement goes to each side: a functor of whole neighborhoods that scatters. */
export const share = neighborhoodFunctor(
  { name: 'share', central: { fx: 'real' }, neighbor: {}, scatter: { fx: 'real' } },
  (i, n) => {
    for (let k = 0; k < n.count; k++) {
      i.fx += 0.5 * n.dx[k]!;
      n.fx[k]! -= 0.5 * n.dx[k]!;
    }
  },
);

export const kick = cellFunctor(
  { name: 'kick', fields: velocity, read: { ...force, mass: 'real' }, params: { halfDt: 'real' } },
  (i, p) => {
    const s = p.halfDt / i.mass;
    i.vx += s * i.fx;
    i.vy += s * i.fy;
    i.vz += s * i.fz;
  },
);

export const drift = cellFunctor(
  {
    name: 'drift',
    fields: { rx: 'real', ry: 'real', rz: 'real' },
    read: velocity,
    params: { dt: 'real' },
  },
  (i, p) => {
    i.rx += p.dt * i.vx;
    i.ry += p.dt * i.vy;
    i.rz += p.dt * i.vz;
  },
);

export const clear = cellFunctor({ name: 'clear', fields: { ...force, ep: 'real' } }, (i) => {
  i.fx = 0;
  i.fy = 0;
  i.fz = 0;
  i.ep = 0;
});

/** Kinetic energy and the largest speed. */
export const speeds = reduceFunctor(
  {
    name: 'speeds',
    read: { ...velocity, mass: 'real' },
    result: { energy: 'sum', fastest: 'max' },
  },
  (acc, i) => {
    const v2 = i.vx * i.vx + i.vy * i.vy + i.vz * i.vz;
    acc.energy += 0.5 * i.mass * v2;
    acc.fastest = Math.max(acc.fastest, v2);
  },
);

/** How much faster particles have to be for a kinetic energy. */
export const control = valueFunctor(
  { name: 'control', values: { energy: 'real', scale: 'real' }, params: { target: 'real' } },
  (v, p) => {
    v.scale = Math.sqrt(p.target / v.energy);
  },
);

export const rescale = cellFunctor(
  { name: 'rescale', fields: velocity, params: { scale: 'real' } },
  (i, p) => {
    i.vx *= p.scale;
    i.vy *= p.scale;
    i.vz *= p.scale;
  },
);

/** A smooth number of near particles. */
export const crowding = pairFunctor(
  { name: 'crowding', central: { near: 'real' }, traits: { newton3: true } },
  (i, _j, d) => {
    i.near += Math.exp(-d.r2);
  },
);

export const zero = cellFunctor({ name: 'zero', fields: { near: 'real' } }, (i) => {
  i.near = 0;
});
