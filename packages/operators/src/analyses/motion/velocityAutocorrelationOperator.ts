import { diffusionOfVelocities } from './diffusion.js';
import { motionOperator } from './motionOperator.js';
import type { KeptVector } from './Origins.js';

const velocities: KeptVector = {
  read: { vx: 'real', vy: 'real', vz: 'real' },
  params: {},
  text: 'const x = i.vx;\nconst y = i.vy;\nconst z = i.vz;',
  at: (i) => [i.vx!, i.vy!, i.vz!],
  dimension: { length: 1, time: -1 },
  productText: (now, then) => `${now} * ${then}`,
  product: (now, then) => now * then,
};

export const velocityAutocorrelationOperator = motionOperator({
  name: 'velocity_autocorrelation',
  doc: 'Velocity autocorrelation v(0) · v(t) by lag, averaged over particles and over one or several origins, and its running integral, the diffusion coefficient (Green and Kubo).',
  column: 'vacf',
  title: 'Velocity autocorrelation',
  dimension: { length: 2, time: -2 },
  kept: velocities,
  params: () => ({}),
  diffusion(points) {
    const integrals = diffusionOfVelocities(points);
    const last = integrals.at(-1);
    return last ? { ...last, running: integrals.map(({ value }) => value) } : null;
  },
});
