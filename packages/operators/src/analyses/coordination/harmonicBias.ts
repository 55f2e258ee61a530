import { cellFunctor, completed, computeCellParticles } from '@corpuscle/patterns';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import type { Tensor } from '../../run/thermo/thermoRow.js';
import type { CoordinationSums } from './CoordinationSums.js';
import { atPlaces } from './placeFields.js';

/** E = kappa/2 (S − at)². */
export interface HarmonicBias {
  readonly at: number;
  readonly kappa: number;
}

/** Adds the force and the energy of a bias from the derivatives in the block `coordination`. */
const addSharedBias = cellFunctor(
  {
    name: 'coordination_bias',
    fields: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' },
    read: { cnx: 'real', cny: 'real', cnz: 'real' },
    params: { scale: 'real', share: 'real' },
  },
  (i, p) => {
    i.fx -= p.scale * i.cnx;
    i.fy -= p.scale * i.cny;
    i.fz -= p.scale * i.cnz;
    i.ep += p.share;
  },
);

/** The same from those of a place. */
export const addBias = (derivatives: number) => atPlaces(addSharedBias, { derivatives });

/**
 * The force of a bias on a coordination number that has just been evaluated: the derivatives in the grid's block
 * `coordination` are those of the present positions. The energy belongs to no pair; every particle gets an equal share.
 *
 * @param found the last evaluation; the term is the same in all steps, so that respa knows it again
 */
export function harmonicBias(
  found: () => CoordinationSums,
  { at, kappa }: HarmonicBias,
): ForceTerm {
  return {
    name: 'coordination_bias',
    rcut: 0,
    compute(grid, ctx, request) {
      const { value, box } = found();
      const scale = kappa * (value - at); // dE/dS
      const energy = (scale * (value - at)) / 2;
      if (request.forces || request.energies)
        computeCellParticles(grid, addSharedBias, ctx, {
          params: {
            scale: request.forces ? scale : 0,
            share: request.energies ? energy / grid.total : 0,
          },
        });
      // Box derivatives are minus the strain derivative of S, the virial minus that of E.
      const virial = box.map((b) => scale * b);
      return completed({ energy, ...Object.fromEntries(virial.map((w, k) => [`w${k}`, w])) });
    },
    totals: (values) => ({
      energy: values.energy!,
      virial: [0, 1, 2, 3, 4, 5].map((k) => values[`w${k}`]!) as unknown as Tensor,
    }),
  };
}
