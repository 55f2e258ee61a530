import { cellFunctor, valueFunctor } from '@corpuscle/patterns';
import { boxParams, nine } from '../../box/presentBox.js';
import { nearestImage } from '../../external/nearestImage.js';
import { imageFields } from '../../images/unwrapped.js';
import { countSteps } from '../../run/countSteps.js';

/**
 * Where particles were when their motion began, in unwrapped space. A particle that is new, `motion_known` 0, is traced back:
 *
 *   motion_origin [ x y z known ]
 */
export const motionBlock = {
  name: 'motion_origin',
  type: 'f64',
  width: 4,
  members: ['motion_x', 'motion_y', 'motion_z', 'motion_known'],
} as const;

const fields = {
  rx: 'real',
  ry: 'real',
  rz: 'real',
  vx: 'real',
  vy: 'real',
  vz: 'real',
  motion_x: 'real',
  motion_y: 'real',
  motion_z: 'real',
  motion_known: 'real',
} as const;

/** Values of the steps that have been made, in two halves of 16 bits. */
const steps = { low: 'real', high: 'real' } as const;

/** How far particles have been shifted, before and after a step, and how fast they go. */
export const shiftValues = {
  ...steps,
  beforeX: 'real',
  beforeY: 'real',
  beforeZ: 'real',
  x: 'real',
  y: 'real',
  z: 'real',
  vx: 'real',
  vy: 'real',
  vz: 'real',
} as const;

/** Shift after n steps: n dt u + A sin 2π n dt/T. Parts of a turn are exact to the end of long runs, also in single precision. */
export const nextShift = valueFunctor(
  {
    name: 'next_shift',
    values: shiftValues,
    params: {
      dt: 'real',
      ux: 'real',
      uy: 'real',
      uz: 'real',
      ax: 'real',
      ay: 'real',
      az: 'real',
      turn: 'real',
      turnHigh: 'real',
      omega: 'real',
    },
    helpers: countSteps,
  },
  (v, p, h) => {
    const [low, high] = h.tick(v.low, v.high, 1);
    v.low = low;
    v.high = high;
    const time = p.dt * (65536 * v.high + v.low);
    const turns = v.low * p.turn + v.high * p.turnHigh;
    const angle = h.angle(turns);
    const swing = Math.sin(angle);
    const speed = p.omega * Math.cos(angle);
    v.beforeX = v.x;
    v.beforeY = v.y;
    v.beforeZ = v.z;
    v.x = p.ux * time + p.ax * swing;
    v.y = p.uy * time + p.ay * swing;
    v.z = p.uz * time + p.az * swing;
    v.vx = p.ux + p.ax * speed;
    v.vy = p.uy + p.ay * speed;
    v.vz = p.uz + p.az * speed;
  },
);

const shift = {
  beforeX: 'real',
  beforeY: 'real',
  beforeZ: 'real',
  x: 'real',
  y: 'real',
  z: 'real',
  ux: 'real',
  uy: 'real',
  uz: 'real',
} as const;
const free = { freeX: 'real', freeY: 'real', freeZ: 'real' } as const;
const read = { fx: 'real', fy: 'real', fz: 'real', mass: 'real' } as const;

/** Puts particles to their origin and the shift; along free axes they move by velocity Verlet. */
export const shiftParticles = cellFunctor(
  {
    name: 'shift_particles',
    fields,
    read,
    params: { ...shift, ...free, ...boxParams, dt: 'real', halfDt: 'real' },
    helpers: nearestImage,
    traits: { gpu: true },
  },
  (i, p, h) => {
    if (i.motion_known < 0.5) {
      i.motion_x = i.rx - p.beforeX;
      i.motion_y = i.ry - p.beforeY;
      i.motion_z = i.rz - p.beforeZ;
      i.motion_known = 1;
    }
    const s = p.halfDt / i.mass;
    i.vx = p.freeX > 0 ? i.vx + s * i.fx : p.ux;
    i.vy = p.freeY > 0 ? i.vy + s * i.fy : p.uy;
    i.vz = p.freeZ > 0 ? i.vz + s * i.fz : p.uz;
    // To the nearest image of the place.
    const x = p.freeX > 0 ? p.dt * i.vx : i.motion_x + p.x - i.rx;
    const y = p.freeY > 0 ? p.dt * i.vy : i.motion_y + p.y - i.ry;
    const z = p.freeZ > 0 ? p.dt * i.vz : i.motion_z + p.z - i.rz;
    const a = h.turns(x, y, z, p.ixx, p.iyx, p.izx);
    const b = h.turns(x, y, z, p.ixy, p.iyy, p.izy);
    const c = h.turns(x, y, z, p.ixz, p.iyz, p.izz);
    i.rx += h.without(x, a, b, c, p.mxx, p.myx, p.mzx);
    i.ry += h.without(y, a, b, c, p.mxy, p.myy, p.mzy);
    i.rz += h.without(z, a, b, c, p.mxz, p.myz, p.mzz);
  },
);

/** The second half of the kick along free axes. */
export const kickFree = cellFunctor(
  {
    name: 'kick_free_axes',
    fields: { vx: 'real', vy: 'real', vz: 'real' },
    read,
    params: { ...free, halfDt: 'real' },
    traits: { gpu: true },
  },
  (i, p) => {
    const s = p.halfDt / i.mass;
    i.vx += p.freeX * s * i.fx;
    i.vy += p.freeY * s * i.fy;
    i.vz += p.freeZ * s * i.fz;
  },
);

/** Cosine and sine of the angle before and after a step. */
export const turnValues = {
  ...steps,
  cosBefore: 'real',
  sinBefore: 'real',
  cos: 'real',
  sin: 'real',
} as const;

/** The angle after n steps: 2π n dt/T. */
export const nextTurn = valueFunctor(
  {
    name: 'next_turn',
    values: turnValues,
    params: { turn: 'real', turnHigh: 'real' },
    helpers: countSteps,
  },
  (v, p, h) => {
    const isFirst = v.low + v.high < 0.5;
    v.cosBefore = isFirst ? 1 : v.cos;
    v.sinBefore = isFirst ? 0 : v.sin;
    const [low, high] = h.tick(v.low, v.high, 1);
    v.low = low;
    v.high = high;
    const turns = v.low * p.turn + v.high * p.turnHigh;
    const angle = h.angle(turns);
    v.cos = Math.cos(angle);
    v.sin = Math.sin(angle);
  },
);

/** A vector turned about an axis, a unit vector: n (n·d) + (d − n (n·d)) cos θ + n × d sin θ. */
const turned = (
  x: number,
  y: number,
  z: number,
  nx: number,
  ny: number,
  nz: number,
  cos: number,
  sin: number,
) => {
  const along = x * nx + y * ny + z * nz;
  return [
    along * nx + (x - along * nx) * cos + (ny * z - nz * y) * sin,
    along * ny + (y - along * ny) * cos + (nz * x - nx * z) * sin,
    along * nz + (z - along * nz) * cos + (nx * y - ny * x) * sin,
  ];
};

/** Parameters of an axis: a point, and a unit vector. */
const axisParams = {
  px: 'real',
  py: 'real',
  pz: 'real',
  nx: 'real',
  ny: 'real',
  nz: 'real',
} as const;

/** Turns particles from their origins about an axis. */
export const turnParticles = cellFunctor(
  {
    name: 'turn_particles',
    fields,
    read: imageFields,
    params: {
      ...axisParams,
      ...boxParams,
      cosBefore: 'real',
      sinBefore: 'real',
      cos: 'real',
      sin: 'real',
      omega: 'real',
    },
    helpers: { turned, ...nearestImage },
    traits: { gpu: true },
  },
  (i, p, h) => {
    if (i.motion_known < 0.5) {
      const [x, y, z] = h.turned(
        i.rx - p.px + (i.ix * p.mxx + i.iy * p.myx + i.iz * p.mzx),
        i.ry - p.py + (i.ix * p.mxy + i.iy * p.myy + i.iz * p.mzy),
        i.rz - p.pz + (i.ix * p.mxz + i.iy * p.myz + i.iz * p.mzz),
        p.nx,
        p.ny,
        p.nz,
        p.cosBefore,
        -p.sinBefore,
      );
      i.motion_x = p.px + x;
      i.motion_y = p.py + y;
      i.motion_z = p.pz + z;
      i.motion_known = 1;
    }
    const [dx, dy, dz] = h.turned(
      i.motion_x - p.px,
      i.motion_y - p.py,
      i.motion_z - p.pz,
      p.nx,
      p.ny,
      p.nz,
      p.cos,
      p.sin,
    );
    i.vx = p.omega * (p.ny * dz - p.nz * dy);
    i.vy = p.omega * (p.nz * dx - p.nx * dz);
    i.vz = p.omega * (p.nx * dy - p.ny * dx);
    // To the nearest image of the place.
    const x = p.px + dx - i.rx;
    const y = p.py + dy - i.ry;
    const z = p.pz + dz - i.rz;
    const a = h.turns(x, y, z, p.ixx, p.iyx, p.izx);
    const b = h.turns(x, y, z, p.ixy, p.iyy, p.izy);
    const c = h.turns(x, y, z, p.ixz, p.iyz, p.izz);
    i.rx += h.without(x, a, b, c, p.mxx, p.myx, p.mzx);
    i.ry += h.without(y, a, b, c, p.mxy, p.myy, p.mzy);
    i.rz += h.without(z, a, b, c, p.mxz, p.myz, p.mzz);
  },
);

/** Turns particles about an axis by an angle, once: their unwrapped places, so that faces of the box tear nothing apart. */
export const rotateOnce = cellFunctor(
  {
    name: 'rotate_particles',
    fields: { rx: 'real', ry: 'real', rz: 'real' },
    read: imageFields,
    params: { ...axisParams, ...nine('m'), cos: 'real', sin: 'real' },
    helpers: { turned },
    traits: { gpu: true },
  },
  (i, p, h) => {
    const px = p.px - (i.ix * p.mxx + i.iy * p.myx + i.iz * p.mzx);
    const py = p.py - (i.ix * p.mxy + i.iy * p.myy + i.iz * p.mzy);
    const pz = p.pz - (i.ix * p.mxz + i.iy * p.myz + i.iz * p.mzz);
    const [x, y, z] = h.turned(i.rx - px, i.ry - py, i.rz - pz, p.nx, p.ny, p.nz, p.cos, p.sin);
    i.rx = px + x;
    i.ry = py + y;
    i.rz = pz + z;
  },
);
