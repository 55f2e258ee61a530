import { cellFunctor } from '@corpuscle/patterns';

/** Factors of velocities in a box whose strain rate is triangular: g, then shears, then g again. */
const press = {
  gx: 'real',
  gy: 'real',
  gz: 'real',
  sxy: 'real',
  sxz: 'real',
  syz: 'real',
} as const;

/** How half a step of the box changes a way, d · (1 + A). */
const half = {
  axx: 'real',
  ayy: 'real',
  azz: 'real',
  ayx: 'real',
  azx: 'real',
  azy: 'real',
} as const;

/** Names of the parameters that are values of a barostat. */
export const pressNames = Object.keys(press) as readonly (keyof typeof press)[];
export const halfNames = Object.keys(half) as readonly (keyof typeof half)[];

/**
 * First half of a step: thermostat, barostat, kick and drift. The particles have followed the box already, so that the way of the
 * drift, which comes in the middle, follows its second half.
 */
export const moveInBox = cellFunctor(
  {
    name: 'move_in_box',
    fields: { rx: 'real', ry: 'real', rz: 'real', vx: 'real', vy: 'real', vz: 'real' },
    read: { fx: 'real', fy: 'real', fz: 'real', mass: 'real' },
    params: { scale: 'real', dt: 'real', halfDt: 'real', ...press, ...half },
    traits: { gpu: true },
  },
  (i, p) => {
    const k = p.halfDt / i.mass;
    const wx = p.scale * p.gx * i.vx;
    const wy = p.scale * p.gy * i.vy;
    const wz = p.scale * p.gz * i.vz;
    i.vx = p.gx * (wx + (p.sxy * wy + p.sxz * wz)) + k * i.fx;
    i.vy = p.gy * (wy + p.syz * wz) + k * i.fy;
    i.vz = p.gz * wz + k * i.fz;
    const x = p.dt * i.vx;
    const y = p.dt * i.vy;
    const z = p.dt * i.vz;
    i.rx += x + (x * p.axx + y * p.ayx + z * p.azx);
    i.ry += y + (y * p.ayy + z * p.azy);
    i.rz += z + z * p.azz;
  },
);

/** Kick and drift before the second half of a long step of the box: the particles have followed that already. */
export const driftBeforeBox = cellFunctor(
  {
    name: 'drift_before_box',
    fields: { rx: 'real', ry: 'real', rz: 'real', vx: 'real', vy: 'real', vz: 'real' },
    read: { fx: 'real', fy: 'real', fz: 'real', mass: 'real' },
    params: { dt: 'real', halfDt: 'real', ...half },
    traits: { gpu: true },
  },
  (i, p) => {
    const k = p.halfDt / i.mass;
    i.vx += k * i.fx;
    i.vy += k * i.fy;
    i.vz += k * i.fz;
    const x = p.dt * i.vx;
    const y = p.dt * i.vy;
    const z = p.dt * i.vz;
    i.rx += x + (x * p.axx + y * p.ayx + z * p.azx);
    i.ry += y + (y * p.ayy + z * p.azy);
    i.rz += z + z * p.azz;
  },
);

/** Second half of a step: kick, barostat. */
export const kickInBox = cellFunctor(
  {
    name: 'kick_in_box',
    fields: { vx: 'real', vy: 'real', vz: 'real' },
    read: { fx: 'real', fy: 'real', fz: 'real', mass: 'real' },
    params: { halfDt: 'real', ...press },
    traits: { gpu: true },
  },
  (i, p) => {
    const k = p.halfDt / i.mass;
    const wx = p.gx * (i.vx + k * i.fx);
    const wy = p.gy * (i.vy + k * i.fy);
    const wz = p.gz * (i.vz + k * i.fz);
    i.vx = p.gx * (wx + (p.sxy * wy + p.sxz * wz));
    i.vy = p.gy * (wy + p.syz * wz);
    i.vz = p.gz * wz;
  },
);
