import { cellFunctor } from '@corpuscle/patterns';

/** Multiplies velocities by a factor. */
export const scaleVelocity = cellFunctor(
  {
    name: 'scale_velocity',
    fields: { vx: 'real', vy: 'real', vz: 'real' },
    params: { scale: 'real' },
  },
  (i, p) => {
    i.vx *= p.scale;
    i.vy *= p.scale;
    i.vz *= p.scale;
  },
);
