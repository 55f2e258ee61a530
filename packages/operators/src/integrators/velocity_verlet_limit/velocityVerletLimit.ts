import { dimensions } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/patterns';
import { defineIntegrator } from '../defineIntegrator.js';

/** A factor that makes a velocity no faster than `limit`. */
const slowed = (v2: number, limit: number): number =>
  v2 > limit * limit ? limit / Math.sqrt(v2) : 1;

const forces = { fx: 'real', fy: 'real', fz: 'real', mass: 'real' } as const;

/** v ← v + (Δt/2) f/m, no faster than the limit, then r ← r + Δt v. */
const kickLimitDrift = cellFunctor(
  {
    name: 'kick_limit_drift',
    fields: { rx: 'real', ry: 'real', rz: 'real', vx: 'real', vy: 'real', vz: 'real' },
    read: forces,
    params: { dt: 'real', halfDt: 'real', limit: 'real' },
    helpers: { slowed },
  },
  (i, p, h) => {
    const s = p.halfDt / i.mass;
    const x = i.vx + s * i.fx;
    const y = i.vy + s * i.fy;
    const z = i.vz + s * i.fz;
    const factor = h.slowed(x * x + y * y + z * z, p.limit);
    i.vx = factor * x;
    i.vy = factor * y;
    i.vz = factor * z;
    i.rx += p.dt * i.vx;
    i.ry += p.dt * i.vy;
    i.rz += p.dt * i.vz;
  },
);

/** v ← v + (Δt/2) f/m, no faster than the limit. */
const kickLimit = cellFunctor(
  {
    name: 'kick_limit',
    fields: { vx: 'real', vy: 'real', vz: 'real' },
    read: forces,
    params: { halfDt: 'real', limit: 'real' },
    helpers: { slowed },
  },
  (i, p, h) => {
    const s = p.halfDt / i.mass;
    const x = i.vx + s * i.fx;
    const y = i.vy + s * i.fy;
    const z = i.vz + s * i.fz;
    const factor = h.slowed(x * x + y * y + z * z, p.limit);
    i.vx = factor * x;
    i.vy = factor * y;
    i.vz = factor * z;
  },
);

/** Velocity Verlet in which no particle goes farther than a limit in a step, as LAMMPS' nve/limit. */
export const velocityVerletLimit = defineIntegrator({
  name: 'velocity_verlet_limit',
  doc: "Velocity Verlet in which no particle goes farther than a limit in a step: velocities beyond are shortened after each half kick, as in LAMMPS' nve/limit. For starts with particles too close; energy and momentum are not kept.",
  slots: {
    limit: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      required: true,
      doc: 'the farthest that a particle goes in a step',
    },
  },
  changesMomentum: true,
  phases: [
    {
      doc: 'Half a kick, within the limit, and a drift.',
      functor: kickLimitDrift,
      params: ({ dt, limit }) => ({ dt, halfDt: dt / 2, limit: limit / dt }),
    },
    'forces',
    {
      doc: 'The second half of the kick, within the limit.',
      functor: kickLimit,
      params: ({ dt, limit }) => ({ halfDt: dt / 2, limit: limit / dt }),
    },
  ],
});
