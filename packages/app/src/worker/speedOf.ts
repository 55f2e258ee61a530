import { cellFunctor } from '@corpuscle/patterns';

/** The speed of each particle. */
export const speedOf = cellFunctor(
  { name: 'speed', fields: { vx: 'real', vy: 'real', vz: 'real', speed: 'real' } },
  (i) => {
    i.speed = Math.sqrt(i.vx * i.vx + i.vy * i.vy + i.vz * i.vz);
  },
);
