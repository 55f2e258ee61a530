import { cellFunctor } from '@corpuscle/patterns';

/** Multiplies all velocities. */
export const scaleAll = cellFunctor(
  {
    name: 'scale_all',
    fields: { vx: 'real', vy: 'real', vz: 'real' },
    params: { scale: 'real' },
    traits: { gpu: true },
  },
  (i, p) => {
    i.vx *= p.scale;
    i.vy *= p.scale;
    i.vz *= p.scale;
  },
);
