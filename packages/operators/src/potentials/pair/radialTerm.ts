import { withinTime } from '#operators/platform';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { pairForceTerm } from './pairForceTerm.js';
import type { RadialFunctor, RadialLayer } from './radialLayer.js';
import { offsetOf, type RadialRow, radialParameters } from './radialParameters.js';
import { withSelfEnergy } from './selfEnergy.js';

/** A layer, and its row for every ordered pair of types; null where it does not act. */
export interface LayerRows {
  readonly layer: RadialLayer;
  readonly rows: readonly (RadialRow | null)[];
}

/** The force term of a radial functor with these layers. @throws CorpuscleError INVALID_VALUE. */
export function radialTerm(
  functor: RadialFunctor,
  types: number,
  layers: readonly LayerRows[],
): ForceTerm {
  const rcut = Math.max(...layers.flatMap(({ rows }) => rows.map((row) => row?.rcut ?? 0)));
  // Energies and forces are called here as their author wrote them, where nothing watches them.
  const { params, self } = withinTime(`'${functor.name}' at its cutoff`, () => ({
    params: radialParameters(types, layers),
    self: Array.from({ length: types }, (_, type) =>
      layers.reduce((sum, layer) => sum + selfEnergyOf(layer, type * (types + 1)), 0),
    ),
  }));
  const term = pairForceTerm(functor, rcut, params);
  return self.some((energy) => energy !== 0) ? withSelfEnergy(term, self) : term;
}

/**
 * The energy of a unit charge with itself and with its opposite on the sphere at the cutoff (Wolf et al., J. Chem. Phys. 110,
 * 8254, 1999).
 */
function selfEnergyOf({ layer, rows }: LayerRows, pair: number): number {
  const row = rows[pair];
  if (row?.self === undefined) return 0;
  return -(row.coulomb ?? 1) * (offsetOf(layer, row) / 2 + row.self);
}
