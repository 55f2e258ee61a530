import { cellFunctor, pairFunctor } from '@corpuscle/functor';

/** The forces on a particle. */
export const real = { fx: 'real', fy: 'real', fz: 'real' } as const;
export const velocity = { vx: 'real', vy: 'real', vz: 'real' } as const;

export const clear = cellFunctor({ name: 'clear', fields: real }, (i) => {
  i.fx = 0;
  i.fy = 0;
  i.fz = 0;
});

/** Half a kick of a particle of mass 1. */
export const push = cellFunctor(
  { name: 'push', fields: velocity, read: real, params: { dt: 'real' } },
  (i, p) => {
    i.vx += p.dt * i.fx;
    i.vy += p.dt * i.fy;
    i.vz += p.dt * i.fz;
  },
);

/** Draws every particle to a wall at x = 0; looks at positions that are not those that neighbors see. */
export const lean = cellFunctor(
  { name: 'lean', fields: { vx: 'real' }, read: { rx: 'real' } },
  (i) => {
    i.vx -= 0.01 * i.rx;
  },
);

/** A soft repulsion up to 1.5. */
export const repel = pairFunctor(
  { name: 'repel', central: real, params: { strength: 'real' } },
  (i, _j, d, p) => {
    const u = p.strength * (2.25 - d.r2);
    i.fx += u * d.x;
    i.fy += u * d.y;
    i.fz += u * d.z;
  },
);

/** A whole step of a particle. */
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

/** Clears the whole block of forces. */
export const clearAll = cellFunctor({ name: 'clear', fields: { ...real, ep: 'real' } }, (i) => {
  i.fx = 0;
  i.fy = 0;
  i.fz = 0;
  i.ep = 0;
});
