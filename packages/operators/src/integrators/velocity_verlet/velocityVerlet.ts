import { cellFunctor } from '@corpuscle/patterns';

/**
 * First half of a velocity Verlet step (Swope, Andersen, Berens and Wilson, J. Chem. Phys. 76, 637 (1982)):
 *
 *   v ← v + (Δt/2) f/m,   r ← r + Δt v
 */
export const kickDrift = cellFunctor(
  {
    name: 'kick_drift',
    fields: { rx: 'real', ry: 'real', rz: 'real', vx: 'real', vy: 'real', vz: 'real' },
    read: { fx: 'real', fy: 'real', fz: 'real', mass: 'real' },
    params: { dt: 'real', halfDt: 'real' },
    traits: { gpu: true },
  },
  (i, p) => {
    const s = p.halfDt / i.mass;
    i.vx += s * i.fx;
    i.vy += s * i.fy;
    i.vz += s * i.fz;
    i.rx += p.dt * i.vx;
    i.ry += p.dt * i.vy;
    i.rz += p.dt * i.vz;
  },
);

/** Second half, after the new forces: v ← v + (Δt/2) f/m. */
export const kick = cellFunctor(
  {
    name: 'kick',
    fields: { vx: 'real', vy: 'real', vz: 'real' },
    read: { fx: 'real', fy: 'real', fz: 'real', mass: 'real' },
    params: { halfDt: 'real' },
    traits: { gpu: true },
  },
  (i, p) => {
    const s = p.halfDt / i.mass;
    i.vx += s * i.fx;
    i.vy += s * i.fy;
    i.vz += s * i.fz;
  },
);
