import { cellFunctor } from '@corpuscle/patterns';
import { externalOutputs } from '../externalForceTerm.js';
import { roundDistance } from './roundDistance.js';
import { type WallForm, wallForms } from './wallForms.js';

const read = { rx: 'real', ry: 'real', rz: 'real' } as const;
const shared = { epsilon: 'real', sigma: 'real', rcut: 'real', shift: 'real' } as const;

/** A plane through p with unit normal n: the distance is (r − p) · n. */
function planeWall(form: WallForm) {
  return cellFunctor(
    {
      name: `${form}_plane`,
      fields: externalOutputs,
      read,
      params: {
        ...shared,
        px: 'real',
        py: 'real',
        pz: 'real',
        nx: 'real',
        ny: 'real',
        nz: 'real',
      },
      helpers: wallForms[form],
      traits: { gpu: true },
    },
    (i, p, h) => {
      const d = (i.rx - p.px) * p.nx + (i.ry - p.py) * p.ny + (i.rz - p.pz) * p.nz;
      if (d >= p.rcut) return;
      const f = h.force(d, p.epsilon, p.sigma, p.rcut);
      i.fx += f * p.nx;
      i.fy += f * p.ny;
      i.fz += f * p.nz;
      i.ep += h.energy(d, p.epsilon, p.sigma, p.rcut) - p.shift;
    },
  );
}

/**
 * A sphere around c, or a cylinder around the line through c along the unit vector e, which is 0 for a sphere. Inside the distance
 * is R − ρ, outside ρ − R: `side` is 1 or −1.
 */
function roundWall(form: WallForm) {
  return cellFunctor(
    {
      name: `${form}_round`,
      fields: externalOutputs,
      read,
      params: {
        ...shared,
        cx: 'real',
        cy: 'real',
        cz: 'real',
        ex: 'real',
        ey: 'real',
        ez: 'real',
        radius: 'real',
        side: 'real',
      },
      helpers: { ...wallForms[form], ...roundDistance },
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
      if (d >= p.rcut) return;
      const f = h.force(d, p.epsilon, p.sigma, p.rcut);
      // On the axis there is no direction.
      const pull = rho > 0 ? (-p.side * f) / rho : 0;
      i.fx += pull * wx;
      i.fy += pull * wy;
      i.fz += pull * wz;
      i.ep += h.energy(d, p.epsilon, p.sigma, p.rcut) - p.shift;
    },
  );
}

/** Functors of walls by their form. */
export const planeWalls = {
  lj93: planeWall('lj93'),
  lj126: planeWall('lj126'),
  harmonic: planeWall('harmonic'),
} as const;
export const roundWalls = {
  lj93: roundWall('lj93'),
  lj126: roundWall('lj126'),
  harmonic: roundWall('harmonic'),
} as const;
