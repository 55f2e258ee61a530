import { reduceFunctor } from '@corpuscle/patterns';
import type { IntegratorPhase, IntegratorRun } from '../integrators/IntegratorSpec.js';
import { scaleVelocity } from '../integrators/scaleVelocity.js';

/** Σ m v², and the number of particles: of a group this may change. */
export const kineticEnergy = reduceFunctor(
  {
    name: 'kinetic_energy',
    result: { twice: 'sum', count: 'sum' },
    read: { vx: 'real', vy: 'real', vz: 'real', mass: 'real' },
  },
  (acc, i) => {
    acc.twice += i.mass * (i.vx * i.vx + i.vy * i.vy + i.vz * i.vz);
    acc.count += 1;
  },
);

/** Values of a thermostat that scales velocities by one factor. */
export const scalingValues = { twice: 'real', count: 'real', scale: 'real', bath: 'real' } as const;

/** Their first numbers. */
export const scalingStart = { twice: 0, count: 0, scale: 1, bath: 0 };

/** Adds up the kinetic energy of the particles. */
export const measureKinetic: IntegratorPhase = {
  doc: 'Adds up the kinetic energy.',
  functor: kineticEnergy,
};

/** Scales velocities by the factor that was computed, one of the values. */
export const scaleBy = (name = 'scale'): IntegratorPhase => ({
  doc: 'Scales velocities.',
  functor: scaleVelocity,
  params: (_, { value }: IntegratorRun) => ({ scale: value(name) }),
});
