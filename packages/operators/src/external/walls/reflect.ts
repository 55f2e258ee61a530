import { cellFunctor } from '@corpuscle/patterns';
import { roundDistance } from './roundDistance.js';
import type { WallMotion } from './WallMotion.js';
import type { WallSurface } from './wallTerm.js';
import { unit } from './wallTerm.js';

/** Puts particles beyond a plane back as far as they are beyond it, and turns their velocity relative to it. */
export const reflectAtPlane = cellFunctor(
  {
    name: 'reflect_at_plane',
    fields: { rx: 'real', ry: 'real', rz: 'real', vx: 'real', vy: 'real', vz: 'real' },
    params: {
      px: 'real',
      py: 'real',
      pz: 'real',
      nx: 'real',
      ny: 'real',
      nz: 'real',
      ux: 'real',
      uy: 'real',
      uz: 'real',
    },
    traits: { gpu: true },
  },
  (i, p) => {
    const d = (i.rx - p.px) * p.nx + (i.ry - p.py) * p.ny + (i.rz - p.pz) * p.nz;
    if (d >= 0) return;
    const back = -2 * d;
    i.rx += back * p.nx;
    i.ry += back * p.ny;
    i.rz += back * p.nz;
    const turn = -2 * ((i.vx - p.ux) * p.nx + (i.vy - p.uy) * p.ny + (i.vz - p.uz) * p.nz);
    i.vx += turn * p.nx;
    i.vy += turn * p.ny;
    i.vz += turn * p.nz;
  },
);

/** The same at a sphere, or at a cylinder along the unit vector e, which is 0 for a sphere. */
export const reflectAtRound = cellFunctor(
  {
    name: 'reflect_at_round',
    fields: { rx: 'real', ry: 'real', rz: 'real', vx: 'real', vy: 'real', vz: 'real' },
    params: {
      cx: 'real',
      cy: 'real',
      cz: 'real',
      ex: 'real',
      ey: 'real',
      ez: 'real',
      radius: 'real',
      side: 'real',
      ux: 'real',
      uy: 'real',
      uz: 'real',
    },
    helpers: roundDistance,
    traits: { gpu: true },
  },
  (i, p, h) => {
    const x = i.rx - p.cx;
    const y = i.ry - p.cy;
    const z = i.rz - p.cz;
    const along = h.along(x, y, z, p.ex, p.ey, p.ez);
    const wx = x - along * p.ex;
    const wy = y - along * p.ey;
    const wz = z - along * p.ez;
    const rho = h.rho(wx, wy, wz);
    const d = p.side * (p.radius - rho);
    if (d >= 0) return;
    const toSide = -p.side / rho;
    const nx = toSide * wx;
    const ny = toSide * wy;
    const nz = toSide * wz;
    const back = -2 * d;
    i.rx += back * nx;
    i.ry += back * ny;
    i.rz += back * nz;
    const turn = -2 * ((i.vx - p.ux) * nx + (i.vy - p.uy) * ny + (i.vz - p.uz) * nz);
    i.vx += turn * nx;
    i.vy += turn * ny;
    i.vz += turn * nz;
  },
);

const STILL = [0, 0, 0] as const;

/** The functor of a surface and its parameters. @param motion where the surface is and how fast it moves; null where it stands */
export function reflection(
  surface: WallSurface,
  motion: Pick<WallMotion, 'place' | 'velocity'> | null,
) {
  const [ux, uy, uz] = motion?.velocity ?? STILL;
  const [x, y, z] = motion?.place ?? (surface.kind === 'plane' ? surface.point : surface.center);
  if (surface.kind === 'plane') {
    const [nx, ny, nz] = unit(surface.normal, 'the normal of a wall');
    return {
      functor: reflectAtPlane,
      params: { px: x, py: y, pz: z, nx, ny, nz, ux, uy, uz },
    };
  }
  const { axis, radius } = surface;
  const [ex, ey, ez] = axis ? unit(axis, 'the axis of a wall') : STILL;
  const side = surface.side === 'inside' ? 1 : -1;
  return {
    functor: reflectAtRound,
    params: { cx: x, cy: y, cz: z, ex, ey, ez, radius, side, ux, uy, uz },
  };
}
