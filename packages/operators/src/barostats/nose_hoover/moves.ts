import { cellFunctor } from '@corpuscle/patterns';

/** Two affine maps of positions, before and after the drift, in triangular form: r′ = r + t + (r − o) · D. */
const maps = {
  ox: 'real',
  oy: 'real',
  oz: 'real',
  tx: 'real',
  ty: 'real',
  tz: 'real',
  dxx: 'real',
  dyy: 'real',
  dzz: 'real',
  dyx: 'real',
  dzx: 'real',
  dzy: 'real',
  Ox: 'real',
  Oy: 'real',
  Oz: 'real',
  Tx: 'real',
  Ty: 'real',
  Tz: 'real',
  Dxx: 'real',
  Dyy: 'real',
  Dzz: 'real',
  Dyx: 'real',
  Dzx: 'real',
  Dzy: 'real',
} as const;

/** Factors of velocities in a box whose strain rate is triangular: g, then shears, then g again. */
const press = {
  gx: 'real',
  gy: 'real',
  gz: 'real',
  sxy: 'real',
  sxz: 'real',
  syz: 'real',
} as const;

/** First half of a step: thermostat, barostat, kick, half of the box, drift, half of the box. */
export const moveInBox = cellFunctor(
  {
    name: 'move_in_box',
    fields: { rx: 'real', ry: 'real', rz: 'real', vx: 'real', vy: 'real', vz: 'real' },
    read: { fx: 'real', fy: 'real', fz: 'real', mass: 'real' },
    params: { scale: 'real', dt: 'real', halfDt: 'real', ...press, ...maps },
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
    let x = i.rx - p.ox;
    let y = i.ry - p.oy;
    let z = i.rz - p.oz;
    const ax = i.rx + (p.tx + (x * p.dxx + y * p.dyx + z * p.dzx)) + p.dt * i.vx;
    const ay = i.ry + (p.ty + (y * p.dyy + z * p.dzy)) + p.dt * i.vy;
    const az = i.rz + (p.tz + z * p.dzz) + p.dt * i.vz;
    x = ax - p.Ox;
    y = ay - p.Oy;
    z = az - p.Oz;
    i.rx = ax + (p.Tx + (x * p.Dxx + y * p.Dyx + z * p.Dzx));
    i.ry = ay + (p.Ty + (y * p.Dyy + z * p.Dzy));
    i.rz = az + (p.Tz + z * p.Dzz);
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
