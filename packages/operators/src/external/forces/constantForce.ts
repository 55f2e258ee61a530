import { cellFunctor } from '@corpuscle/patterns';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import {
  type ExternalForceOptions,
  externalForceTerm,
  externalOutputs,
} from '../externalForceTerm.js';
import { freePart } from '../freeDirections.js';

type Vector = readonly [number, number, number];

/** f = F + m g + q E; energy −f · r along directions in which the box does not repeat. */
export const constantForce = cellFunctor(
  {
    name: 'constant_force',
    fields: externalOutputs,
    read: { rx: 'real', ry: 'real', rz: 'real', mass: 'real', charge: 'real' },
    params: {
      x: 'real',
      y: 'real',
      z: 'real',
      perMass: 'real',
      perCharge: 'real',
      each: 'real',
      ux: 'real',
      uy: 'real',
      uz: 'real',
    },
    traits: { gpu: true },
  },
  (i, p) => {
    const weight = p.each + p.perMass * i.mass + p.perCharge * i.charge;
    i.fx += weight * p.x;
    i.fy += weight * p.y;
    i.fz += weight * p.z;
    i.ep -= weight * (p.ux * i.rx + p.uy * i.ry + p.uz * i.rz);
  },
);

/** What a constant force is multiplied by for every particle. */
export type Per = 'particle' | 'mass' | 'charge';

/**
 * A constant force on every particle, on its mass (gravity), or on its charge (an electric field).
 * @param vector in internal units: a force, an acceleration, or a force over a charge
 */
export function constantForceTerm(
  vector: Vector,
  per: Per,
  options: Pick<ExternalForceOptions<never>, 'particleFilter'> = {},
): ForceTerm {
  const [x, y, z] = vector;
  return externalForceTerm(constantForce, {
    ...options,
    params({ wholeDomain }) {
      const [ux, uy, uz] = freePart(wholeDomain, vector);
      const weights = {
        each: per === 'particle' ? 1 : 0,
        perMass: per === 'mass' ? 1 : 0,
        perCharge: per === 'charge' ? 1 : 0,
      };
      return { x, y, z, ux, uy, uz, ...weights };
    },
  });
}
