// An integrator of one's own: Yoshida's fourth-order scheme, three velocity Verlet steps of θ, 1 − 2θ and θ times dt.
// H. Yoshida, Phys. Lett. A 150, 262 (1990). From this folder:
//                                           npx corpuscle run run.yaml --import yoshida.ts [--backend cpu|webgpu]
import { defineIntegrator } from '@corpuscle/operators';
import { cellFunctor } from '@corpuscle/patterns';

const kickDrift = cellFunctor(
  {
    name: 'yoshida_kick_drift',
    fields: { rx: 'real', ry: 'real', rz: 'real', vx: 'real', vy: 'real', vz: 'real' },
    read: { fx: 'real', fy: 'real', fz: 'real', mass: 'real' },
    params: { kick: 'real', drift: 'real' },
  },
  (i, p) => {
    const s = p.kick / i.mass;
    i.vx += s * i.fx;
    i.vy += s * i.fy;
    i.vz += s * i.fz;
    i.rx += p.drift * i.vx;
    i.ry += p.drift * i.vy;
    i.rz += p.drift * i.vz;
  },
);

const theta = 1 / (2 - 2 ** (1 / 3));
const middle = 1 - 2 * theta;

/** A kick by the forces there are, then a drift; both as parts of dt. */
const phase = (kick: number, drift: number) => ({
  doc: `v += ${kick.toFixed(4)} dt f/m, then r += ${drift.toFixed(4)} dt v.`,
  functor: kickDrift,
  params: ({ dt }: { readonly dt: number }) => ({ kick: kick * dt, drift: drift * dt }),
});

export const yoshida = defineIntegrator({
  name: 'yoshida',
  doc: 'Fourth order, symplectic, time-reversible; forces are computed three times a step.',
  phases: [
    phase(theta / 2, theta),
    'forces',
    phase((theta + middle) / 2, middle),
    'forces',
    phase((theta + middle) / 2, theta),
    'forces',
    phase(theta / 2, 0),
  ],
});
