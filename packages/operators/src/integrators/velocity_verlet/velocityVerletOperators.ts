import { defineIntegrator } from '../defineIntegrator.js';
import { kick, kickDrift } from './velocityVerlet.js';

/** Velocity Verlet, the integrator of `molecular_dynamics`. */
export const velocityVerlet = defineIntegrator({
  name: 'velocity_verlet',
  doc: 'Velocity Verlet: second order, symplectic, time-reversible.',
  phases: [
    {
      name: 'push_velocity_and_position',
      doc: 'First half of a velocity Verlet step: v += (dt/2) f/m, then r += dt v.',
      functor: kickDrift,
      params: ({ dt }) => ({ dt, halfDt: dt / 2 }),
    },
    'forces',
    {
      name: 'push_velocity',
      doc: 'Second half of a velocity Verlet step: v += (dt/2) f/m with the new forces.',
      functor: kick,
      params: ({ dt }) => ({ halfDt: dt / 2 }),
    },
  ],
});
